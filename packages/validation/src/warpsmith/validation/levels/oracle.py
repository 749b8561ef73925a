"""Level `oracle`: an interpreter of the kernel's Python that is independent of Warp leaves the same outputs.

Errors that C++ and CUDA share show here only: levels `execute` to `gradient` compare generated code with itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from warpsmith.core.inputs.values import Values
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.pair import Pair
from warpsmith.validation.levels.common import is_extracted
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.finding import PASS, Finding, fail, memory_error, skipped
from warpsmith.validation.levels.level_results import INFINITE, LAUNCHES, LaunchResult, line_key
from warpsmith.validation.levels.misuse import is_of_program
from warpsmith.validation.levels.registry import Level
from warpsmith.validation.oracle.interpreter.interpret import BLOCK, STEPS, interpret
from warpsmith.validation.oracle.values.agreement import disagreement
from warpsmith.validation.oracle.values.choices import CHOICES
from warpsmith.validation.oracle.values.interpretation_errors import Exhausted, Misuse, Undefined, Unsupported
from warpsmith.validation.oracle.values.last_bits import spreads

LEVEL = Level(
    name="oracle",
    seconds=60.0,
    order=65,
    needs=("execute",),
    summary="an interpreter of the Python that is independent of Warp computes the same results on several launches",
)

VARIANTS = 3
"""How many launches are interpreted besides the pair's own and those whose inputs are directed at branches. The first variants
have smaller counts, a wider launch, and other plain values."""

MAX_INFINITE = 2
"""How many launches with infinite results are interpreted, too: a variable without a value often holds NaN."""

EXTRACTED_STEPS = 250_000
"""The number of statements that a launch of an extracted kernel may run: launches of programs are much larger than others."""


def check(lines: Sequence[Line], context: BatchContext) -> Iterator[Finding]:
    """Interpret the Python and compare the outputs with those of `execute`."""
    for line in lines:
        yield _check(line, context)


def _check(line: Line, context: BatchContext) -> Finding:
    launches = context.results(LAUNCHES).get(line_key(line))
    if line.pair is None or launches is None:
        return skipped("the kernel was not run")
    recorded, *variants = [result for place, result in enumerate(launches) if place <= VARIANTS or result.is_directed]
    variants += context.results(INFINITE).get(line_key(line), [])[:MAX_INFINITE]
    steps = EXTRACTED_STEPS if is_extracted(line) else STEPS
    try:
        problem = _problem(line.pair, recorded, steps)
    except Misuse as reason:
        if is_of_program(line, recorded.launch):
            return memory_error(f"at the launch of the program: {reason}")
        return Finding("not_applicable", f"the interpreter does not know this: {reason}")
    except Unsupported as reason:
        return Finding("not_applicable", f"the interpreter does not know this: {reason}")
    for variant in variants:
        try:
            problem = problem or _problem(line.pair, variant, steps)
        except (Undefined, Exhausted):  # such a launch shows nothing
            continue
        except Unsupported as reason:
            return Finding("not_applicable", f"the interpreter does not know this: {reason}")
    return fail(f"an interpreter of the Python leaves something else: {problem}") if problem else PASS


def _problem(pair: Pair, result: LaunchResult, steps: int) -> str | None:
    """Return the difference between the results of a launch and those of the interpreter, or None."""
    block = int(str(pair.metadata.module_options.get("block_dim", BLOCK)))

    def run(values: Mapping[str, Values]) -> dict[str, Values]:
        return interpret(pair.python_source, pair.metadata.kernel_name, result.launch, values, steps, block)

    outputs, expected = run(result.values), result.outputs.arrays
    roughness = CHOICES.roughness
    if disagreement(outputs, expected, roughness) is None:
        return None
    moved = spreads(run, result.values, outputs, pair.id, pair.python_source)
    return disagreement(outputs, expected, roughness, moved)
