"""Level `gradient`: the adjoint is the derivative, compared with central differences.

The generated text is compiled once more with ``float32`` read as ``float64``; see `text_precisions` for texts where that
is impossible. One run of the adjoint gives the gradient, and runs of the forward pass at points around the inputs give
derivatives along random directions. Where the differences with a step and with half that step, or to both sides, do not agree,
the function has a corner or a jump there, and another point and direction are drawn.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from warpsmith.core.inputs.values import leaves, objects
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.verdict import MACHINE
from warpsmith.validation.compiling.part import UnitPart
from warpsmith.validation.levels.common import is_extracted, launch_of, lines_with_code
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.cross_check import Candidate, check_programs
from warpsmith.validation.levels.derivatives.balance import NATURAL
from warpsmith.validation.levels.derivatives.confirmation import confirmed, contents_finding
from warpsmith.validation.levels.derivatives.decisions import decided
from warpsmith.validation.levels.derivatives.derivative import COPIES, has_gradient
from warpsmith.validation.levels.derivatives.hidden_elements import check_hidden_elements
from warpsmith.validation.levels.derivatives.launch_passes import run_passes
from warpsmith.validation.levels.derivatives.location import locate
from warpsmith.validation.levels.derivatives.other_steps import confirm_with_other_steps
from warpsmith.validation.levels.derivatives.pair_origins import indexed_floats, no_gradient
from warpsmith.validation.levels.derivatives.probe import FAILURES, Failure
from warpsmith.validation.levels.derivatives.program_precision import check_program_precision
from warpsmith.validation.levels.derivatives.recorded_gradients import check_recorded_gradients
from warpsmith.validation.levels.derivatives.rounded_points import confirm_at_rounded_points
from warpsmith.validation.levels.derivatives.series import EXTREMUM, Series
from warpsmith.validation.levels.derivatives.single_leaves import check_single_leaves
from warpsmith.validation.levels.derivatives.text_precisions import DOUBLE, SINGLE
from warpsmith.validation.levels.finding import PASS, Finding, attributed, fail, inconclusive, skipped
from warpsmith.validation.levels.level_results import LAUNCHES, LineKey, line_key
from warpsmith.validation.levels.registry import Level
from warpsmith.validation.running.shared_arguments import promoted
from warpsmith.validation.running.shared_memory import portions

LEVEL = Level(
    name="gradient",
    seconds=60.0,
    order=70,
    needs=("regenerate", "execute"),
    takes_batches=True,
    compiles=True,
    summary="the adjoint agrees with central differences",
)

_NOISE = re.compile(r"\bwp\.p?noise\(|\bwp\.curlnoise\(")
"""Functions that are written for single precision."""

NEAR_INPUTS = "near its inputs "
"""The beginning of the reason of a pair whose code has a problem at a drawn point."""

DRAWS = 14
"""How many points and directions are drawn at most to find them."""


def check(lines: Sequence[Line], context: BatchContext) -> list[Finding]:
    """Compare every pair's adjoint with central differences."""
    findings: dict[LineKey, Finding] = {}
    doubles: list[Series] = []
    applicable = []
    for line in lines:
        problem = _not_applicable(line, context)
        if problem is not None:
            findings[line_key(line)] = problem
        else:
            applicable.append(line)
    single = [line for line in applicable if _needs_single_precision(line)]
    applicable = [line for line in applicable if line not in single]
    targets = {line_key(line): _target(line, context) for line in applicable}
    for target, unit_type in (("cuda", "double"), ("cpu", "double_cpp")):
        parts = lines_with_code([line for line in applicable if targets[line_key(line)] == target], context, target)
        built = context.library(unit_type, (part for _, part in parts))
        check_programs(unit_type, [_recorded_launch(line, part, context) for line, part in parts], built, context)
        for line, part in parts:
            library = built[part.key]
            if part.key not in library.errors:
                doubles.append(Series(line, library, part, context, DOUBLE))
            else:
                single.append(line)
    singles = _in_single_precision(single, findings, context)
    _draw_until_finished(doubles, context)
    _draw_until_finished(singles, context)
    check_single_leaves(_passing(doubles + singles), context)
    check_hidden_elements(doubles, context)
    _confirm([pair_series for pair_series in doubles if pair_series.origin.is_program], context)
    check_recorded_gradients([pair_series for pair_series in _passing(doubles) if pair_series.origin.is_program], context)
    check_program_precision([pair_series for pair_series in _passing(doubles) if not pair_series.has_halves], context)
    confirm_with_other_steps(singles, context)
    confirm_at_rounded_points(doubles, context)
    _locate(doubles, context)
    findings |= {pair_series.key: _differentiated(pair_series) for pair_series in doubles + singles}
    return [findings[line_key(line)] for line in lines]


def _passing(series: Sequence[Series]) -> list[Series]:
    return [pair_series for pair_series in series if pair_series.tally.finding is PASS]


def _differentiated(series: Series) -> Finding:
    """Return the finding on a pair; where only arguments agree that ``wp.Tape`` cannot differentiate, there is none to make."""
    finding = series.tally.finding
    reason = indexed_floats(series.recorded_launch) if finding is PASS and series.origin.is_program else None
    return finding if reason is None else Finding("not_applicable", f"{reason}; those of other arrays agree")


def _target(line: Line, context: BatchContext) -> str:
    """Return the target of the text that is read in double precision.

    It is C++ where the CUDA text has the same statements, except for extracted kernels, whose threads run in several orders.
    """
    part, cpp = context.unit_part(line, "cuda"), context.unit_part(line, "cpu")
    if part is None or part.links_library:
        return "cpu"
    return "cpu" if cpp is not None and cpp.has_grid_entry and not is_extracted(line) else "cuda"


