"""The blame for a worker that stops over a text, and answers that are none."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from warpsmith.scoring.judging.judge_client import ask
from warpsmith.scoring.judging.worker_messages import (
    READ,
    RUN,
    RUN_PLAIN,
    AcceptedText,
    Launched,
    Nonsense,
    Rejection,
    Run,
    WorkerTask,
)
from warpsmith.validation.sandbox.supervisor import Supervisor
from warpsmith.validation.sandbox.worker_tasks import TaskFailed

GOOD, BAD = "good", "bad"


def words(stage: str) -> WorkerTask[str, AcceptedText | Rejection]:
    """Return a task about texts that are words, whose first stage is ``stage``."""
    return WorkerTask("no.module:words", stage, READ.read)


def stopping(over: str, killed: bool, times: int = 1000) -> Supervisor:
    """Return a supervisor whose workers stop the first ``times`` times that they see the text ``over``."""
    left = [times]

    def run_task(_work: str, _lines: list[Any], _seconds: float, texts: list[str]) -> dict[str, Any]:
        if over in texts and left[0] > 0:
            left[0] -= 1
            raise TaskFailed("the worker died", killed)
        return {"texts": [{"text": text} for text in texts]}

    return supervisor(run_task)


def supervisor(run_task: Any) -> Supervisor:
    client = SimpleNamespace(stop=lambda: None)
    return cast(Supervisor, SimpleNamespace(run_task=run_task, require_worker=lambda: None, client=client))


@pytest.mark.parametrize("stage", ["read", "compile"])
def test_a_text_over_which_the_worker_dies_fails_alone(stage: str) -> None:
    first, bad, last = ask(stopping(BAD, killed=False), words(stage), [GOOD, BAD, GOOD])
    assert first == last == AcceptedText("good")
    assert bad == Rejection(stage, "the worker stopped: the worker died")


@pytest.mark.parametrize("stage", ["read", "compile"])
def test_a_text_over_which_workers_are_killed_does_not_fail(stage: str) -> None:
    assert ask(stopping(BAD, killed=True), words(stage), [BAD]) == [Rejection("machine", "the worker stopped: the worker died")]


def test_a_text_over_which_a_worker_is_killed_once_is_tried_again() -> None:
    assert ask(stopping(BAD, killed=True, times=1), words("compile"), [BAD]) == [AcceptedText("bad")]


@pytest.mark.parametrize("texts", [None, {}, "text", [], [{"text": "x"}] * 2, [["text"]], [None]])
def test_a_reply_without_an_answer_for_each_text_fails(texts: object) -> None:
    def run_task(*_: object, **_options: object) -> dict[str, object]:
        return {"texts": texts}

    (answered,) = ask(supervisor(run_task), words("compile"), [GOOD])
    assert answered == Rejection("compile", "the worker stopped: it answered nonsense")


@pytest.mark.parametrize(
    ("task", "answer", "expected"),
    [
        (READ, {"text": "x"}, AcceptedText("x")),
        (READ, {"text": 7, "reason": "r"}, Rejection("read", "r")),
        (READ, {"stage": "unsupported", "reason": "r"}, Rejection("unsupported", "r")),
        (READ, {}, Rejection("read", "None")),
        (RUN_PLAIN, {"runs": [[{"outputs": "eA=="}]]}, Launched([[Run("eA==")]])),
        (RUN, {"runs": [[{"outputs": "eA=="}, {"problem": "p"}]]}, Launched([[Run("eA=="), Run(problem="p")]])),
        (RUN, {"runs": [], "exact": [[{"outputs": "x"}]], "more": 1}, Launched([], [[Run("x")]])),
        (RUN, {"stage": 3, "reason": ["r"]}, Rejection("3", "['r']")),
        (RUN, {"runs": None}, Nonsense()),
        (RUN, {"runs": {"a": 1}}, Nonsense()),
        (RUN, {"runs": ["outputs"]}, Nonsense()),
        (RUN, {"runs": [["problem"]]}, Nonsense()),
        (RUN, {"runs": [[{"outputs": 1}]]}, Nonsense()),
        (RUN, {"runs": [[{"problem": 1}]]}, Nonsense()),
        (RUN, {"runs": [], "exact": 1}, Nonsense()),
    ],
)
def test_answers_are_checked(task: WorkerTask[Any, Any], answer: dict[str, object], expected: object) -> None:
    assert task.read(answer) == expected
