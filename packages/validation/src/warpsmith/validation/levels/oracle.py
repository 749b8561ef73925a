"""Beside the ladder, for a sample: an interpreter of the kernel's Python that knows nothing of Warp leaves the same."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from warpsmith.extraction.jsonl import Line
from warpsmith.validation.bench import Bench, place
from warpsmith.validation.levels.common import inputs_of, launch_of
from warpsmith.validation.oracle.agreement import disagreement
from warpsmith.validation.oracle.errors import Unsupported
from warpsmith.validation.oracle.interpret import interpret
from warpsmith.validation.verdict import PASS, Finding, fail, skipped


def check(lines: Sequence[Line], bench: Bench) -> Iterator[Finding]:
    """Interpret the Python and compare with what `execute` put on the bench."""
    for line in lines:
        yield _check(line, bench)


def _check(line: Line, bench: Bench) -> Finding:
    values, expected = inputs_of(line), bench.results.get(place(line))
    if isinstance(values, Finding) or line.pair is None:
        return values if isinstance(values, Finding) else skipped("not a record")
    if expected is None:
        return skipped("the kernel was not run")
    how, _ = launch_of(line)
    try:
        left = interpret(line.pair.python_source, line.pair.metadata.kernel_name, how, values)
    except Unsupported as reason:
        return Finding("not_applicable", f"the interpreter does not know this: {reason}")
    problem = disagreement(left, expected.arrays)
    return fail(f"an interpreter of the Python leaves something else: {problem}") if problem else PASS
