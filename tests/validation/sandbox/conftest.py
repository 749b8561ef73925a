"""Fixtures for tests of sandboxed workers."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from warpsmith.core.records.jsonl import Line

MisbehavingLine = Callable[[str, str], Line]


@pytest.fixture
def time_limit() -> Iterator[None]:
    """End a test after 60 seconds, so that a client that waits without end fails only its own test."""

    def stop(*_: object) -> None:
        raise TimeoutError("the client waited for 60 seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.alarm(60)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def misbehaving_line(lines: list[Line], change_line: Any) -> MisbehavingLine:
    """Return a function that creates a line with an id and with a category that makes its check misbehave."""

    def change(identity: str, behaviour: str) -> Line:
        def damage(record: dict[str, Any]) -> None:
            record["id"] = identity
            record["metadata"].update(seed=None, index=None, category=behaviour)

        line: Line = change_line(lines[0], damage)
        assert line.pair is not None
        return line

    return change
