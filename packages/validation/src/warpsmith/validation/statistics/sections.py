"""The sections of the statistics, and how lines are measured, merged and summarized.

A measurement consists of plain JSON values, so that workers can send it. Measurements are merged in the order of the lines.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Protocol, TypedDict

from warpsmith.core.records.jsonl import Line
from warpsmith.validation.statistics import builtin_coverage, counts, duplicates, structures, syntax_counts
from warpsmith.validation.statistics.parsed_pair import ParsedPair
from warpsmith.validation.statistics.realism import section as realism
from warpsmith.validation.statistics.resemblance import program_figures as programs
from warpsmith.validation.statistics.stats_types import Statistics


class Section(Protocol):
    """A module that measures one aspect; its state has a type of the module and travels as JSON."""

    def empty(self) -> Any:
        """Return the state before the first pair."""

    def update(self, state: Any, parsed: ParsedPair) -> None:
        """Add one pair to a state."""

    def add(self, total: Any, part: Any) -> None:
        """Add the state of later pairs to a total."""

    def summarize(self, total: Any) -> Any:
        """Return the fields of `stats.json`."""


SECTIONS: dict[str, Section] = {
    "counts": counts,
    "structures": structures,
    "builtins": builtin_coverage,
    "syntax": syntax_counts,
    "alike": duplicates,
    "realism": realism,
    "programs": programs,
}
"""The sections by their keys in `stats.json`, except that `counts` is merged into the top level."""

_LINE_COUNTS = ("lines", "bytes", "broken lines", "unread lines")


class Measurement(TypedDict):
    """Counts of lines, and the state of each section by its key."""

    lines: dict[str, int]
    sections: dict[str, Any]


def measure_lines(lines: Iterable[Line]) -> Measurement:
    """Measure ``lines``."""
    measurement = _empty()
    for line in lines:
        measurement["lines"]["lines"] += 1
        measurement["lines"]["bytes"] += len(line.raw)
        if line.pair is None:
            measurement["lines"]["broken lines"] += 1
            continue
        parsed = ParsedPair(line.pair)
        for name, section in SECTIONS.items():
            section.update(measurement["sections"][name], parsed)
    return measurement


def unread(lines: Iterable[Line]) -> Measurement:
    """Return the measurement of ``lines`` on which a worker died or exceeded its time limit."""
    measurement = _empty()
    for line in lines:
        for name, count in (("lines", 1), ("bytes", len(line.raw)), ("unread lines", 1)):
            measurement["lines"][name] += count
    return measurement


def _empty() -> Measurement:
    return {
        "lines": dict.fromkeys(_LINE_COUNTS, 0),
        "sections": {name: section.empty() for name, section in SECTIONS.items()},
    }


def merge(measurements: Iterable[Measurement]) -> Measurement:
    """Merge measurements in the order of the lines."""
    total = _empty()
    for part in measurements:
        for name in _LINE_COUNTS:
            total["lines"][name] += part["lines"][name]
        for name, section in SECTIONS.items():
            section.add(total["sections"][name], part["sections"][name])
    return total


def summarize(total: Measurement) -> Statistics:
    """Return the content of `stats.json` for a merged measurement."""
    lines = total["lines"]
    counted = counts.summarize(total["sections"]["counts"])
    counted["counts"] = dict(sorted((counted["counts"] | {name: count for name, count in lines.items() if count}).items()))
    return {
        "pairs": counted["counts"].get("pairs", 0),
        "broken_lines": lines["broken lines"],
        "unread_lines": lines["unread lines"],
        "bytes": lines["bytes"],
        "counts": counted["counts"],
        "categories": counted["categories"],
        "sizes": counted["sizes"],
        "features": counted["features"],
        "structures": structures.summarize(total["sections"]["structures"]),
        "builtins": builtin_coverage.summarize(total["sections"]["builtins"]),
        "syntax": syntax_counts.summarize(total["sections"]["syntax"]),
        "alike": duplicates.summarize(total["sections"]["alike"]),
        "realism": realism.summarize(total["sections"]["realism"]),
        "programs": programs.summarize(total["sections"]["programs"]),
    }
