"""Reads `stats.json`, which other programs or people may have written: its types and numbers are checked."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import msgspec
import orjson

from warpsmith.validation.statistics.stats_types import Statistics

MAX_BYTES = 256 << 20
"""The largest file that is read; the statistics of 30,000 pairs have some 200 KB."""

MAX_STEPS = 1000
"""The largest number of steps of the saturation curve."""


def read_statistics(path: Path) -> Statistics | None:
    """Return the content of ``path``, or None if it is not a regular file with statistics."""
    try:
        if not path.is_file() or path.stat().st_size > MAX_BYTES:
            return None
        content = orjson.loads(path.read_bytes())  # turns numbers beyond 64 bits into floats, which are no counts
        msgspec.convert(content, Statistics)
    except (OSError, orjson.JSONDecodeError, msgspec.ValidationError, RecursionError):
        return None
    return cast(Statistics, content) if "shards" in content and _is_plausible(content) else None


def _is_plausible(content: Statistics) -> bool:
    """Return whether the figures that are drawn can be drawn."""
    steps = [step["pairs"] for step in content["builtins"]["saturation"]]
    increasing = all(left < right for left, right in pairwise(steps))
    depths = content["syntax"]["nesting"]
    return (
        len(steps) <= MAX_STEPS
        and increasing
        and all(step >= 1 for step in steps)
        and all(depth.isdecimal() and len(depth) < 10 for depth in depths)
        and not _has_negative(content)
    )


def _has_negative(value: Any) -> bool:
    """Return whether a count or share within ``value`` is negative."""
    match value:
        case dict():
            return any(map(_has_negative, value.values()))
        case list():
            return any(map(_has_negative, value))
        case int() | float():
            return value < 0
    return False
