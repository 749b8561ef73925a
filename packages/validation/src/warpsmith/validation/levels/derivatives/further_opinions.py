"""Opinions on a wrong gradient besides differences in double precision and the exact derivative of the Python."""

from __future__ import annotations

from warpsmith.validation.levels.common import lines_with_code
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.derivatives.derivative import Derivative
from warpsmith.validation.levels.derivatives.exact_derivative import ExactDerivative, program_opinion
from warpsmith.validation.levels.derivatives.launch_passes import run_passes
from warpsmith.validation.levels.derivatives.series import Alone, Series
from warpsmith.validation.levels.derivatives.text_precisions import SINGLE

DRAWS = 3
"""How many points and directions are drawn in the kernel's own precision; most of them have to show the error."""


def further_opinion(
    series: Series, name: str, alone: Derivative, exact: ExactDerivative | str, context: BatchContext
) -> tuple[bool, str]:
    """Return whether a further opinion contradicts a wrong gradient, and what it says as the end of a sentence.

    The text is empty if there is none. Where the interpreter does not support a kernel, its generated C++ in its own precision
    is the further opinion: other code, other steps and another precision than those of the differences.

    Args:
        series: the draws of the pair.
        name: the leaf whose gradient is wrong.
        alone: the derivative that shows it.
        exact: the exact derivative, or why there is none.
        context: the state of the batch.
    """
    contradicts, text = program_opinion(series, alone.probe, alone.adjoint, alone.numeric)
    if text or not isinstance(exact, str):
        return contradicts, text
    return False, _of_compiled_code(series, name, context)


def _of_compiled_code(series: Series, name: str, context: BatchContext) -> str:
    parts = lines_with_code([series.line], context, "cpu")
    if not parts:
        return ""
    part = parts[0][1]
    library = context.library("cpp", [part])[part.key]
    if part.key in library.errors:
        return ""
    single = Series(series.line, library, part, context, SINGLE)
    leaf = next((leaf for leaf in single.moving() if leaf.name == name), None)
    if leaf is None:
        return ""
    context.arena.clear()
    derivatives = [single.derivative_of(Alone(leaf), draw, context.arena) for draw in range(DRAWS)]
    (problem,) = run_passes([derivatives], context.launch_seconds)
    if problem is not None or 2 * sum(derivative.finding().status == "fail" for derivative in derivatives) <= DRAWS:
        return ""
    return "; differences of the generated code in the kernel's own precision show it, too"
