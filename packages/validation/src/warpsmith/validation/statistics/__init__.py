"""Numbers about a dataset: what its owner checks, how much of Warp it speaks, and how alike its pairs are.

`measure` looks at some lines, `merge` puts such looks together, `summarize` turns them into what `stats.json` holds. Each room
answers one question by the same four functions: ``empty``, ``look``, ``add`` and ``summarize``. Texts are taken apart, never
executed. `notes/statistics.md` says what every figure means.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol

from warpsmith.core.records.jsonl import Line
from warpsmith.validation.statistics import builtins, counts, duplicates, structures, syntax
from warpsmith.validation.statistics.reading import Reading


class _Room(Protocol):
    def empty(self) -> dict[str, Any]: ...
    def look(self, state: dict[str, Any], reading: Reading) -> None: ...
    def add(self, total: dict[str, Any], part: dict[str, Any]) -> None: ...
    def summarize(self, total: dict[str, Any]) -> dict[str, Any]: ...


_ROOMS: dict[str, _Room] = {
    "counts": counts,
    "structures": structures,
    "builtins": builtins,
    "syntax": syntax,
    "alike": duplicates,
}

_LINES = ("lines", "bytes", "broken lines", "unread lines")


def measure(lines: Iterable[Line]) -> dict[str, Any]:
    """Count what there is to count in ``lines``; plain JSON values, so that they can travel."""
    state = _empty()
    for line in lines:
        state["lines"]["lines"] += 1
        state["lines"]["bytes"] += len(line.raw)
        if line.pair is None:
            state["lines"]["broken lines"] += 1
            continue
        reading = Reading(line.pair)
        for name, room in _ROOMS.items():
            room.look(state[name], reading)
    return state


def unread(lines: Iterable[Line]) -> dict[str, Any]:
    """Stand in for what `measure` says of ``lines`` that a process died of, or took too long over."""
    state = _empty()
    for line in lines:
        for name, count in (("lines", 1), ("bytes", len(line.raw)), ("unread lines", 1)):
            state["lines"][name] += count
    return state


def _empty() -> dict[str, Any]:
    return {"lines": dict.fromkeys(_LINES, 0), **{name: room.empty() for name, room in _ROOMS.items()}}


def merge(measured: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Put several looks together, in the order of the lines."""
    total = _empty()
    for part in measured:
        for name in _LINES:
            total["lines"][name] += part["lines"][name]
        for name, room in _ROOMS.items():
            room.add(total[name], part[name])
    return total


def summarize(total: dict[str, Any]) -> dict[str, Any]:
    """Turn merged measurements into `stats.json`."""
    found = {name: room.summarize(total[name]) for name, room in _ROOMS.items()}
    counted = found.pop("counts")
    counted["counts"] = dict(sorted((counted["counts"] | {name: n for name, n in total["lines"].items() if n}).items()))
    return {
        "pairs": counted["counts"].get("pairs", 0),
        "broken_lines": total["lines"]["broken lines"],
        "unread_lines": total["lines"]["unread lines"],
        "bytes": total["lines"]["bytes"],
        **counted,
        **found,
    }
