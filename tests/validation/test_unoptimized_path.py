"""Optimizations change the time of a verdict, never the verdict: this test rechecks the same pairs without optimizations.

The optimized path builds many pairs as one unit, runs C++ texts as programs of compiled statements, uses the statements that
C++ and CUDA share once, and stops the CUDA compiler after its front end. The unoptimized path builds few pairs at a time,
compiles both texts, and lets Warp's own NVRTC generate PTX.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from mutants.checking import LEVELS, mutant_line
from mutants.mutate import FAMILIES, choose_mutants
from plans import core_plan
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.jsonl import Line, read_lines
from warpsmith.core.records.pair import Pair
from warpsmith.synthesis.production.generate_pairs import generate_pairs
from warpsmith.validation.compiling import nvrtc, shared
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.registry import Level, levels_to
from warpsmith.validation.worker.check_worker import check_batch

PAIRS = int(os.environ.get("WARPSMITH_UNOPTIMIZED_PAIRS", "60"))
BROKEN = int(os.environ.get("WARPSMITH_UNOPTIMIZED_BROKEN", "8"))
"""The number of pairs that are broken into two mutants of each family; 200 gives those of `nox -s mutants`."""

UNIT, SMALL_UNIT = 100, 10
"""The number of pairs per unit on the optimized and the unoptimized path."""

_VALUE = re.compile(r"the first is \S+ instead")
"""A text without one of its statements may return uninitialized memory, which differs each time."""

Verdicts = list[tuple[str, int, str, str, str]]

pytestmark = pytest.mark.exhaustive


def check(lines: Sequence[Line], levels: Sequence[Level], unit: int, folder: Path, calls: bool) -> Verdicts:
    """Return every verdict without its time, checking ``unit`` lines at a time."""
    folder.mkdir()
    context, results = BatchContext(folder, calls=calls), []
    for start in range(0, len(lines), unit):
        batch = lines[start : start + unit]
        verdicts = list(check_batch(batch, levels, context))
        numbers = [line.number for _ in levels for line in batch]
        results += [
            (
                verdict.level,
                number,
                str(verdict.id),
                verdict.status,
                _VALUE.sub("the first is another instead", verdict.reason),
            )
            for number, verdict in zip(numbers, verdicts, strict=True)
        ]
    context.clear()
    return sorted(results)


def check_on_both_paths(
    lines: Sequence[Line], levels: Sequence[Level], folder: Path, patch: pytest.MonkeyPatch
) -> tuple[Verdicts, Verdicts]:
    """Return the verdicts of the optimized and of the unoptimized path."""
    optimized = check(lines, levels, UNIT, folder / "optimized", calls=True)
    patch.setattr(shared, "same_statements", lambda *_: False)
    patch.setattr(nvrtc, "_wheel", lambda: None)
    return optimized, check(lines, levels, SMALL_UNIT, folder / "unoptimized", calls=False)


@pytest.mark.parametrize("start", range(0, PAIRS, UNIT))
def test_verdicts_of_pairs_are_the_same(start: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = core_plan(seed=47)
    made = generate_pairs(plan, [plan.key(index) for index in range(start, min(start + UNIT, PAIRS))])
    file = tmp_path / "pairs.jsonl"
    file.write_bytes(b"".join(map(encode, made)))
    optimized, unoptimized = check_on_both_paths(list(read_lines(file)), levels_to("gradient"), tmp_path, monkeypatch)
    assert optimized == unoptimized
    assert len(optimized) == len(made) * len(levels_to("gradient"))


@cache
def intact_pairs() -> list[Pair]:
    """Return the pairs that `nox -s mutants` breaks."""
    plan = core_plan(seed=77)
    made = generate_pairs(plan, [plan.key(index) for index in range(BROKEN)])
    return [pair for pair in made if isinstance(pair, Pair)]


@pytest.mark.parametrize("start", range(0, BROKEN, 8))
def test_verdicts_of_broken_pairs_are_the_same(start: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = [
        (pair, mutant)
        for number_of_pair, pair in enumerate(intact_pairs())
        if start <= number_of_pair < start + 8
        for family in FAMILIES
        for mutant in choose_mutants(pair, family, 2, number_of_pair)
        if mutant.kind != "swapped statements"  # they read variables before these have a value: anything may follow
    ]
    lines = [mutant_line(pair, mutant, number) for number, (pair, mutant) in enumerate(broken, start=1)]
    optimized, unoptimized = check_on_both_paths(lines, LEVELS, tmp_path, monkeypatch)
    assert optimized == unoptimized
    assert {status for _, _, _, status, _ in optimized} > {"pass", "fail"}, "no mutant fails"
