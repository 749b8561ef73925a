"""What spares the ladder work changes what a verdict costs, never what it says: the same pairs go the long way here.

The short way builds many pairs as one unit, compiles statements that C++ and CUDA share once, and stops the CUDA compiler
behind its front end. The long way takes few pairs at a time, compiles both texts, and has Warp's own NVRTC go on to PTX.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from mutants.judging import LEVELS, mutant_line
from mutants.mutate import FAMILIES, chosen
from plans import core_plan
from warpsmith.core.records.jsonl import Line, encode, read_lines
from warpsmith.core.records.pair import Pair
from warpsmith.synthesis.production.generate_pairs import generate_pairs
from warpsmith.validation.compiling import nvrtc, shared
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.registry import Level, levels_to
from warpsmith.validation.sandbox.worker import check_batch

PAIRS = int(os.environ.get("WARPSMITH_LONG_WAY_PAIRS", "60"))
BROKEN = int(os.environ.get("WARPSMITH_LONG_WAY_BROKEN", "8"))
"""How many pairs are broken, each into two mutants of each family: those of `nox -s mutants`, if 200."""

UNIT, FEW = 100, 10
"""Pairs that are judged at a time, the short way and the long way."""

_LEFT = re.compile(r"the first is \S+ instead")
"""A text that lost a statement may leave what memory held before, another number each time."""

Said = list[tuple[str, int, str, str, str]]

pytestmark = pytest.mark.exhaustive


def judged(lines: Sequence[Line], levels: Sequence[Level], unit: int, folder: Path) -> Said:
    """Every verdict, less what it cost, judged ``unit`` lines at a time."""
    folder.mkdir()
    context, found = BatchContext(folder), []
    for start in range(0, len(lines), unit):
        some = lines[start : start + unit]
        verdicts = list(check_batch(some, levels, context))
        numbers = [line.number for _ in levels for line in some]
        found += [
            (verdict.level, number, str(verdict.id), verdict.status, _LEFT.sub("the first is another instead", verdict.reason))
            for number, verdict in zip(numbers, verdicts, strict=True)
        ]
    context.clear()
    return sorted(found)


def both_ways(lines: Sequence[Line], levels: Sequence[Level], folder: Path, patch: pytest.MonkeyPatch) -> tuple[Said, Said]:
    """The verdicts of the short way and of the long way."""
    short = judged(lines, levels, UNIT, folder / "short")
    patch.setattr(shared, "same_statements", lambda *_: False)
    patch.setattr(nvrtc, "_wheel", lambda: None)
    return short, judged(lines, levels, FEW, folder / "long")


@pytest.mark.parametrize("start", range(0, PAIRS, UNIT))
def test_of_pairs(start: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = core_plan(seed=47)
    made = generate_pairs(plan, [plan.key(index) for index in range(start, min(start + UNIT, PAIRS))])
    file = tmp_path / "pairs.jsonl"
    file.write_bytes(b"".join(map(encode, made)))
    short, long = both_ways(list(read_lines(file)), levels_to("gradient"), tmp_path, monkeypatch)
    assert short == long
    assert len(short) == len(made) * len(levels_to("gradient"))


@cache
def whole() -> list[Pair]:
    """The pairs that `nox -s mutants` breaks."""
    plan = core_plan(seed=77)
    made = generate_pairs(plan, [plan.key(index) for index in range(BROKEN)])
    return [pair for pair in made if isinstance(pair, Pair)]


@pytest.mark.parametrize("start", range(0, BROKEN, 8))
def test_of_broken_ones(start: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = [
        (pair, mutant)
        for turn, pair in enumerate(whole())
        if start <= turn < start + 8
        for family in FAMILIES
        for mutant in chosen(pair, family, 2, turn)
    ]
    lines = [mutant_line(pair, mutant, number) for number, (pair, mutant) in enumerate(broken, start=1)]
    short, long = both_ways(lines, LEVELS, tmp_path, monkeypatch)
    assert short == long
    assert {status for _, _, _, status, _ in short} > {"pass", "fail"}, "nothing was caught"
