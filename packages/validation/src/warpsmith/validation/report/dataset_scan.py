"""Reads all lines and verdicts of a dataset, as far as a page needs them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TypeAlias

from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.records.ir import TARGETS
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.verdict import STATUSES, Verdict

CHECKED = ("pass", "fail", "inconclusive")
"""The statuses of checks that ran; the time of other verdicts is not counted."""


Position: TypeAlias = tuple[Path, int]
"""The file and number of a line."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The position of a pair, and the fields that decide whether it is shown."""

    identity: str
    category: str
    path: Path
    number: int

    @property
    def position(self) -> Position:
        """The file and the line number."""
        return self.path, self.number


@dataclass(slots=True)
class Scan:
    """All lines of a dataset.

    Attributes:
        entries: every pair, in the order of the files.
        broken: the number of lines that are not pairs.
        bytes: the total size of the lines.
        categories: pairs by category.
        features: pairs by feature.
        sizes: one number per pair: lines of Python, and bytes of C++ and of CUDA code, forward and backward.
    """

    entries: list[Entry] = field(default_factory=list)
    broken: int = 0
    bytes: int = 0
    categories: Counter[str] = field(default_factory=Counter)
    features: Counter[str] = field(default_factory=Counter)
    sizes: dict[str, list[int]] = field(default_factory=lambda: {"python": [], "cpu": [], "cuda": []})

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return len(self.entries)


def scan(dataset: Dataset) -> Scan:
    """Read all lines of a dataset."""
    result = Scan()
    for line in dataset.lines():
        result.bytes += len(line.raw)
        if line.pair is None:
            result.broken += 1
        else:
            _add(result, line, line.pair)
    return result


def _add(result: Scan, line: Line, pair: Pair) -> None:
    result.entries.append(Entry(pair.id, pair.metadata.category, line.path, line.number))
    result.categories[pair.metadata.category] += 1
    result.features.update(set(pair.metadata.features))
    result.sizes["python"].append(pair.python_source.count("\n"))
    for target in TARGETS[pair.metadata.device]:
        result.sizes[target].append(sum(len((text or "").encode()) for text in pair.code(target)))


@dataclass(frozen=True, slots=True)
class LevelCost:
    """The verdicts of one level by status, and the number and milliseconds of the checks that ran."""

    level: str
    statuses: dict[str, int]
    checked: int
    median_ms: float
    total_ms: float

    @property
    def per_second(self) -> float:
        """The number of pairs that one processor checks per second."""
        return 1000 * self.checked / self.total_ms if self.total_ms else 0.0


@dataclass(frozen=True, slots=True)
class Verdicts:
    """All verdicts.

    Attributes:
        by_pair: the verdicts of each pair by its file and line number, in the order of levels.
        costs: the cost of each level, in that order.
        judged: the positions of the pairs that most levels judged.
        failing: the files and line numbers of pairs with a failure or an inconclusive verdict.
    """

    by_pair: dict[Position, list[Verdict]]
    costs: tuple[LevelCost, ...]
    judged: frozenset[Position]
    failing: frozenset[Position]


def scan_verdicts(dataset: Dataset, levels: Sequence[str]) -> Verdicts:
    """Read the verdicts of a dataset; ``levels`` come first, other levels follow in alphabetical order."""
    verdicts = [
        ((shard, number), verdict) for shard in dataset.shards for (number, _), verdict in dataset.read_verdicts(shard).items()
    ]
    rank = {level: position for position, level in enumerate(levels)}
    verdicts.sort(key=lambda item: (rank.get(item[1].level, len(rank)), item[1].level))
    by_level: dict[str, list[Verdict]] = {}
    by_pair: dict[Position, list[Verdict]] = {}
    for position, verdict in verdicts:
        by_level.setdefault(verdict.level, []).append(verdict)
        by_pair.setdefault(position, []).append(verdict)
    failing = frozenset(position for position, verdict in verdicts if verdict.status in {"fail", "inconclusive"})
    highest_count = max(map(len, by_pair.values()), default=0)
    judged = frozenset(position for position, of_pair in by_pair.items() if len(of_pair) == highest_count)
    return Verdicts(by_pair, tuple(_cost(level, of_level) for level, of_level in by_level.items()), judged, failing)


def _cost(level: str, verdicts: list[Verdict]) -> LevelCost:
    counts: Counter[str] = Counter(verdict.status for verdict in verdicts)
    times = [verdict.ms for verdict in verdicts if verdict.status in CHECKED]
    statuses = {status: counts[status] for status in STATUSES}
    return LevelCost(level, statuses, len(times), median(times) if times else 0.0, sum(times))
