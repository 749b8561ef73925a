"""Level `gradient`: the adjoint is the derivative, compared with central differences.

The generated text is compiled once more with ``float32`` read as ``float64``; see `single_series` for texts where that is
impossible. One run of the adjoint gives the gradient, and runs of the forward pass at points around the inputs give derivatives
along random directions. Where the differences with a step and with half that step, or to both sides, do not agree, the function
has a corner or a jump there, and another point and direction are drawn.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from warpsmith.core.inputs.values import leaves, objects
from warpsmith.core.records.jsonl import Line
from warpsmith.validation.compiling.part import UnitPart
from warpsmith.validation.levels.common import is_extracted, launch_of, lines_with_code
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.cross_check import Candidate, check_programs
from warpsmith.validation.levels.derivatives.balance import NATURAL
from warpsmith.validation.levels.derivatives.confirmation import confirmed, contents_finding
from warpsmith.validation.levels.derivatives.derivative import COPIES, has_gradient
from warpsmith.validation.levels.derivatives.extracted_series import SLOW_DRAWS, ExtractedSeries, no_gradient
from warpsmith.validation.levels.derivatives.extracted_single import ExtractedSingleSeries
from warpsmith.validation.levels.derivatives.launch_passes import run_passes
from warpsmith.validation.levels.derivatives.location import locate
from warpsmith.validation.levels.derivatives.probe import FAILURES, Failure
from warpsmith.validation.levels.derivatives.program_precision import check_own_precision
from warpsmith.validation.levels.derivatives.series import DIRECTIONS, EXTREMUM, Series
from warpsmith.validation.levels.derivatives.single_leaves import check_single_leaves
from warpsmith.validation.levels.derivatives.single_series import AGREEING, SingleSeries, judge_suspects
from warpsmith.validation.levels.finding import PASS, Finding, blamed, fail, inconclusive, skipped
from warpsmith.validation.levels.level_results import LAUNCHES, LineKey, line_key
from warpsmith.validation.levels.registry import Level
from warpsmith.validation.running.shared_arguments import promoted
from warpsmith.validation.running.shared_memory import portions

LEVEL = Level(
    name="gradient",
    seconds=60.0,
    order=70,
    needs=("regenerate", "execute"),
    whole_batch=True,
    compiles=True,
    summary="the adjoint agrees with central differences",
)

_NOISE = re.compile(r"\bwp\.p?noise\(|\bwp\.curlnoise\(")
"""Functions that are written for single precision."""

_EXTRACTED = (ExtractedSeries, ExtractedSingleSeries)

DRAWS = 14
"""How many points and directions are drawn at most to find them."""


def check(lines: Sequence[Line], context: BatchContext) -> list[Finding]:
    """Compare every pair's adjoint with central differences."""
    findings: dict[LineKey, Finding] = {}
    series: list[Series] = []
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
        check_programs(unit_type, [_own_launch(line, part, context) for line, part in parts], built, context)
        for line, part in parts:
            library = built[part.key]
            if part.key not in library.errors:
                series.append((ExtractedSeries if is_extracted(line) else Series)(line, library, part, context))
            else:
                single.append(line)
    singles = _in_single_precision(single, findings, context)
    _draw_until_settled(series, context, DIRECTIONS)
    _draw_until_settled(singles, context, AGREEING)
    check_single_leaves([one for one in series + singles if one.finding is PASS], context)
    _judge_extracted(series, context)
    series += singles
    check_own_precision(
        [one for one in series if one.finding is PASS and not isinstance(one, SingleSeries) and not one.has_halves], context
    )
    judge_suspects(singles, context)
    for one in singles:
        if isinstance(one, ExtractedSingleSeries):
            one.settle_for_good()
    _locate([one for one in series if one.finding.status == "fail" and one.failing is not None], context)
    findings |= {one.key: one.finding for one in series}
    return [findings[line_key(line)] for line in lines]


