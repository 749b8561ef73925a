"""OpenEnv: an environment whose episodes are tasks, and an application that serves it. The import needs the extra."""

from __future__ import annotations

import random
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.extras import Extra
from warpsmith.scoring.process_scorer import SCORER
from warpsmith.scoring.scores import Score
from warpsmith.scoring.tasks.any_task import AnyTask, read_any_tasks

OPENENV = Extra("warpsmith-scoring[openenv]", "an environment for OpenEnv")

core: Any = OPENENV.load("openenv.core")
server: Any = OPENENV.load("openenv.core.env_server")

TURNS = 4
"""How many answers an episode allows by default."""

SESSIONS = 64
"""How many clients an application serves at once by default; their answers are judged one after the other."""


class KernelAction(server.Action):  # type: ignore[misc]
    """An answer.

    Attributes:
        completion: the text that a model wrote, the answer within it.
    """

    completion: str


class KernelObservation(server.Observation):  # type: ignore[misc]
    """What a model sees: the task, and after an answer the report on it.

    ``reward`` is the one of `Scorer`, or None if no judgement was possible; ``done`` is true after a right answer and after the
    last one.

    Attributes:
        task_id: the task.
        prompt: the text of the task.
        report: why the last answer is not right, as a text for the model; empty at the start and for a right answer.
        level: the last of `warpsmith.scoring.STAGES` that the answer passes.
        passed: whether the answer is right.
        turns_left: how many more answers the episode allows.
    """

    task_id: str
    prompt: str
    report: str = ""
    level: str = ""
    passed: bool = False
    turns_left: int = 0


class KernelState(server.State):  # type: ignore[misc]
    """The state of an episode; ``step_count`` is the number of answers.

    Attributes:
        task_id: the task; empty before the first reset.
        passed: whether the last answer is right.
    """

    task_id: str = ""
    passed: bool = False


class KernelEnvironment(server.Environment):  # type: ignore[misc]
    """An environment of one client. References and hidden launches stay in the server.

    Args:
        tasks: the tasks that episodes are drawn from.
        turns: how many answers an episode allows.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, tasks: Sequence[AnyTask], turns: int = TURNS) -> None:
        super().__init__()
        if not tasks:
            raise WarpsmithError("an environment needs a task")
        self._tasks, self._turns = tasks, turns
        self._random = random.Random()  # noqa: S311 - not a secret
        self._task: AnyTask | None = None
        self._state = KernelState()

    def reset(self, seed: int | None = None, episode_id: str | None = None, **options: Any) -> KernelObservation:
        """Start an episode.

        Args:
            seed: draws the task; the same seed draws the same one.
            episode_id: the name of the episode; by default a new one.
            options: ``task_id``, which chooses the task.

        Raises:
            WarpsmithError: if there is no such task.
        """
        self._task = self._named(options["task_id"]) if options.get("task_id") is not None else self._drawn(seed)
        self._state = KernelState(episode_id=episode_id or str(uuid.uuid4()), task_id=self._task.task_id)
        return self._observation(self._task)

    def step(self, action: KernelAction, timeout_s: float | None = None, **_: Any) -> KernelObservation:  # noqa: ARG002
        """Judge an answer. ``timeout_s`` has no effect: answers have the limits of `Scorer`.

        Raises:
            WarpsmithError: if no episode has started, or it is over.
            SandboxError: if the sandbox does not work or is incomplete on this machine.
        """
        if self._task is None:
            raise WarpsmithError("no episode has started: call reset first")
        if self._state.passed or self._state.step_count >= self._turns:
            raise WarpsmithError("the episode is over: call reset")
        [score] = SCORER.score_all([(self._task, action.completion)])
        self._state.step_count += 1
        self._state.passed = score.passed
        return self._observation(self._task, score)

    @property
    def state(self) -> KernelState:
        """The state of the episode."""
        return self._state

    def get_metadata(self) -> Any:
        """Return what the server says about itself."""
        return server.EnvironmentMetadata(
            name="warpsmith", description="GPU kernels to write, judged without a GPU", version="1", author="warpsmith"
        )

    def _named(self, task_id: str) -> AnyTask:
        found = next((task for task in self._tasks if task.task_id == task_id), None)
        if found is None:
            raise WarpsmithError(f"there is no task {task_id!r}")
        return found

    def _drawn(self, seed: int | None) -> AnyTask:
        drawn = self._random if seed is None else random.Random(seed)  # noqa: S311 - not a secret
        return drawn.choice(self._tasks)

    def _observation(self, task: AnyTask, score: Score | None = None) -> KernelObservation:
        left = self._turns - self._state.step_count
        if score is None:
            return KernelObservation(task_id=task.task_id, prompt=task.prompt, turns_left=left)
        return KernelObservation(
            task_id=task.task_id,
            prompt=task.prompt,
            report=_report(score),
            level=score.level,
            passed=score.passed,
            turns_left=0 if score.passed else left,
            reward=score.reward if score.is_judged else None,
            done=score.passed or left == 0,
            metadata={"status": score.status},
        )


def _report(score: Score) -> str:
    """Return what a model needs to repair its answer: the reason, and the inputs of a launch that shows it."""
    example: Mapping[str, Any] = score.counterexample or {}
    shown = {name: example[name] for name in ("dim", "inputs", "gradients") if name in example}
    return f"{score.reason}\nThe launch: {orjson.dumps(shown).decode()}" if "inputs" in shown else score.reason


class KernelClient(core.EnvClient):  # type: ignore[misc]
    """A client with types; OpenEnv's ``GenericEnvClient`` needs nothing of warpsmith.

    Examples:
        with KernelClient("http://localhost:8000").sync() as client:
            result = client.reset(seed=1)
            result = client.step(KernelAction(completion=answer(result.observation.prompt)))
    """

    def _step_payload(self, action: KernelAction) -> dict[str, Any]:
        return {"completion": action.completion}

    def _parse_result(self, payload: dict[str, Any]) -> Any:
        done, reward = bool(payload.get("done")), payload.get("reward")
        observation = KernelObservation(**payload["observation"], done=done, reward=reward)
        return core.client_types.StepResult(observation=observation, reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> KernelState:
        return KernelState(**payload)


def application(tasks: str | Path | Sequence[AnyTask], turns: int = TURNS, sessions: int = SESSIONS) -> Any:
    """Return a FastAPI application that serves the environment, for `uvicorn.run`.

    Args:
        tasks: a tasks file, or tasks.
        turns: how many answers an episode allows.
        sessions: how many clients it serves at once.

    Raises:
        TargetError: if the file cannot be read.
        RecordError: at the first line that is no task.
        WarpsmithError: if there is no task.
    """
    known = list(read_any_tasks(Path(tasks))) if isinstance(tasks, str | Path) else list(tasks)
    KernelEnvironment(known)  # an error about the tasks comes now, not at the first client
    return server.create_fastapi_app(
        lambda: KernelEnvironment(known, turns), KernelAction, KernelObservation, max_concurrent_envs=sessions
    )
