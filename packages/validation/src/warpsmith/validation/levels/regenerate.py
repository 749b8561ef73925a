"""Level 3: Warp generates the same text from the pair's Python, byte for byte."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warpsmith.core.records.ir import TARGETS
from warpsmith.core.records.jsonl import Line
from warpsmith.validation.levels.common import unsupported
from warpsmith.validation.levels.context import BatchContext, place
from warpsmith.validation.levels.finding import PASS, Finding, fail, skipped


def check(lines: Sequence[Line], context: BatchContext) -> Iterator[Finding]:
    """Load the Python, generate, compare. Runs the pair's code: only inside a limited child."""
    for line in lines:
        yield unsupported(line) or _check(line, context)


def _check(line: Line, context: BatchContext) -> Finding:
    from warpsmith.core.errors import KernelRejected
    from warpsmith.extraction.extract import extract_ir
    from warpsmith.extraction.loading import loaded_kernel

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
        context.reference[place(line)] = ir.codes["cpu"]
    for target in TARGETS[metadata.device]:
        code = ir.codes[target]
        for direction, written, ours in zip(
            ("forward", "backward"), pair.code(target), (code.forward_code, code.backward_code), strict=True
        ):
            if written != ours:
                return fail(f"{target} {direction} differs from what Warp generates, {_where(written or '', ours or '')}")
    return PASS


def _where(written: str, generated: str) -> str:
    for number, (left, right) in enumerate(zip(written.splitlines(), generated.splitlines(), strict=False), start=1):
        if left != right:
            return f"first in line {number}: {left.strip()[:80]!r} instead of {right.strip()[:80]!r}"
    return f"{len(written)} characters instead of {len(generated)}"
