"""Forks of the worker: what they answer, and how one ends that runs too long or stands still."""

from __future__ import annotations

import os
import time

import pytest

from warpsmith.validation.fuzz import case_worker
from warpsmith.validation.fuzz.case_worker import in_fork


def busy(_: int) -> None:
    while True:
        pass


def test_a_fork_answers() -> None:
    assert in_fork(lambda _: {"a": 1}, 5) == ({"a": 1}, "")


def test_a_fork_that_ends_by_itself_says_how() -> None:
    def end(pipe: int) -> None:
        os.write(pipe, b"\nforward")
        os.kill(os.getpid(), 9)

    assert in_fork(end, 5) == (None, "signal 9 in the stage: forward")


def test_a_fork_that_runs_too_long_is_ended() -> None:
    assert in_fork(busy, 1) == (None, "more than 1 seconds of processor time in the stage: ")


def test_a_fork_that_waits_for_nothing_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(case_worker, "STILL_SECONDS", 0.2)
    assert in_fork(lambda _: time.sleep(60.0), 5) == (None, "stands still for 0 seconds in the stage: ")
