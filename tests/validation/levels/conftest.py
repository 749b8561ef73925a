"""Fixtures for tests of single levels."""

from __future__ import annotations

import pytest

from warpsmith.core.records.jsonl import Line


@pytest.fixture(scope="module")
def plain(lines: list[Line]) -> Line:
    """Return the line of a pair with one helper function and the constant 0.5."""
    return next(line for line in lines if line.raw.count(b"wp.func") == 1 and line.pair and "0.5" in line.pair.python_source)
