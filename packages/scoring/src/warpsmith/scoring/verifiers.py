"""verifiers: an endless taskset whose tasks judge the last reply of a trace. Importing this module needs the extra."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from warpsmith.core.extras import Extra
from warpsmith.scoring.process_scorer import SCORER
from warpsmith.scoring.tasks.any_task import AnyTask
from warpsmith.scoring.tasks.columns import from_texts, to_texts

VERIFIERS = Extra("warpsmith-scoring[verifiers]", "a taskset for verifiers")

vf: Any = VERIFIERS.load("verifiers.v1")


class KernelData(vf.TaskData):  # type: ignore[misc]
    """A task as data of verifiers; ``id`` is the task's id.

    Attributes:
        task: the kind of the task.
        category: the category of the pair.
        entry_point: the name of the function that an answer defines.
        pair: the pair as JSON text. It contains the reference, so no environment may show it to a model.
    """

    task: str
    category: str
    entry_point: str
    pair: str


class KernelTask(vf.Task[KernelData, vf.State, vf.TaskConfig]):  # type: ignore[misc]
    """A task whose reward is the one of `Scorer`."""

    @property
    def key(self) -> str:
        """The task's id, which identifies the task in any order."""
        return str(self.data.id)

    async def reward(self, trace: Any) -> float:
        """Return the reward of the last reply, and record ``passed`` and the reason.

        Raises:
            TaskError: if no judgement was possible, so that the rollout counts as failed.
        """
        task = from_texts({"task_id": self.data.id, **self.data.model_dump(include={"task", "entry_point", "pair"})})
        [score] = await asyncio.to_thread(SCORER.score_all, [(task, trace.last_reply)])
        if not score.is_judged:
            raise vf.TaskError(score.reason)
        trace.record_metric("passed", float(score.passed))
        trace.info["warpsmith"] = {"level": score.level, "reason": score.reason}
        return score.reward

    reward = vf.reward(weight=1.0)(reward)  # as a decorator, it would need types that are absent without the extra


class KernelTaskset(vf.Taskset[KernelTask, vf.TasksetConfig]):  # type: ignore[misc]
    """A taskset of tasks that are made while they are read.

    Args:
        config: the configuration of the taskset.
        tasks: returns the tasks from the first one on; called for each iteration. Pairs from a seed never end.
    """

    INFINITE = True

    def __init__(self, config: Any, tasks: Callable[[], Iterable[AnyTask]]) -> None:
        super().__init__(config)
        self._tasks = tasks

    def load(self) -> Iterator[KernelTask]:
        """Yield the tasks."""
        for task in self._tasks():
            row = to_texts(task)
            yield KernelTask(KernelData(id=row.pop("task_id"), name=task.task_id, **row), self.config.task)
