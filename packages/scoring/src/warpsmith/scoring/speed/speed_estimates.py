"""Estimates of the speed of right answers in plain CUDA, from counts of the SIMT machine.

A launch of a thousand threads does not fill a device, and one of a million takes the machine too long. The machine therefore
counts two launches of different sizes, and the counts of a million threads follow from the line through both.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from warpsmith.core.records.launch import Launch
from warpsmith.scoring.judging.judge_client import ask
from warpsmith.scoring.judging.speed_messages import COST_PLAIN, Costed
from warpsmith.scoring.judging.time_budget import TimeBudget
from warpsmith.scoring.judging.trials import drawn_trial
from warpsmith.scoring.judging.wire import from_trial, to_outputs
from warpsmith.scoring.judging.worker_messages import EncodedTrial, Nonsense, NonsenseError, PlainTextToRun, Rejection
from warpsmith.scoring.plain.grids import grid
from warpsmith.scoring.plain.reference.translation import translate
from warpsmith.scoring.speed.larger_launch import larger_launch
from warpsmith.scoring.speed.nearly_equal import nearly_equal
from warpsmith.scoring.speed.speed import Cost, Speed
from warpsmith.scoring.tasks.task import Task
from warpsmith.simt.compilers.occupancy_limits import occupancy
from warpsmith.simt.launches.launch_results import Counts
from warpsmith.simt.launches.time_estimate import estimate_time
from warpsmith.validation.sandbox.supervisor import Supervisor

COUNTED = tuple(1024 << number for number in range(8))
"""The threads of the launches that are counted, about: the first two of which there are launches."""

THREADS = 1 << 20
"""The threads of the launch whose counts are estimated, about."""

ARCH = 90
"""The architecture of the device of the estimates, an H100."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """The launches whose costs are counted, and the one whose cost is wanted; they are the pair's own if it has one size."""

    counted: tuple[Launch, ...]
    wanted: Launch

    @staticmethod
    def of(task: Task) -> Sizes:
        """Return the sizes for a task."""
        larger = (larger_launch(task.pair, threads) for threads in COUNTED)
        by_size = {_threads(launch): launch for launch in larger if launch is not None}
        wanted = larger_launch(task.pair, THREADS)
        if len(by_size) < 2 or wanted is None or sorted(by_size)[1] >= _threads(wanted):
            return Sizes((task.launch,), task.launch)
        return Sizes(tuple(by_size[size] for size in sorted(by_size)[:2]), wanted)

    @property
    def distance(self) -> float:
        """How far the wanted launch is from the first counted one, in differences of the two counted ones."""
        if len(self.counted) == 1:
            return 0.0
        small, large, wanted = map(_threads, (*self.counted, self.wanted))
        return (wanted - small) / (large - small)


def _threads(launch: Launch) -> int:
    return math.prod(launch.dim)


@dataclass(frozen=True, slots=True)
class Baseline:
    """The kernels beside which the answers to a task are put.

    Attributes:
        sizes: the launches; those of the pair's own size if its reference does not run at others.
        reference: what the reference of the task costs.
        outputs: what it leaves at the last launch that is counted.
        serial: the cost of the serial kernel, if it could be counted.
    """

    sizes: Sizes
    reference: Cost
    outputs: Mapping[str, Any]
    serial: Cost | None


