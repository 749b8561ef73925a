"""How much of a wrong answer is right: whether it writes anything, and the share of the elements that are right."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from warpsmith.core.inputs.values import Values
from warpsmith.scoring.judging.result_comparison import Reference, arrays_of, excess_of
from warpsmith.scoring.tasks.task import Task
from warpsmith.validation.running.outputs import LaunchOutputs


@dataclass(frozen=True, slots=True)
class JudgedRun:
    """A run of an answer beside its reference.

    Attributes:
        reference: what the reference leaves.
        outputs: what the answer leaves; None if it leaves exactly the same.
    """

    reference: Reference
    outputs: LaunchOutputs | None

    @property
    def left(self) -> LaunchOutputs:
        """What the answer leaves."""
        return self.reference.outputs if self.outputs is None else self.outputs


def writes_nothing(task: Task, runs: Iterable[JudgedRun]) -> bool:
    """Return whether an answer leaves every array that it should write as it was before the launch."""
    return all(
        np.asarray(array).tobytes() == before[name].tobytes()
        for run in runs
        for group, before in _compared(task, run.reference)
        for name, array in arrays_of(run.left, group).items()
        if name in before
    )


def right_share(task: Task, runs: Iterable[JudgedRun]) -> float:
    """Return the share of right elements over all launches.

    Elements count that the reference changes, and those that only the answer changes, which are wrong. A gradient of zero that
    is right does not count: nearly every adjoint clears the gradients of what it overwrites.
    """
    right = counted = 0
    for run in runs:
        for group, before in _compared(task, run.reference):
            found = arrays_of(run.left, group)
            for name, expected in arrays_of(run.reference.outputs, group).items():
                if name not in before:
                    continue
                is_right = excess_of(found[name], expected, run.reference.limits(group, name)) <= 0.0
                changes = np.asarray(expected) != before[name]
                counts = (changes & (np.asarray(expected) != 0) if group == "gradients" else changes) | ~is_right
                right += int(np.count_nonzero(counts & is_right))
                counted += int(np.count_nonzero(counts))
    return right / counted if counted else 0.0


def _compared(task: Task, reference: Reference) -> list[tuple[str, Mapping[str, Values]]]:
    """Return the fields of `LaunchOutputs` that an answer determines, with their contents before the launch."""
    arrays = [] if task.row.is_adjoint else [("arrays", reference.trial.values)]
    gradients = [("gradients", reference.trial.gradients)] if task.runs_adjoint else []
    return [*arrays, *gradients]
