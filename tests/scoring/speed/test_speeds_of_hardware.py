"""Estimated speeds against those that `run --gpu` measured on an H200, for right answers of the corpus at their largest size.

The times are the medians of twenty launches with cold caches. ``serial`` and ``reference`` are the two kernels of a task.
"""

from __future__ import annotations

import json
import math
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from scoring.corpus import answers, pair_of
from warpsmith.scoring.plain.reference.translation import translate
from warpsmith.scoring.scorer import Scorer
from warpsmith.scoring.tasks.task import Task, make_task

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux"),
    pytest.mark.exhaustive,
]

DIFFERENT = 1.2
"""The factor from which on two times are different: what the estimate cannot know."""


LARGE = 10_000
"""The threads of a launch whose time is more than that of starting it."""


class Measured(NamedTuple):
    """The times of one answer."""

    threads: int
    microseconds: float
    reference_microseconds: float

    @property
    def ratio(self) -> float:
        return self.reference_microseconds / self.microseconds


@cache
def record() -> dict[str, Measured]:
    content = json.loads((Path(__file__).parent / "h200_speeds.json").read_text())
    return {name: Measured(*times) for name, times in content["answers"].items()}


def completions() -> dict[str, tuple[Task, str]]:
    found = {str(answer): answer.completion for answer in answers()}
    chosen = {}
    for name in record():
        folder, kind = name.split("/")
        task = make_task("python_to_plain_cuda", pair_of(folder))
        assert task is not None
        texts = {"serial": lambda task=task: translate(task.pair, task.entry_point, serial=True), "reference": lambda: None}
        if kind == "reference":
            continue
        chosen[name] = task, f"```cuda\n{texts[kind]()}\n```" if kind in texts else found[name]
    return chosen


def test_three_of_four_different_speeds_are_ordered() -> None:
    items = completions()
    with Scorer(seed=3, speed=True) as scorer:
        scores = dict(zip(items, scorer.score_all(list(items.values())), strict=True))
    estimated = {name: score.speed.ratio for name, score in scores.items() if score.speed is not None}
    assert len(estimated) > 0.95 * len(items)
    large = [name for name in estimated if record()[name].threads > LARGE]
    different = [name for name in large if abs(math.log(record()[name].ratio)) > math.log(DIFFERENT)]
    assert len(different) >= 35
    wrong = [name for name in different if (estimated[name] > 1.0) != (record()[name].ratio > 1.0)]
    assert len(wrong) <= len(different) / 4, {name: (estimated[name], record()[name].ratio) for name in wrong}
    serial = {name: (estimated[name], record()[name].ratio) for name in large if name.endswith("/serial")}
    assert len(serial) >= 7
    assert max(map(max, serial.values())) < 0.03, serial
