"""The question: what do all lines of a dataset and all verdicts beside it say, as far as a page shows it?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from warpsmith.core.datasets.folder import Dataset
from warpsmith.core.records.ir import TARGETS
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.verdict import STATUSES, Verdict

MEASURED = ("pass", "fail", "inconclusive")
"""The statuses of a check that was made: the time of the others is no cost."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a pair stands, and what decides whether it is shown."""

    identity: str
    category: str
    path: Path
    number: int


@dataclass(slots=True)
class Survey:
    """What a walk over all lines finds.

    Attributes:
        entries: every pair, in the order of the files.
        broken: how many lines are no pair.
        bytes: of all lines.
        categories: pairs by category.
        features: pairs by feature.
        sizes: by text, one number a pair: lines of Python, bytes of C++ and of CUDA, forward and backward.
    """

    entries: list[Entry] = field(default_factory=list)
    broken: int = 0
    bytes: int = 0
    categories: Counter[str] = field(default_factory=Counter)
    features: Counter[str] = field(default_factory=Counter)
    sizes: dict[str, list[int]] = field(default_factory=lambda: {"python": [], "cpu": [], "cuda": []})

    @property
    def pairs(self) -> int:
        """How many pairs there are."""
        return len(self.entries)


def survey(dataset: Dataset) -> Survey:
    """Walk over all lines of a dataset."""
    found = Survey()
    for line in dataset.lines():
        found.bytes += len(line.raw)
        if line.pair is None:
            found.broken += 1
        else:
            _take(found, line, line.pair)
    return found


def _take(found: Survey, line: Line, pair: Pair) -> None:
    found.entries.append(Entry(pair.id, pair.metadata.category, line.path, line.number))
    found.categories[pair.metadata.category] += 1
    found.features.update(set(pair.metadata.features))
    found.sizes["python"].append(pair.python_source.count("\n"))
    for target in TARGETS[pair.metadata.device]:
        found.sizes[target].append(sum(len((text or "").encode()) for text in pair.code(target)))


@dataclass(frozen=True, slots=True)
class Cost:
    """What one level found and took: verdicts by status; of checks that were made, their number, and milliseconds."""

    level: str
    statuses: dict[str, int]
    made: int
    median_ms: float
    total_ms: float

    @property
    def per_second(self) -> float:
        """How many pairs one processor checks in a second."""
        return 1000 * self.made / self.total_ms if self.total_ms else 0.0


@dataclass(frozen=True, slots=True)
class Judged:
    """All verdicts.

    Attributes:
        of: a pair's, in the order of levels, by its id.
        costs: by level, in that order.
        troubled: the ids of pairs with a verdict that is a failure or inconclusive.
    """

    of: dict[str, list[Verdict]]
    costs: tuple[Cost, ...]
    troubled: frozenset[str]


def judged(dataset: Dataset, levels: Sequence[str]) -> Judged:
    """Read the verdicts beside a dataset; ``levels`` come first, others in the order of their names."""
    found = [verdict for shard in dataset.shards for verdict in dataset.read_verdicts(shard).values()]
    place = {level: position for position, level in enumerate(levels)}
    found.sort(key=lambda verdict: (place.get(verdict.level, len(place)), verdict.level))
    by_level: dict[str, list[Verdict]] = {}
    by_pair: dict[str, list[Verdict]] = {}
    for verdict in found:
        by_level.setdefault(verdict.level, []).append(verdict)
        by_pair.setdefault(verdict.id, []).append(verdict)
    troubled = frozenset(verdict.id for verdict in found if verdict.status in {"fail", "inconclusive"})
    return Judged(by_pair, tuple(_cost(level, verdicts) for level, verdicts in by_level.items()), troubled)


def _cost(level: str, verdicts: list[Verdict]) -> Cost:
    counts: Counter[str] = Counter(verdict.status for verdict in verdicts)
    times = [verdict.ms for verdict in verdicts if verdict.status in MEASURED]
    statuses = {status: counts[status] for status in STATUSES}
    return Cost(level, statuses, len(times), median(times) if times else 0.0, sum(times))
