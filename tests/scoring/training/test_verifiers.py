"""verifiers loads an endless taskset, and its tasks score traces."""

from __future__ import annotations

import asyncio
import importlib
import sys
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest

from warpsmith.scoring.process_scorer import SCORER
from warpsmith.scoring.scores import Score
from warpsmith.scoring.tasks.task import Task

pytestmark = [pytest.mark.training, pytest.mark.filterwarnings("ignore")]


@pytest.fixture
def taskset(library: Any, tasks: list[Task]) -> Any:
    """Return a taskset that repeats the tasks with other ids, without an end."""
    vf = library("verifiers.v1")
    adapter = importlib.import_module("warpsmith.scoring.verifiers")

    def endless() -> Iterator[Task]:
        for number in count():
            task = tasks[number % len(tasks)]
            yield Task(f"{task.task_id}/{number}", task.kind, task.prompt, task.pair, task.entry_point)

    return adapter.KernelTaskset(vf.TasksetConfig(), endless)


def trace_of(vf: Any, task: Any, reply: str) -> Any:
    trace = vf.Trace(task=vf.TraceTask(type="KernelTask", data=task.data), agent=vf.AgentInfo(config=vf.AgentConfig()))
    trace.nodes.append(vf.MessageNode(message=vf.UserMessage(content=task.data.prompt)))
    trace.nodes.append(vf.MessageNode(message=vf.AssistantMessage(content=reply), sampled=True))
    return trace


def test_the_taskset_has_no_end(library: Any, taskset: Any, tasks: list[Task]) -> None:
    vf = library("verifiers.v1")
    assert not taskset.bounded
    with pytest.raises(ValueError, match="infinite"):
        taskset.shuffle()
    five = list(taskset.skip(1).take(5))
    assert [task.data.idx for task in five] == [1, 2, 3, 4, 5]
    assert [task.key for task in five] == [f"{tasks[n % 2].task_id}/{n}" for n in range(1, 6)]
    assert five[0].data.prompt == tasks[1].prompt
    wire = vf.WireTaskData.model_validate_json(five[0].data.model_dump_json())
    assert wire.model_dump() == five[0].data.model_dump()


def test_replies_are_scored(library: Any, taskset: Any, right: list[str]) -> None:
    vf = library("verifiers.v1")
    first, second = taskset.take(2)
    for task, reply, expected in ((first, right[0], 1.0), (second, right[1], 1.0), (second, right[0], 0.0)):
        trace = trace_of(vf, task, reply)
        asyncio.run(task.score(trace))
        assert trace.rewards["reward"].value == expected
        assert trace.metrics == {"passed": expected}
        assert bool(trace.info["warpsmith"]["reason"]) == (expected == 0.0)


@pytest.mark.parametrize("status", ["inconclusive", "unsupported"])
def test_an_answer_that_nobody_can_judge_fails_the_rollout(
    status: str, library: Any, taskset: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    vf = library("verifiers.v1")
    monkeypatch.setattr(SCORER, "score_all", lambda _: [Score(0.0, False, "", status, "no memory")])
    [task] = taskset.take(1)
    with pytest.raises(vf.TaskError, match="no memory"):
        asyncio.run(task.score(trace_of(vf, task, "x")))


def test_verifiers_finds_the_taskset_of_the_example(library: Any, root: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    library("verifiers.v1")
    monkeypatch.syspath_prepend(root / "examples")
    monkeypatch.delitem(sys.modules, "verifiers_taskset", raising=False)
    loaders = library("verifiers.v1.utils.loaders")
    assert loaders.taskset_class("verifiers-taskset").__name__ == "FreshKernels"
