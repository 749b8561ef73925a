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
from warpsmith.validation.levels.derivatives.program_precision import check_program_precision
from warpsmith.validation.levels.derivatives.series import DIRECTIONS, EXTREMUM, Series
from warpsmith.validation.levels.derivatives.single_leaves import check_single_leaves
from warpsmith.validation.levels.derivatives.single_series import AGREEING, SingleSeries, judge_suspects
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
        check_programs(unit_type, [_recorded_launch(line, part, context) for line, part in parts], built, context)
        for line, part in parts:
            library = built[part.key]
            if part.key not in library.errors:
                series.append((ExtractedSeries if is_extracted(line) else Series)(line, library, part, context))
            else:
                single.append(line)
    singles = _in_single_precision(single, findings, context)
    _draw_until_finished(series, context, DIRECTIONS)
    _draw_until_finished(singles, context, AGREEING)
    check_single_leaves([pair_series for pair_series in series + singles if pair_series.finding is PASS], context)
    _judge_extracted(series, context)
    series += singles
    check_program_precision(
        [
            pair_series
            for pair_series in series
            if pair_series.finding is PASS and not isinstance(pair_series, SingleSeries) and not pair_series.has_halves
        ],
        context,
    )
    judge_suspects(singles, context)
    for pair_series in singles:
        if isinstance(pair_series, ExtractedSingleSeries):
            pair_series.finish_unconfirmed()
    _locate(
        [pair_series for pair_series in series if pair_series.finding.status == "fail" and pair_series.failing is not None],
        context,
    )
    findings |= {pair_series.key: pair_series.finding for pair_series in series}
    return [findings[line_key(line)] for line in lines]


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


def _in_single_precision(lines: Sequence[Line], findings: dict[LineKey, Finding], context: BatchContext) -> list[SingleSeries]:
    """Return the draws of pairs in single precision, from the C++ code that level `execute` compiled."""
    parts = lines_with_code(lines, context, "cpu")
    built = context.library("cpp", (part for _, part in parts))
    series = [
        (ExtractedSingleSeries if is_extracted(line) else SingleSeries)(line, built[part.key], part, context)
        for line, part in parts
    ]
    for pair_series in series:
        if not pair_series.moving():
            findings[pair_series.key] = inconclusive(
                "only plain arguments hold floats, and the text cannot be read in double precision"
            )
    return [pair_series for pair_series in series if pair_series.key not in findings]


def _draw_until_finished(series: Sequence[Series], context: BatchContext, first: int) -> None:
    """Make ``first`` draws for every pair, the later ones with the shares of the first ones, then one more at a time for pairs
    whose draws did not all agree.
    """
    unfinished, draws = list(series), range(min(first, NATURAL))
    while unfinished and draws.start < DRAWS:
        for portion in portions(unfinished, lambda pair_series: COPIES * len(draws) * pair_series.launches[0].nbytes):  # noqa: B023
            _draw(portion, draws, context)
        unfinished = [pair_series for pair_series in unfinished if not pair_series.finished]
        draws = range(draws.stop, max(first, draws.stop + 1))
    for slow in [pair_series for pair_series in series if isinstance(pair_series, _EXTRACTED) and pair_series.is_slow]:
        slow.begin_again()
        for draw in range(SLOW_DRAWS):
            _draw([slow], range(draw, draw + 1), context)


def _draw(series: Sequence[Series], draws: range, context: BatchContext) -> None:
    """Make some draws for each pair."""
    context.arena.clear()
    drawn = [(pair_series, [pair_series.derivative(draw, context.arena) for draw in draws]) for pair_series in series]
    problems = run_passes([derivatives for _, derivatives in drawn], context.launch_seconds)
    for (pair_series, derivatives), problem in zip(drawn, problems, strict=True):
        if problem is not None:
            pair_series.finish(attributed(problem, lambda reason: inconclusive(f"near its inputs {reason}")))
            continue
        for derivative in derivatives:
            pair_series.add(derivative)


def _judge_extracted(series: Sequence[Series], context: BatchContext) -> None:
    """Confirm the failures of extracted kernels, and check the arrays that they change."""
    for pair_series in series:
        if isinstance(pair_series, ExtractedSeries) and pair_series.suspect is not None:
            pair_series.finish(confirmed(pair_series, context))
        elif isinstance(pair_series, ExtractedSeries) and pair_series.finding is PASS:
            pair_series.finish(contents_finding(pair_series, context))


def _locate(series: Sequence[Series], context: BatchContext) -> None:
    """Add to the findings of failures the element at which the gradient is wrong, and keep the failures."""
    failures = [
        Failure(pair_series.kernel, pair_series.failing, pair_series.shape(pair_series.failing.launch), pair_series.dtypes)
        for pair_series in series
        if pair_series.failing
    ]
    for pair_series, failure, found in zip(
        series, failures, locate(failures, context.arena, context.launch_seconds), strict=True
    ):
        context.results(FAILURES)[pair_series.key] = failure
        if found is not None:
            pair_series.finding = fail(pair_series.finding.reason + found.text)


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
