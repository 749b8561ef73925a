"""Fixtures of the tests with training libraries: imports that skip a test, tasks, and completions of known scores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from warpsmith.core import Pair
from warpsmith.scoring.process_scorer import SCORER
from warpsmith.scoring.tasks.task import Task, make_task

Library = Callable[[str], Any]


@pytest.fixture
def library() -> Library:
    """Return a function that imports a module, or skips the test if it is not installed."""

    def load(name: str) -> Any:
        return pytest.importorskip(name, reason=f"{name} is not installed: run nox -s tests-training", exc_type=ImportError)

    return load


@pytest.fixture(scope="session", autouse=True)
def _close_the_scorer() -> Iterator[None]:
    yield
    SCORER.close()


@pytest.fixture(scope="session")
def tasks(samples: list[Pair]) -> list[Task]:
    """Return the two tasks with the shortest references."""
    made = [task for pair in samples if (task := make_task("python_to_cuda", pair)) is not None]
    return sorted(made, key=lambda task: len(reference(task)))[:2]


def reference(task: Task) -> str:
    return task.pair.cuda_ir_forward or ""


@pytest.fixture(scope="session")
def right(tasks: list[Task]) -> list[str]:
    """Return a right completion of each task."""
    return [f"An answer.\n```cuda\n{reference(task)}\n```\n" for task in tasks]
