"""OpenEnv's server and clients play episodes of several turns."""

from __future__ import annotations

import importlib
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from warpsmith.core.errors import WarpsmithError
from warpsmith.scoring.process_scorer import SCORER
from warpsmith.scoring.scores import Score
from warpsmith.scoring.tasks.task import Task

pytestmark = [pytest.mark.training, pytest.mark.filterwarnings("ignore")]


@pytest.fixture
def adapter(library: Any) -> Any:
    library("openenv.core")
    return importlib.import_module("warpsmith.scoring.openenv")


@pytest.fixture
def address(library: Any, adapter: Any, tasks: list[Task]) -> Iterator[str]:
    """Serve the tasks over HTTP, and return the address."""
    uvicorn = library("uvicorn")
    server = uvicorn.Server(uvicorn.Config(adapter.application(tasks, turns=2), port=0, log_level="warning"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.05)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


def test_an_episode_of_two_turns(adapter: Any, address: str, tasks: list[Task], right: list[str]) -> None:
    with adapter.KernelClient(address).sync() as client:
        result = client.reset(task_id=tasks[0].task_id)
        assert (result.observation.prompt, result.reward, result.done) == (tasks[0].prompt, None, False)
        result = client.step(adapter.KernelAction(completion=right[1]))
        assert (result.reward, result.done, result.observation.turns_left) == (0.0, False, 1)
        assert result.observation.report
        result = client.step(adapter.KernelAction(completion=right[0]))
        assert (result.reward, result.done, result.observation.passed, result.observation.report) == (1.0, True, True, "")
        state = client.state()
        assert (state.task_id, state.step_count, state.passed) == (tasks[0].task_id, 2, True)


def test_a_client_without_types(library: Any, adapter: Any, address: str, tasks: list[Task], right: list[str]) -> None:  # noqa: ARG001
    client_of_openenv = library("openenv.core.generic_client").GenericEnvClient
    with client_of_openenv(address).sync() as client:
        first = client.reset(seed=3).observation
        assert client.reset(seed=3).observation == first
        index = [task.task_id for task in tasks].index(first["task_id"])
        result = client.step({"completion": right[index]})
        assert (result.reward, result.done) == (1.0, True)
        assert "pair" not in str(first), "the observation contains no reference"


def test_the_last_answer_ends_an_episode(adapter: Any, tasks: list[Task]) -> None:
    environment = adapter.KernelEnvironment(tasks, turns=1)
    with pytest.raises(WarpsmithError, match="call reset first"):
        environment.step(adapter.KernelAction(completion=""))
    with pytest.raises(WarpsmithError, match="no task 'x'"):
        environment.reset(task_id="x")
    environment.reset(seed=1)
    assert environment.step(adapter.KernelAction(completion="")).done
    with pytest.raises(WarpsmithError, match="the episode is over"):
        environment.step(adapter.KernelAction(completion=""))


@pytest.mark.parametrize("status", ["inconclusive", "unsupported"])
def test_an_answer_that_nobody_can_judge_has_no_reward(
    status: str, adapter: Any, tasks: list[Task], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SCORER, "score_all", lambda _: [Score(0.0, False, "", status, "no memory")])
    environment = adapter.KernelEnvironment(tasks)
    environment.reset()
    observation = environment.step(adapter.KernelAction(completion="x"))
    assert (observation.reward, observation.report, observation.metadata) == (None, "no memory", {"status": status})


def test_an_application_needs_tasks(adapter: Any) -> None:
    with pytest.raises(WarpsmithError, match="needs a task"):
        adapter.application([])
