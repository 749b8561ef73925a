"""Level `regenerate`: Warp generates the same text from the pair's Python, byte for byte.

Pairs are loaded together with others, where Warp's code generator is accelerated. Those whose text it does not give, and some
whose text it gives, are loaded alone, where Warp is unmodified.

Functions of libmathdx that the text declares are not compiled again; their sizes of shared memory come from the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warpsmith.core.errors import KernelRejected
from warpsmith.core.records.ir import TARGETS, KernelIR
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.text_format import linked_functions
from warpsmith.validation.allowlist.generated_text import is_generated
from warpsmith.validation.allowlist.native_text import has_native_code
from warpsmith.validation.levels.common import unsupported
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.finding import PASS, Finding, fail, skipped
from warpsmith.validation.levels.level_results import REFERENCE, REGENERATED, line_key
from warpsmith.validation.levels.registry import Level
from warpsmith.validation.levels.sampling import is_sampled
from warpsmith.validation.running.kernel_loader import LOAD_SECONDS, Source, extract_in_fork, extract_together
from warpsmith.validation.running.plain_source import is_plain

LEVEL = Level(
    name="regenerate",
    seconds=60.0,
    order=30,
    summary="Warp generates the same bytes from the Python again",
)


GROUP = 64
"""How many pairs are loaded in one fork."""

ALONE = 64
"""One of this many pairs is always loaded alone, where Warp is unmodified."""

_SHARE_OF_LIMIT = 1.0 / 3.0
"""The share of the level's time limit for one fork: a pair may need two, one with others and one alone."""


def check(lines: Sequence[Line], context: BatchContext) -> Iterator[Finding]:
    """Load the Python in a fork, generate code there and compare."""
    for line in lines:
        yield unsupported(line) or _check(line, context)


def _check(line: Line, context: BatchContext) -> Finding:
    pair = line.pair
    if pair is None:
        return skipped("not a record")
    together = _loaded_together(line, context)
    if together is not None and _difference(pair, together) is None:
        return PASS
    try:
        ir = extract_in_fork(_source(pair), _seconds(context))
    except KernelRejected as error:
        return fail(str(error))
    if pair.metadata.device == "cuda":
        if not has_native_code(line) and not is_generated(filter(None, (ir.cpp.forward_code, ir.cpp.backward_code))):
            return fail("the C++ code of the Python contains native text that its CUDA code lacks")
        context.results(REFERENCE)[line_key(line)] = ir.cpp
    difference = _difference(pair, ir)
    return fail(difference) if difference else PASS


def _loaded_together(line: Line, context: BatchContext) -> KernelIR | None:
    """Return the code of a pair from a fork that other pairs share, None if the pair has to be loaded alone.

    The answer counts only where it equals the pair's own text. The C++ code of a pair with CUDA code only cannot be compared.
    """
    known = context.results(REGENERATED)
    if line_key(line) not in known and _can_share(line):
        group = [line, *filter(_can_share, context.lines_from(line, GROUP)[1:])]
        found = (
            extract_together([_source(other.pair) for other in group if other.pair], _seconds(context))
            if len(group) > 1
            else [None]
        )
        known |= {line_key(other): ir for other, ir in zip(group, found, strict=True)}
    return known.pop(line_key(line), None)


def _seconds(context: BatchContext) -> float:
    return min(LOAD_SECONDS, _SHARE_OF_LIMIT * context.seconds)


def _can_share(line: Line) -> bool:
    pair = line.pair
    if pair is None or pair.metadata.device == "cuda" or is_sampled(pair.id, ALONE, "unmodified Warp"):
        return False
    return unsupported(line) is None and is_plain(pair.python_source)


def _source(pair: Pair) -> Source:
    metadata = pair.metadata
    device = "both" if metadata.device == "cuda" else metadata.device
    linked = linked_functions(pair.cuda_ir_forward)
    backward = metadata.requested_backward
    return Source(pair.python_source, metadata.kernel_name, metadata.module_options, device, backward, linked)


def _difference(pair: Pair, ir: KernelIR) -> str | None:
    """Return how the texts of a pair differ from the code that Warp generates, None if they are the same."""
    for target in TARGETS[pair.metadata.device]:
        code = ir.codes[target]
        for direction, recorded, generated in zip(
            ("forward", "backward"), pair.code(target), (code.forward_code, code.backward_code), strict=True
        ):
            if recorded != generated:
                where = _first_difference(recorded or "", generated or "")
                return f"{target} {direction} differs from what Warp generates, {where}"
    return None


def _first_difference(recorded: str, generated: str) -> str:
    for number, (left, right) in enumerate(zip(recorded.split("\n"), generated.split("\n"), strict=False), start=1):
        if left != right:
            return f"first in line {number}: {left.strip()[:80]!r} instead of {right.strip()[:80]!r}"
    return f"{len(recorded)} characters instead of {len(generated)}"
