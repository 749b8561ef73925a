"""The part of the scorer inside a sandboxed worker that compiles plain CUDA texts, and launches them on the SIMT machine.

The machine runs PTX: no machine code of an answer exists, and a launch reaches no memory but its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import msgspec

from warpsmith.core.errors import single_line
from warpsmith.core.records.jsonl import Line
from warpsmith.scoring.judging.plain.plain_compiling import MACHINE_PTX, PlainKernel, Target, compile_kernels
from warpsmith.scoring.judging.plain.plain_launches import LaunchReport, PlainLaunch, TextReports
from warpsmith.scoring.judging.plain.program_launches import ProgramLaunch
from warpsmith.scoring.judging.time_budget import NO_LIMITS, SPENT, TimeBudget
from warpsmith.scoring.judging.trials import Trial
from warpsmith.scoring.judging.wire import from_outputs, to_trial
from warpsmith.scoring.judging.worker_messages import MACHINE, EncodedTrial, Launched, PlainTextToRun, Rejection, Reply, Run
from warpsmith.scoring.plain.grids import Grid, grid, strided_grid
from warpsmith.scoring.plain.plain_signature import Signature
from warpsmith.scoring.plain.plain_unit import declares_unset
from warpsmith.validation.running.fork_runner import Job, MachineText, run_forked
from warpsmith.validation.running.shared_memory import Arena, portions

UNOPTIMIZED = Target(optimize=False)

TEXTS_AT_ONCE = 16
"""How many texts run before the time of the batch is looked at."""


def run_plain(
    _: Sequence[Line], *, texts: Sequence[object], trials: Sequence[object], limits: tuple[float, float] = NO_LIMITS
) -> Reply:
    """Compile and launch texts.

    Args:
        texts: `PlainTextToRun` as JSON.
        trials: the launches, `EncodedTrial` as JSON.
        limits: how long all launches of one text, and of all texts, may take.

    Returns:
        For each text its rejection or its runs.
    """
    every = [to_trial(trial) for trial in msgspec.convert(trials, list[EncodedTrial])]
    return {"texts": _outcomes(msgspec.convert(texts, list[PlainTextToRun]), every, TimeBudget.starting(*limits))}


def _outcomes(texts: Sequence[PlainTextToRun], trials: Sequence[Trial], budget: TimeBudget) -> list[Launched | Rejection]:
    """Return the answers on texts. Races in arrays count if the reference has none in the same launch."""
    found = _launched(texts, trials, budget)
    unset = _reads_of_unset_variables(texts, found, trials, budget)
    racing = [number for number, outcome in enumerate(found) if isinstance(outcome, _Launched) and outcome.races]
    references = {texts[number].reference: replace(texts[number], text=texts[number].reference) for number in racing}
    raced = dict(zip(references, _launched(list(references.values()), trials, budget), strict=True))
    return [
        outcome.answer(raced.get(text.reference), unset.get(number)) if isinstance(outcome, _Launched) else outcome
        for number, (text, outcome) in enumerate(zip(texts, found, strict=True))
    ]


def _reads_of_unset_variables(
    texts: Sequence[PlainTextToRun], found: Sequence[_Launched | Rejection], trials: Sequence[Trial], budget: TimeBudget
) -> dict[int, LaunchReport]:
    """Return the reports on first launches in which texts without another problem read variables without a value, by number.

    Optimized code shows such reads in arrays only. Texts that declare variables without a value are therefore compiled again
    without optimization.
    """
    clean = (number for number, outcome in enumerate(found) if isinstance(outcome, _Launched) and not outcome.has_problem)
    numbers = [number for number in clean if declares_unset(texts[number].text)]
    first = [replace(texts[number], trials=texts[number].trials[:1]) for number in numbers]
    launched = _launched(first, [replace(trial, shapes=trial.shapes[:1]) for trial in trials], budget, UNOPTIMIZED)
    return {
        number: outcome.reports[0][0]
        for number, outcome in zip(numbers, launched, strict=True)
        if isinstance(outcome, _Launched) and outcome.reports[0][0].reads_unset
    }


@dataclass(frozen=True, slots=True)
class _Launched:
    """What the launches of a text left: a report and the outputs of each, by trial."""

    reports: list[list[LaunchReport]]
    outputs: list[list[str]]

    @property
    def has_problem(self) -> bool:
        """Whether the text fails for anything but races."""
        return any(report.problem and not report.races for reports in self.reports for report in reports)

    @property
    def races(self) -> bool:
        """Whether the text fails for races only."""
        problems = [report for reports in self.reports for report in reports if report.problem]
        return bool(problems) and all(report.races for report in problems)

    def answer(self, reference: _Launched | Rejection | None, unset: LaunchReport | None) -> Launched:
        """Return the runs. A race is a problem unless the reference has one in the same launch.

        Args:
            reference: what the reference left, if the text has races.
            unset: the problem of the first launch without optimization.
        """
        if unset is not None:
            return Launched([[Run(problem=unset.problem) for _ in reports] for reports in self.reports])
        excused = [[False] * len(reports) for reports in self.reports]
        if isinstance(reference, _Launched):
            excused = [[report.races for report in reports] for reports in reference.reports]
        return Launched(
            [
                [
                    Run(problem=report.problem) if report.problem and not excuse else Run(outputs)
                    for report, outputs, excuse in zip(*launches, strict=True)
                ]
                for launches in zip(self.reports, self.outputs, excused, strict=True)
            ]
        )


def _launched(
    texts: Sequence[PlainTextToRun], trials: Sequence[Trial], budget: TimeBudget, target: Target = MACHINE_PTX
) -> list[_Launched | Rejection]:
    kernels = compile_kernels([(text.text, text.signature) for text in texts], target)
    outcomes: dict[int, _Launched | Rejection] = {}
    runnable = []
    for number, kernel in enumerate(kernels):
        if isinstance(kernel, Rejection):
            outcomes[number] = kernel
        else:
            runnable.append((number, kernel))
    sizes = [_launch_bytes([trials[trial] for trial in text.trials]) for text in texts]
    for portion in portions(runnable, lambda item: sizes[item[0]]):
        outcomes |= _run([(number, kernel, texts[number]) for number, kernel in portion], trials, budget)
    return [outcomes[number] for number in range(len(texts))]


def _launch_bytes(trials: Sequence[Trial]) -> int:
    return sum(len(trial.shapes) * sum(value.nbytes for value in trial.values.values()) for trial in trials)


def _run(
    texts: Sequence[tuple[int, PlainKernel, PlainTextToRun]], trials: Sequence[Trial], budget: TimeBudget
) -> Iterator[tuple[int, _Launched | Rejection]]:
    """Yield what the launches of texts leave, by number. Texts run in forks in turn; each is a job."""
    arena = Arena()
    prepared = [(number, _Prepared(kernel, text, trials, arena)) for number, kernel, text in texts]
    try:
        problems = _problems([text.job for _, text in prepared], budget)
    except (OSError, MemoryError) as error:
        problems = [MachineText(f"{type(error).__name__}: {error}")] * len(prepared)
    for (number, text), problem in zip(prepared, problems, strict=True):
        is_of_machine = isinstance(problem, MachineText)
        yield number, Rejection(MACHINE, single_line(str(problem))) if is_of_machine else text.launched(problem or "")


def _problems(jobs: Sequence[Job], budget: TimeBudget) -> list[str | None]:
    """Run texts in turn; the machine's count of steps usually ends a slow one before its time does."""
    problems: list[str | None] = []
    while len(problems) < len(jobs):
        if budget.is_spent:
            return problems + [MachineText(SPENT)] * (len(jobs) - len(problems))
        problems += run_forked(jobs[len(problems) : len(problems) + TEXTS_AT_ONCE], budget.answer)
    return problems


