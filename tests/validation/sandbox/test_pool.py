"""Batches are divided by number, by length and by the memory of their launches."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.core.records.launch_size import COPIES, MAX_BYTES
from warpsmith.validation.sandbox.pool import BATCH_BYTES, batches

LARGEST = MAX_BYTES // COPIES // 4 - 256


@pytest.fixture(scope="module")
def plain(lines: list[Line]) -> Line:
    return lines[0]


def with_array(line: Line, argument: Callable[..., Argument], length: int) -> Line:
    """Return a line whose launch has one array of floats."""
    pair = line.checked()
    launch = Launch(dim=(8,), args=(argument("x", "float32", (length,)),))
    return replace(line, pair=replace(pair, metadata=replace(pair.metadata, launch=launch)))


def sizes(lines: list[Line], size: int = 500) -> list[int]:
    found = list(batches(iter(lines), size))
    assert [line for batch in found for line in batch] == lines
    return [len(batch) for batch in found]


def test_batches_have_the_requested_size(plain: Line, argument: Callable[..., Argument]) -> None:
    assert sizes([replace(with_array(plain, argument, 10), raw=plain.raw[:1000])] * 1100) == [500, 500, 100]
    assert sizes([]) == []


def test_batches_of_long_lines_are_smaller(plain: Line) -> None:
    assert sizes([replace(plain, raw=bytes(BATCH_BYTES // 3))] * 7) == [3, 3, 1]


@pytest.mark.parametrize(("length", "expected"), [(LARGEST, [1] * 20), (LARGEST // 4, [4] * 5), (1000, [20])])
def test_batches_of_large_launches_are_smaller(
    plain: Line, argument: Callable[..., Argument], length: int, expected: list[int]
) -> None:
    assert sizes([with_array(plain, argument, length)] * 20) == expected


def test_launches_that_are_refused_do_not_count(plain: Line, argument: Callable[..., Argument]) -> None:
    lines = [with_array(plain, argument, 10**18), replace(plain, pair=None), with_array(plain, argument, LARGEST)]
    assert sizes(lines) == [3]