def _target(line: Line, context: BatchContext) -> str:
    """Return the target of the text that is read in double precision.

    It is C++ where the CUDA text has the same statements, except for extracted kernels, whose threads run in several orders.
    """
    part, cpp = context.unit_part(line, "cuda"), context.unit_part(line, "cpu")
    if part is None or part.links_library:
        return "cpu"
    return "cpu" if cpp is not None and cpp.has_grid_entry and not is_extracted(line) else "cuda"


def _own_launch(line: Line, part: UnitPart, context: BatchContext) -> Candidate:
    """Return the own launch of a pair in double precision."""
    values = context.results(LAUNCHES)[line_key(line)][0].values
    return Candidate.of(line, part, {name: promoted(value) for name, value in values.items()})


def _needs_single_precision(line: Line) -> bool:
    """Return whether a text is known not to compile in double precision; an error would compile all others again."""
    if line.pair is None:
        return False
    return bool(objects(launch_of(line)[0])) or _NOISE.search(line.pair.python_source) is not None


def _in_single_precision(lines: Sequence[Line], findings: dict[LineKey, Finding], context: BatchContext) -> list[SingleSeries]:
    """Return the draws of pairs in single precision, from the C++ code that level `execute` compiled."""
    parts = lines_with_code(lines, context, "cpu")
    built = context.library("cpp", (part for _, part in parts))
    series = [
        (ExtractedSingleSeries if is_extracted(line) else SingleSeries)(line, built[part.key], part, context)
        for line, part in parts
    ]
    for one in series:
        if not one.moving():
            findings[one.key] = inconclusive(
                "only plain arguments hold floats, and the text cannot be read in double precision"
            )
    return [one for one in series if one.key not in findings]


def _draw_until_settled(series: Sequence[Series], context: BatchContext, first: int) -> None:
    """Make ``first`` draws for every pair, the later ones with the shares of the first ones, then one more at a time for pairs
    whose draws did not all agree.
    """
    unsettled, draws = list(series), range(min(first, NATURAL))
    while unsettled and draws.start < DRAWS:
        for portion in portions(unsettled, lambda one: COPIES * len(draws) * one.launches[0].nbytes):  # noqa: B023
            _draw(portion, draws, context)
        unsettled = [one for one in unsettled if not one.settled]
        draws = range(draws.stop, max(first, draws.stop + 1))
    for slow in [one for one in series if isinstance(one, _EXTRACTED) and one.is_slow]:
        slow.begin_again()
        for draw in range(SLOW_DRAWS):
            _draw([slow], range(draw, draw + 1), context)


def _draw(series: Sequence[Series], draws: range, context: BatchContext) -> None:
    """Make some draws for each pair."""
    context.arena.clear()
    drawn = [(one, [one.derivative(draw, context.arena) for draw in draws]) for one in series]
    problems = run_passes([derivatives for _, derivatives in drawn], context.launch_seconds)
    for (one, derivatives), problem in zip(drawn, problems, strict=True):
        if problem is not None:
            one.settle(blamed(problem, lambda reason: inconclusive(f"near its inputs {reason}")))
            continue
        for derivative in derivatives:
            one.add(derivative)


def _judge_extracted(series: Sequence[Series], context: BatchContext) -> None:
    """Confirm the failures of extracted kernels, and check the arrays that they change."""
    for one in series:
        if isinstance(one, ExtractedSeries) and one.suspect is not None:
            one.settle(confirmed(one, context))
        elif isinstance(one, ExtractedSeries) and one.finding is PASS:
            one.settle(contents_finding(one, context))


def _locate(series: Sequence[Series], context: BatchContext) -> None:
    """Add to the findings of failures the element at which the gradient is wrong, and keep the failures."""
    failures = [Failure(one.kernel, one.failing, one.shape(one.failing.launch), one.dtypes) for one in series if one.failing]
    for one, failure, found in zip(series, failures, locate(failures, context.arena, context.launch_seconds), strict=True):
        context.results(FAILURES)[one.key] = failure
        if found is not None:
            one.finding = fail(one.finding.reason + found.text)


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