def grid_of(signature: Signature) -> Callable[[tuple[int, ...], int], Grid]:
    """Return the function that returns the grids of a kernel."""
    shaped = strided_grid if signature.strides else grid
    return (lambda dim, number: shaped((math.prod(dim),), number)) if signature.is_flat else shaped


class _Prepared:
    """The launches of a text with their arguments in place."""

    def __init__(self, kernel: PlainKernel, text: PlainTextToRun, trials: Sequence[Trial], arena: Arena) -> None:
        self._trials = [trials[number] for number in text.trials]
        self._reports = TextReports(arena)
        kind = ProgramLaunch if text.signature.is_host else PlainLaunch
        self._launches = [
            [
                kind(kernel, text.signature.parameters, trial.launch, trial.values, shape, arena, grid_of(text.signature))
                for shape in trial.shapes
            ]
            for trial in self._trials
        ]
        self.job = [partial(launch.run, self._reports) for launches in self._launches for launch in launches]

    def launched(self, problem: str) -> _Launched:
        """Return what the launches left; ``problem`` is why the fork ended early."""
        reported = iter(self._reports.read())
        stopped = LaunchReport(problem or "an earlier launch has failed")
        reports = [[next(reported, stopped) for _ in launches] for launches in self._launches]
        outputs = [[from_outputs(launch.outputs()) for launch in launches] for launches in self._launches]
        return _Launched(reports, outputs)
