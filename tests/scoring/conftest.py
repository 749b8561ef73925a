"""Fixtures of the tests of scoring: samples, the command in this process, a warm scorer, and one that needs no compiler."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

import pytest

from warpsmith.core import Pair, read_pairs
from warpsmith.core.commands import options
from warpsmith.scoring import scorer as scorer_module
from warpsmith.scoring.cli import cli
from warpsmith.scoring.scorer import Scorer
from warpsmith.scoring.speed.device_speeds import DeviceSpeed
from warpsmith.scoring.speed.speed import Cost, Speed
from warpsmith.scoring.tasks.task import Task, make_task
from warpsmith.scoring.tasks.task_kinds import KINDS

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="session")
def all_samples(root: Path) -> list[Pair]:
    return [pair for path in sorted((root / "data" / "samples").glob("pairs-*.jsonl")) for pair in read_pairs(path)]


@pytest.fixture(scope="session")
def samples(all_samples: list[Pair]) -> list[Pair]:
    """Return the samples that have a task of every kind, and a gradient: inputs and outputs are floats."""
    return [pair for pair in all_samples if _has_gradient(pair) and all(make_task(kind, pair) for kind in KINDS)]


def _has_gradient(pair: Pair) -> bool:
    launch = pair.metadata.launch
    floats = [one for one in launch.args if one.kind == "array" and "int" not in one.dtype] if launch else []
    return {"input", "output"} <= {one.role for one in floats}


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Return a function that runs the command in this process and returns its exit code, stdout and stderr."""

    def start(*arguments: Any) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["warpsmith-score", *map(str, arguments)])
        return options.run(cli), *capsys.readouterr()

    return start


@pytest.fixture(scope="session")
def real_scorer() -> Iterator[Scorer]:
    """Return one warm scorer for all tests: workers take seconds to start."""
    with Scorer(seed=7) as one:
        yield one


@pytest.fixture(scope="session")
def scorer_with(real_scorer: Scorer) -> Callable[..., Scorer]:
    """Return a function that makes a scorer with other options, whose workers are those of `real_scorer`; do not close it."""

    def make(**options: Any) -> Scorer:
        workers = [real_scorer._judge, real_scorer._candidates, real_scorer._plain]  # in the order in which it makes them
        with mock.patch.object(scorer_module, "Supervisor", side_effect=workers):
            return Scorer(**options)

    return make


COST = Cost(10.0, "memory", 1000, 100, 10, 40, 0, 0, 0)
FAST = Speed(1024, COST, replace(COST, microseconds=15.0))
"""The speed of an answer that is one and a half times as fast as the reference."""


@dataclass(frozen=True)
class StubScore:
    reward: float
    passed: bool
    level: str
    status: str
    reason: str
    counterexample: dict[str, Any] | None
    speed: Speed | None = None
    device_speed: DeviceSpeed | None = None


class StubScorer:
    """A scorer for which a completion passes that contains the word ``right``; it records how it was called."""

    made: list[dict[str, Any]]
    batches: list[int]
    closed: int

    def __init__(self, **settings: Any) -> None:
        self.made.append(settings)

    def __enter__(self) -> StubScorer:
        return self

    def __exit__(self, *_: object) -> None:
        type(self).closed += 1

    def score_all(self, candidates: Sequence[tuple[Task, str]]) -> list[StubScore]:
        self.batches.append(len(candidates))
        return [self._score(text) for _, text in candidates]

    def _score(self, text: str) -> StubScore:
        if "fast" in text:
            return StubScore(1.0, True, "right", "pass", "", None, FAST)
        if "right" in text:
            return StubScore(1.0, True, "outputs", "pass", "", None)
        if "machine" in text:
            return StubScore(0.0, False, "compile", "inconclusive", "no compiler", None)
        return StubScore(0.2, False, "outputs", "fail", "differs", {"launch": 3, "got": 1.5, "expected": 2.5})


@pytest.fixture
def scorer(monkeypatch: pytest.MonkeyPatch) -> type[StubScorer]:
    """Replace the module of the scorer."""
    module = ModuleType("warpsmith.scoring.scorer")
    fresh = type("Scorer", (StubScorer,), {"made": [], "batches": [], "closed": 0})
    module.__dict__["Scorer"] = fresh
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return fresh
