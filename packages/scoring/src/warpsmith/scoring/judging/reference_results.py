"""The references of tasks: what they leave in each trial, in single and double precision and over several grids."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from warpsmith.core.errors import WarpsmithError
from warpsmith.scoring.judging.judge_client import NO_LIMIT, ask, text_to_run
from warpsmith.scoring.judging.result_comparison import Reference
from warpsmith.scoring.judging.rounded_launches import DIRECTIONS
from warpsmith.scoring.judging.secret_launches import Fits
from warpsmith.scoring.judging.time_budget import TimeBudget
from warpsmith.scoring.judging.trials import REVERSED, Trial, trials
from warpsmith.scoring.judging.wire import from_trial, to_outputs
from warpsmith.scoring.judging.worker_messages import (
    RUN,
    EncodedTrial,
    Launched,
    Nonsense,
    NonsenseError,
    Rejection,
    Run,
    TextToRun,
)
from warpsmith.scoring.tasks.task import Task
from warpsmith.validation.running.outputs import LaunchOutputs
from warpsmith.validation.sandbox.supervisor import Supervisor

_UNORDERED = re.compile(r"\bwp::(?:atomic_)?(?:min|max|clamp|sign|argmin|argmax)\b")
"""Functions whose result for NaN differs between Warp and CUDA."""


@dataclass(slots=True)
class Judged:
    """The references of a task, or why there are none."""

    references: list[Reference] = field(default_factory=list)
    problem: str = ""


def references_of(
    judge: Supervisor,
    tasks: Mapping[str, Task],
    seed: str,
    budget: TimeBudget = NO_LIMIT,
    fits: Mapping[str, Fits] = MappingProxyType({}),
) -> dict[str, Judged]:
    """Return the references of tasks by id; ``fits`` limits the launches of tasks, see `secret_launches`."""
    launches: dict[str, list[Trial]] = {}
    judged: dict[str, Judged] = {}
    for name, task in tasks.items():
        try:
            launches[name] = trials(task.pair, seed, fits.get(name))
        except (WarpsmithError, ValueError) as error:
            judged[name] = Judged(problem=f"the reference cannot be run: {error}")
    ready = [tasks[name] for name in launches]
    texts, sent = _references_sent(ready, launches)
    for task, answered in zip(ready, ask(judge, RUN, texts, budget, trials=sent), strict=True):
        try:
            judged[task.task_id] = _judged(task, launches[task.task_id], answered)
        except (NonsenseError, ValueError):
            judged[task.task_id] = Judged(problem="the reference cannot be run: the worker answered nonsense")
    return judged


def _references_sent(
    tasks: Sequence[Task], launches: Mapping[str, Sequence[Trial]]
) -> tuple[list[TextToRun], list[EncodedTrial]]:
    """Return the texts of references and their launches, as the worker receives them."""
    texts: list[TextToRun] = []
    sent: list[EncodedTrial] = []
    for task in tasks:
        numbers = range(len(sent), len(sent) + len(launches[task.task_id]))
        sent += [from_trial(trial, _shapes(trial)) for trial in launches[task.task_id]]
        texts.append(text_to_run(task, None, numbers))
    return texts, sent


def _judged(task: Task, launches: Sequence[Trial], answered: Launched | Rejection | Nonsense) -> Judged:
    """Return the references of a task from the worker's answer; launches that stop or are not finite are left out.

    Raises:
        NonsenseError: if it is no answer.
        ValueError: if it has another number of runs.
    """
    if isinstance(answered, Rejection):
        return Judged(problem=f"the reference cannot be run: {answered.reason[:300]}")
    if isinstance(answered, Nonsense):
        raise NonsenseError
    judged, backward = Judged(), task.runs_adjoint
    in_double = answered.exact or [[Run(problem="no text in double precision")]] * len(launches)
    for trial, runs, exact_runs in zip(launches, answered.runs, in_double, strict=True):
        in_order, *other_shapes = (_outputs(run, trial, backward) for run in runs)
        (double,) = (_outputs(run, trial, backward, double=True) for run in exact_runs)
        if in_order is None or (
            trial.name != "own" and _has_nan(in_order) and _UNORDERED.search(task.pair.cuda_ir_forward or "")
        ):
            continue
        by_shape = dict(zip(_shapes(trial)[1:], other_shapes, strict=True))
        judged.references.append(Reference(trial, in_order, by_shape, double, runs[0].outputs or ""))
    recorded = next((reference for reference in judged.references if reference.trial.name == "own"), None)
    if recorded is None or not _is_finite(recorded.outputs):
        return Judged(problem="the reference cannot be run: its own launch stops or is not finite")
    if recorded.is_ordered:  # launches of other sizes, at which several threads write one element, say nothing
        judged.references = [reference for reference in judged.references if reference.is_ordered]
    return judged


def _shapes(trial: Trial) -> list[int]:
    """Return the numbers of the reference's runs: the first in order, others to see what the order and rounding change."""
    return sorted({0, REVERSED, *trial.shapes, *DIRECTIONS})


def _outputs(run: Run, trial: Trial, backward: bool, double: bool = False) -> LaunchOutputs | None:
    return None if run.problem is not None else to_outputs(run.outputs, trial, backward, double)


def _has_nan(outputs: LaunchOutputs) -> bool:
    groups = (outputs.arrays, outputs.rewritten)
    return any(array.dtype.kind == "f" and bool(np.isnan(array).any()) for group in groups for array in group.values())


def _is_finite(outputs: LaunchOutputs) -> bool:
    groups = (outputs.arrays, outputs.gradients, outputs.rewritten)
    return all(bool(np.all(np.isfinite(array))) for group in groups for array in group.values())
