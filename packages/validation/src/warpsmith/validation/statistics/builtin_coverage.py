"""Warp API coverage: builtins called, with which types, and how the number of distinct ones grows with the pairs."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypedDict

from warpsmith.validation.statistics.builtin_uses import Call, calls
from warpsmith.validation.statistics.parsed_pair import ParsedPair
from warpsmith.validation.statistics.stats_types import BuiltinsSummary, GroupCoverage, SaturationStep

PAIRS, CALLS, FIRST = range(3)
"""The entry of a key: pairs that contain it, calls of it, and the number of the first pair that contains it, from 0."""

Table = dict[str, list[int]]
"""Entries by key."""

_LEAST = 15
"""How many of the rarest builtins are listed."""


class State(TypedDict):
    """Pairs, pairs without readable code, and calls by builtin, by builtin and scalar type, and by builtin and types."""

    pairs: int
    unread: int
    builtins: Table
    scalars: Table
    types: Table


def _tables(state: State) -> tuple[Table, Table, Table]:
    return state["builtins"], state["scalars"], state["types"]


def empty() -> State:
    """Return the state before the first pair."""
    return {"pairs": 0, "unread": 0, "builtins": {}, "scalars": {}, "types": {}}


def update(state: State, parsed: ParsedPair) -> None:
    """Count the calls of one pair."""
    number = state["pairs"]
    state["pairs"] += 1
    text = parsed.forward_code
    if text is None:
        state["unread"] += 1
        return
    found = list(calls(text, parsed.called))
    found += [Call("static", ())] * parsed.called["static"]  # evaluated before code is generated
    for table, keys in zip(_tables(state), (_names(found), _with_scalars(found), _with_types(found)), strict=True):
        for key, count in Counter(keys).items():
            entry = table.setdefault(key, [0, 0, number])
            entry[PAIRS] += 1
            entry[CALLS] += count


def _names(found: Iterable[Call]) -> Iterator[str]:
    return (call.builtin for call in found)


def _with_scalars(found: Iterable[Call]) -> Iterator[str]:
    for call in found:
        yield from sorted({f"{call.builtin} {scalar}" for type_ in call.types for scalar in type_.scalars})


def _with_types(found: Iterable[Call]) -> Iterator[str]:
    return (f"{call.builtin}({', '.join(type_.name for type_ in call.types)})" for call in found)


def add(total: State, part: State) -> None:
    """Add the state of later pairs to ``total``."""
    for table, added in zip(_tables(total), _tables(part), strict=True):
        for key, (pairs, count, first) in added.items():
            entry = table.setdefault(key, [0, 0, total["pairs"] + first])
            entry[PAIRS] += pairs
            entry[CALLS] += count
    total["pairs"] += part["pairs"]
    total["unread"] += part["unread"]


def summarize(total: State) -> BuiltinsSummary:
    """Compare the builtins called with all public builtins of Warp."""
    from warpsmith.extraction.warp.registries import visible_builtins  # noqa: PLC0415 - Warp loads slowly; only coverage needs it

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


def _groups(visible: dict[str, str], reached: Table) -> dict[str, GroupCoverage]:
    groups: dict[str, GroupCoverage] = {}
    for name, group in visible.items():
        entry = groups.setdefault(group, {"in_warp": 0, "reached": 0, "missing": []})
        entry["in_warp"] += 1
        entry["reached"] += name in reached
        if name not in reached:
            entry["missing"].append(name)
    return groups


def _counted(entries: Table, field: int) -> dict[str, int]:
    return {name: entry[field] for name, entry in sorted(entries.items(), key=lambda item: (-item[1][field], item[0]))}


def _by_builtin(entries: Table, separator: str) -> dict[str, dict[str, int]]:
    scalars: dict[str, dict[str, int]] = {}
    for key in sorted(entries):
        name, _, scalar = key.partition(separator)
        scalars.setdefault(name, {})[scalar] = entries[key][PAIRS]
    return scalars


def _saturation(total: State, visible: dict[str, str]) -> list[SaturationStep]:
    """Count the distinct keys in the first n pairs, for n = 1, 2, 5, 10, 20, … and all pairs."""
    builtins, scalars, types = (
        sorted(entry[FIRST] for key, entry in table.items() if re.split(r"[ (]", key)[0] in visible) for table in _tables(total)
    )
    steps = [step for step in _steps() if step < total["pairs"]]
    return [
        {
            "pairs": count,
            "builtins": bisect_left(builtins, count),
            "scalars": bisect_left(scalars, count),
            "types": bisect_left(types, count),
        }
        for count in (*steps, total["pairs"])
        if count
    ]


def _steps() -> Iterator[int]:
    for power in range(9):
        yield from (10**power, 2 * 10**power, 5 * 10**power)
