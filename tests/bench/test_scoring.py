"""The speed of the scorer on one core: single completions, batches, and a new process for each completion."""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from bench.figures import Figures
from warpsmith.core.records.encoding import encode
from warpsmith.scoring import Scorer, Task
from warpsmith.scoring.task_making import tasks_of
from warpsmith.scoring.tasks.task_kinds import KINDS
from warpsmith.synthesis import pairs

TASKS, ANSWERS = 32, 8
"""The number of tasks of each kind, and of different answers to each of them in one batch."""

SINGLE, PROCESSES = 8, 3

NEW_PROCESS = """
import sys
from warpsmith.core.records.jsonl import decode
from warpsmith.scoring import score
from warpsmith.scoring.tasks.task import Task
import orjson
row = orjson.loads(sys.stdin.buffer.read())
(one,) = score(Task.from_row(row["task"]), [row["completion"]])
sys.exit(not one.passed)
"""


@pytest.fixture(autouse=True)
def one_core() -> Iterator[None]:
    """Run this process and those that it starts on one core."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    yield
    os.sched_setaffinity(0, before)


def answer(task: Task, number: int) -> str:
    """Return the reference with other names of its variables, another text for each number."""
    text = task.reference
    if task.language == "python":
        return f"{text}\n# {number}\n"
    return re.sub(r"\bvar_(\d+)\b", rf"t{number}_\1", text)


def seconds_alone(task: Task, completion: str) -> float:
    begin = time.perf_counter()
    message = encode({"task": task.to_row(), "completion": completion})
    subprocess.run([sys.executable, "-c", NEW_PROCESS], input=message, check=True)
    return time.perf_counter() - begin


@pytest.mark.parametrize("kind", [*KINDS, "all kinds"])
def test_scoring(benchmark: Any, figures: Figures, kind: str) -> None:
    kinds = [kind] if kind in KINDS else list(KINDS)
    tasks = list(islice(tasks_of(pairs(4711, device="both"), kinds), TASKS + SINGLE + 1))
    items = [(task, answer(task, number)) for task in tasks[:TASKS] for number in range(ANSWERS)]

    def measure() -> tuple[float, float, float]:
        with Scorer(seed=1) as scorer:
            scorer.score(tasks[-1], [answer(tasks[-1], 0)])
            singles = []
            for task in tasks[TASKS:-1]:
                begin = time.perf_counter()
                scorer.score(task, [answer(task, 0)])
                singles.append(time.perf_counter() - begin)
            begin = time.perf_counter()
            scores = scorer.score_all(items)
            batch = (time.perf_counter() - begin) / len(items)
        assert all(score.passed for score in scores), next(score.reason for score in scores if not score.passed)
        return statistics.median(singles), batch, min(seconds_alone(*items[number]) for number in range(PROCESSES))

    single, batch, alone = benchmark.pedantic(measure, rounds=1)
    figures.rate(f"{kind}: a completion in a warm scorer, one core", single * 1000.0, "ms")
    figures.rate(f"{kind}: completions in batches of {len(items)}, one core", 1.0 / batch, "/s")
    unit = "times a new process for each completion"
    figures.ratio(f"{kind}: a new process for each completion over a warm scorer", [(alone, single)], unit)
    figures.ratio(f"{kind}: a new process for each completion over batches", [(alone, batch)], unit)
