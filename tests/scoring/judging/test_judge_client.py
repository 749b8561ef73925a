"""The blame for a worker that stops over a text."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from warpsmith.scoring.judging.judge_client import ask
from warpsmith.scoring.judging.wire import READ, RUN
from warpsmith.validation.sandbox.supervisor import Supervisor
from warpsmith.validation.sandbox.worker_tasks import TaskFailed

GOOD = {"text": "good"}
BAD = {"text": "bad"}


def stopping(over: dict[str, str], killed: bool, times: int = 1000) -> Supervisor:
    """Return a supervisor whose workers stop the first ``times`` times that they see the text ``over``."""
    left = [times]

    def run_task(_work: str, _lines: list[Any], _seconds: float, texts: list[dict[str, str]]) -> dict[str, Any]:
        if over in texts and left[0] > 0:
            left[0] -= 1
            raise TaskFailed("the worker died", killed)
        return {"texts": [{"answer": text["text"]} for text in texts]}

    client = SimpleNamespace(stop=lambda: None)
    return cast(Supervisor, SimpleNamespace(run_task=run_task, require_worker=lambda: None, client=client))


@pytest.mark.parametrize(("work", "stage"), [(READ, "read"), (RUN, "compile")])
def test_a_text_over_which_the_worker_dies_fails_alone(work: str, stage: str) -> None:
    first, bad, last = ask(stopping(BAD, killed=False), work, [GOOD, BAD, GOOD])
    assert first == last == {"answer": "good"}
    assert bad == {"stage": stage, "reason": "the worker stopped: the worker died"}


@pytest.mark.parametrize("work", [READ, RUN])
def test_a_text_over_which_workers_are_killed_does_not_fail(work: str) -> None:
    assert ask(stopping(BAD, killed=True), work, [BAD])[0]["stage"] == "machine"


def test_a_text_over_which_a_worker_is_killed_once_is_tried_again() -> None:
    assert ask(stopping(BAD, killed=True, times=1), RUN, [BAD]) == [{"answer": "bad"}]
