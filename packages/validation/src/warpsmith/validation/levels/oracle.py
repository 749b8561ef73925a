"""Beside the ladder, for a sample: an interpreter of the kernel's Python that knows nothing of Warp leaves the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warpsmith.core.records.jsonl import Line
from warpsmith.validation.levels.context import BatchContext, place
from warpsmith.validation.levels.finding import PASS, Finding, fail, skipped
from warpsmith.validation.oracle.errors import Unsupported


def check(lines: Sequence[Line], context: BatchContext) -> Iterator[Finding]:
    """Interpret the Python and compare with what `execute` put on the bench."""
    for line in lines:
        yield _check(line, context)


def _check(line: Line, context: BatchContext) -> Finding:
    if line.pair is None or place(line) not in context.drawn:
        return skipped("the kernel was not run")
    # most runs end below this level
    from warpsmith.validation.oracle.agreement import disagreement
    from warpsmith.validation.oracle.interpret import interpret

    own, *_ = context.drawn[place(line)]
    try:
        left = interpret(line.pair.python_source, line.pair.metadata.kernel_name, own.how, own.values)
    except Unsupported as reason:
        return Finding("not_applicable", f"the interpreter does not know this: {reason}")
    problem = disagreement(left, own.left.arrays)
    return fail(f"an interpreter of the Python leaves something else: {problem}") if problem else PASS
