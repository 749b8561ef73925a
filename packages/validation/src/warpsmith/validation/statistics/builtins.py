"""The question: how much of Warp do the pairs speak? Which builtins, with which types, and how soon no new ones come."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from warpsmith.validation.statistics.calls import Call, calls
from warpsmith.validation.statistics.reading import Reading

PAIRS, CALLS, FIRST = range(3)
"""What is kept of a key: pairs that hold it, calls of it, and the number of the first pair that holds it, from 0."""

_TABLES = ("builtins", "scalars", "types")
_LEAST = 15


def empty() -> dict[str, Any]:
    """Return the look at no pairs."""
    return {"pairs": 0, "unread": 0, **{table: {} for table in _TABLES}}


def look(state: dict[str, Any], reading: Reading) -> None:
    """Count the calls of one pair."""
    number = state["pairs"]
    state["pairs"] += 1
    text = reading.generated
    if text is None:
        state["unread"] += 1
        return
    found = list(calls(text, reading.called))
    found += [Call("static", ())] * reading.called["static"]  # it is gone before there is text
    for table, keys in zip(_TABLES, (_names(found), _with_scalars(found), _with_types(found)), strict=True):
        for key, count in Counter(keys).items():
            entry = state[table].setdefault(key, [0, 0, number])
            entry[PAIRS] += 1
            entry[CALLS] += count


def _names(found: Iterable[Call]) -> Iterator[str]:
    return (call.builtin for call in found)


def _with_scalars(found: Iterable[Call]) -> Iterator[str]:
    for call in found:
        yield from sorted({f"{call.builtin} {scalar}" for kind in call.types for scalar in kind.scalars})


def _with_types(found: Iterable[Call]) -> Iterator[str]:
    return (f"{call.builtin}({', '.join(kind.name for kind in call.types)})" for call in found)


def add(total: dict[str, Any], part: dict[str, Any]) -> None:
    """Put a look at later pairs behind those of ``total``."""
    for table in _TABLES:
        for key, (pairs, count, first) in part[table].items():
            entry = total[table].setdefault(key, [0, 0, total["pairs"] + first])
            entry[PAIRS] += pairs
            entry[CALLS] += count
    total["pairs"] += part["pairs"]
    total["unread"] += part["unread"]


def summarize(total: dict[str, Any]) -> dict[str, Any]:
    """Hold what was reached against all that Warp shows."""
    from warpsmith.extraction.warp.registry import visible_builtins  # noqa: PLC0415 - as in `calls`

    visible = visible_builtins()
    reached = {name: entry for name, entry in total["builtins"].items() if name in visible}
    rare = sorted(reached, key=lambda name: (reached[name][PAIRS], name))
    return {
        "in_warp": len(visible),
        "reached": len(reached),
        "share": round(len(reached) / max(len(visible), 1), 4),
        "unread_pairs": total["unread"],
        "groups": _groups(visible, reached),
        "least": {name: reached[name][PAIRS] for name in rare[:_LEAST]},
        "calls": _counted(reached, CALLS),
        "pairs": _counted(reached, PAIRS),
        "not_listed_by_warp": _counted(
            {name: entry for name, entry in total["builtins"].items() if name not in visible}, CALLS
        ),
        "scalars": _by_builtin(total["scalars"], " "),
        "types": {
            key: {"pairs": total["types"][key][PAIRS], "calls": total["types"][key][CALLS]} for key in sorted(total["types"])
        },
        "saturation": _saturation(total, visible),
    }


def _groups(visible: dict[str, str], reached: dict[str, Any]) -> dict[str, Any]:
    groups: dict[str, Any] = {}
    for name, group in visible.items():
        entry = groups.setdefault(group, {"in_warp": 0, "reached": 0, "missing": []})
        entry["in_warp"] += 1
        entry["reached"] += name in reached
        if name not in reached:
            entry["missing"].append(name)
    return groups


def _counted(entries: dict[str, Any], what: int) -> dict[str, int]:
    return {name: entry[what] for name, entry in sorted(entries.items(), key=lambda item: (-item[1][what], item[0]))}


def _by_builtin(entries: dict[str, Any], separator: str) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for key in sorted(entries):
        name, _, scalar = key.partition(separator)
        found.setdefault(name, {})[scalar] = entries[key][PAIRS]
    return found


def _saturation(total: dict[str, Any], visible: dict[str, str]) -> list[dict[str, int]]:
    """How many different keys the first n pairs hold, for n = 1, 2, 5, 10, 20, … and all of them."""
    firsts = {
        table: sorted(entry[FIRST] for key, entry in total[table].items() if re.split(r"[ (]", key)[0] in visible)
        for table in _TABLES
    }
    steps = [step for step in _steps() if step < total["pairs"]]
    return [
        {"pairs": count, **{table: sum(first < count for first in firsts[table]) for table in _TABLES}}
        for count in (*steps, total["pairs"])
        if count
    ]


def _steps() -> Iterator[int]:
    for power in range(9):
        yield from (10**power, 2 * 10**power, 5 * 10**power)
