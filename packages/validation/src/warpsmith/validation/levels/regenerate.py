"""Level `regenerate`: Warp generates the same text from the pair's Python, byte for byte."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warpsmith.core.errors import KernelRejected
from warpsmith.core.records.ir import TARGETS
from warpsmith.core.records.jsonl import Line
from warpsmith.extraction.extract import extract_ir
from warpsmith.extraction.loading import loaded_kernel
from warpsmith.validation.levels.common import unsupported
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.finding import PASS, Finding, fail, skipped
from warpsmith.validation.levels.registry import Level
from warpsmith.validation.levels.results import REFERENCE, line_key

LEVEL = Level(
    name="regenerate",
    seconds=60.0,
    order=30,
    summary="Warp generates the same bytes from the Python again",
)


def check(lines: Sequence[Line], context: BatchContext) -> Iterator[Finding]:
    """Load the Python, generate code and compare. This runs the pair's Python, so only a sandboxed worker may call it."""
    for line in lines:
        yield unsupported(line) or _check(line, context)


def _check(line: Line, context: BatchContext) -> Finding:
    pair = line.pair
    if pair is None:
        return skipped("not a record")
    metadata = pair.metadata
    try:
        with loaded_kernel(pair.python_source, metadata.kernel_name, metadata.module_options) as kernel:
            ir = extract_ir(kernel, "both" if metadata.device == "cuda" else metadata.device, metadata.has_backward)
    except KernelRejected as error:
        return fail(str(error))
    if metadata.device == "cuda":
        context.results(REFERENCE)[line_key(line)] = ir.codes["cpu"]
    for target in TARGETS[metadata.device]:
        code = ir.codes[target]
        for direction, recorded, generated in zip(
            ("forward", "backward"), pair.code(target), (code.forward_code, code.backward_code), strict=True
        ):
            if recorded != generated:
                where = _first_difference(recorded or "", generated or "")
                return fail(f"{target} {direction} differs from what Warp generates, {where}")
    return PASS


def _first_difference(recorded: str, generated: str) -> str:
    for number, (left, right) in enumerate(zip(recorded.splitlines(), generated.splitlines(), strict=False), start=1):
        if left != right:
            return f"first in line {number}: {left.strip()[:80]!r} instead of {right.strip()[:80]!r}"
    return f"{len(recorded)} characters instead of {len(generated)}"