class SpeedEstimates:
    """Estimates the speed of answers, and keeps the costs of their tasks' references."""

    def __init__(self, supervisor: Supervisor) -> None:
        self._supervisor = supervisor
        self._baselines: dict[str, Baseline | None] = {}

    def speeds(self, items: Sequence[tuple[Task, str]], budget: TimeBudget) -> list[Speed | None]:
        """Return the speeds of right answers; None for an answer whose cost, or that of its reference, cannot be counted.

        An answer whose results at a larger size are not those of the reference has no speed, either.
        """
        self._prepare({task.task_id: task for task, _ in items}, budget)
        known = [(task, text, self._baselines[task.task_id]) for task, text in items]
        counted = [(task, text, found.sizes) for task, text, found in known if found is not None]
        costs = iter(self._costs(counted, budget))
        return [None if found is None else _speed(task, found, next(costs)) for task, _, found in known]

    def _prepare(self, tasks: Mapping[str, Task], budget: TimeBudget) -> None:
        """Count the references of tasks that are not known yet."""
        new = [task for task in tasks.values() if task.task_id not in self._baselines]
        sizes = {task.task_id: Sizes.of(task) for task in new}
        self._count_references(new, sizes, budget)
        again = [task for task in new if self._baselines[task.task_id] is None and len(sizes[task.task_id].counted) > 1]
        recorded = {task.task_id: Sizes((task.launch,), task.launch) for task in again}
        self._count_references(again, recorded, budget)

    def _count_references(self, tasks: Sequence[Task], sizes: Mapping[str, Sizes], budget: TimeBudget) -> None:
        texts = []
        for task in tasks:
            serial = translate(task.pair, task.entry_point, serial=True) or ""
            texts += [(task, text, sizes[task.task_id]) for text in (task.reference, serial)]
        costs = iter(self._costs(texts, budget))
        for task in tasks:
            reference, serial_cost = next(costs), next(costs)
            self._baselines[task.task_id] = _baseline(task, sizes[task.task_id], reference, serial_cost)

    def _costs(self, texts: Sequence[tuple[Task, str, Sizes]], budget: TimeBudget) -> Iterator[Costed | Rejection | Nonsense]:
        sent: list[EncodedTrial] = []
        numbers: dict[str, tuple[int, ...]] = {}
        asked = []
        for task, text, sizes in texts:
            if task.task_id not in numbers:
                numbers[task.task_id] = tuple(range(len(sent), len(sent) + len(sizes.counted)))
                sent += [from_trial(drawn_trial(task.pair, launch), (0,)) for launch in sizes.counted]
            asked.append(PlainTextToRun(text, task.signature, "", numbers[task.task_id]))
        yield from ask(self._supervisor, COST_PLAIN, asked, budget, trials=sent)


def _baseline(
    task: Task, sizes: Sizes, reference: Costed | Rejection | Nonsense, serial: Costed | Rejection | Nonsense
) -> Baseline | None:
    if not isinstance(reference, Costed):
        return None
    cost, outputs = _cost(sizes, reference), _outputs(task, sizes, reference)
    if cost is None or outputs is None:
        return None
    return Baseline(sizes, cost, outputs, _cost(sizes, serial) if isinstance(serial, Costed) else None)


def _speed(task: Task, baseline: Baseline, answer: Costed | Rejection | Nonsense) -> Speed | None:
    if not isinstance(answer, Costed):
        return None
    cost, outputs = _cost(baseline.sizes, answer), _outputs(task, baseline.sizes, answer)
    if cost is None or outputs is None or not all(nearly_equal(outputs[name], baseline.outputs[name]) for name in outputs):
        return None
    return Speed(_threads(baseline.sizes.wanted), cost, baseline.reference, baseline.serial)


def _cost(sizes: Sizes, costed: Costed) -> Cost | None:
    """Return the cost of the launch that is wanted; None for counts of other launches, or if no block can run."""
    if len(costed.counts) != len(sizes.counted):
        return None
    counts = costed.counts[0].extrapolated(costed.counts[-1], sizes.distance)
    shape = grid(sizes.wanted.dim, 0)
    blocks, threads = math.prod(shape.blocks), math.prod(shape.threads)
    time = estimate_time(counts, costed.usage, occupancy(costed.usage, threads, costed.shared, ARCH), blocks, threads, ARCH)
    return None if time is None else _summary(counts, time.microseconds, time.limit)


def _summary(counts: Counts, microseconds: float, limit: str) -> Cost:
    return Cost(
        round(microseconds, 3),
        limit,
        sum(counts.instructions.values()),
        counts.longest_warp,
        counts.global_requests,
        counts.global_sectors,
        counts.shared_passes,
        counts.atomic_conflicts,
        counts.divergent_branches,
    )


def _outputs(task: Task, sizes: Sizes, costed: Costed) -> Mapping[str, Any] | None:
    try:
        return to_outputs(costed.outputs, drawn_trial(task.pair, sizes.counted[-1]), backward=False).arrays
    except NonsenseError:
        return None
