"""Level `oracle`: an interpreter of the kernel's Python that is independent of Warp leaves the same outputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warpsmith.core.records.jsonl import Line
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.finding import PASS, Finding, fail, skipped
from warpsmith.validation.levels.registry import Level
from warpsmith.validation.levels.results import LAUNCHES, line_key
from warpsmith.validation.oracle.agreement import disagreement
from warpsmith.validation.oracle.errors import Unsupported
from warpsmith.validation.oracle.interpret import interpret

LEVEL = Level(
    name="oracle",
    seconds=60.0,
    order=80,
    needs=("execute",),
    summary="an interpreter of the Python that is independent of Warp computes the same results",
)


def check(lines: Sequence[Line], context: BatchContext) -> Iterator[Finding]:
    """Interpret the Python and compare the outputs with those of `execute`."""
    for line in lines:
        yield _check(line, context)


def _check(line: Line, context: BatchContext) -> Finding:
    launches = context.results(LAUNCHES).get(line_key(line))
    if line.pair is None or launches is None:
        return skipped("the kernel was not run")
    own = launches[0]
    try:
        outputs = interpret(line.pair.python_source, line.pair.metadata.kernel_name, own.launch, own.values)
    except Unsupported as reason:
        return Finding("not_applicable", f"the interpreter does not know this: {reason}")
    problem = disagreement(outputs, own.outputs.arrays)
    return fail(f"an interpreter of the Python leaves something else: {problem}") if problem else PASS