def _recorded_launch(line: Line, part: UnitPart, context: BatchContext) -> Candidate:
    """Return the launch of a pair in double precision."""
    values = context.results(LAUNCHES)[line_key(line)][0].values
    return Candidate.of(line, part, {name: promoted(value) for name, value in values.items()})


def _needs_single_precision(line: Line) -> bool:
    """Return whether a text is known not to compile in double precision; an error would compile all others again."""
    if line.pair is None:
        return False
    return bool(objects(launch_of(line)[0])) or _NOISE.search(line.pair.python_source) is not None


def _in_single_precision(lines: Sequence[Line], findings: dict[LineKey, Finding], context: BatchContext) -> list[Series]:
    """Return the draws of pairs in single precision, from the C++ code that level `execute` compiled."""
    parts = lines_with_code(lines, context, "cpu")
    built = context.library("cpp", (part for _, part in parts))
    series = [Series(line, built[part.key], part, context, SINGLE) for line, part in parts]
    for pair_series in series:
        if not pair_series.moving():
            findings[pair_series.key] = inconclusive(
                "only plain arguments hold floats, and the text cannot be read in double precision"
            )
    return [pair_series for pair_series in series if pair_series.key not in findings]


def _draw_until_finished(series: Sequence[Series], context: BatchContext) -> None:
    """Make the first draws of pairs in one precision, those after `NATURAL` with the shares of the draws before, then one more
    at a time for pairs whose draws did not all agree.
    """
    unfinished, draws = list(series), range(NATURAL)
    while unfinished and draws.start < DRAWS:
        for portion in portions(unfinished, lambda pair_series: COPIES * len(draws) * pair_series.launches[0].nbytes):  # noqa: B023
            _draw(portion, draws, context)
        unfinished = [pair_series for pair_series in unfinished if not pair_series.tally.finished]
        draws = range(draws.stop, max(series[0].precision.first_draws, draws.stop + 1))
    for slow in [pair_series for pair_series in series if pair_series.origin.slow_draws and pair_series.tally.is_slow]:
        slow.tally.restart(slow.origin.slow_draws)
        for draw in range(slow.origin.slow_draws):
            _draw([slow], range(draw, draw + 1), context)


def _draw(series: Sequence[Series], draws: range, context: BatchContext) -> None:
    """Make some draws for each pair."""
    context.arena.clear()
    drawn = [(pair_series, [pair_series.derivative(draw, context.arena) for draw in draws]) for pair_series in series]
    problems = run_passes([derivatives for _, derivatives in drawn], context.launch_seconds)
    for (pair_series, derivatives), problem in zip(drawn, problems, strict=True):
        if problem is not None:
            pair_series.tally.finish(attributed(problem, lambda reason: inconclusive(f"{NEAR_INPUTS}{reason}")))
            continue
        for derivative in derivatives:
            pair_series.tally.add(derivative)


def _confirm(series: Sequence[Series], context: BatchContext) -> None:
    """Confirm the failures of extracted kernels, and check the arrays that they change."""
    for pair_series in series:
        if pair_series.tally.suspects:
            pair_series.tally.finish(confirmed(pair_series, context) or decided(pair_series, context))
        elif _shows_nothing(pair_series.tally.finding):
            pair_series.tally.finish(decided(pair_series, context))
        if pair_series.tally.finding is PASS:
            pair_series.tally.finish(contents_finding(pair_series, context))


def _shows_nothing(finding: Finding) -> bool:
    """Return whether the launches ran, and their differences neither confirm an adjoint nor refute it."""
    return finding.status == "inconclusive" and not finding.reason.startswith((MACHINE, NEAR_INPUTS))


def _locate(series: Sequence[Series], context: BatchContext) -> None:
    """Add to the findings of failures the element at which the gradient is wrong, and keep the failures."""
    failures = [
        (pair_series, Failure(pair_series.kernel, failing, pair_series.shape(failing.launch), pair_series.dtypes))
        for pair_series in series
        if pair_series.tally.finding.status == "fail" and (failing := pair_series.tally.failing) is not None
    ]
    located = locate([failure for _, failure in failures], context.arena, context.launch_seconds)
    for (pair_series, failure), found in zip(failures, located, strict=True):
        context.results(FAILURES)[pair_series.key] = failure
        if found is not None:
            pair_series.tally.finish(fail(pair_series.tally.finding.reason + found.text))


def _not_applicable(line: Line, context: BatchContext) -> Finding | None:
    launches = context.results(LAUNCHES).get(line_key(line))
    if launches is None:
        return skipped("the kernel was not run")
    launch, has_backward = launch_of(line)
    if not has_backward:
        return Finding("not_applicable", "there is no backward pass")
    if is_extracted(line) and (reason := no_gradient(launches[0])) is not None:
        return Finding("not_applicable", reason)
    if launches[0].stopped:
        return inconclusive(launches[0].stopped)
    if is_extracted(line):
        return None
    arguments = [argument for argument in leaves(launch) if has_gradient(argument, launches[0].values)]
    if not any(argument.role != "input" for argument in arguments):
        return Finding("not_applicable", "no output holds floats")
    roles = ("input",) if EXTREMUM.search(line.pair.python_source if line.pair is not None else "") else ("input", "inout")
    if not any(argument.role in roles for argument in arguments):
        return Finding("not_applicable", "no input holds floats")
    return None
