"""How many tasks of each kind and category are wanted and taken, and why others are left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from warpsmith.scoring.tasks.program_task import ProgramKind
from warpsmith.scoring.tasks.task_kinds import Kind


@dataclass(slots=True)
class Quota:
    """The most tasks of each kind, and of each kind and category.

    Attributes:
        limit: the most tasks of a kind; None for no limit.
        per_category: the most tasks of a kind and category; None for no limit.

    Examples:
        >>> quota = Quota(limit=2, per_category=1)
        >>> quota.take("python_to_cuda", "math")
        >>> quota.wants("python_to_cuda"), quota.wants("python_to_cuda", "math")
        (True, False)
    """

    limit: int | None = None
    per_category: int | None = None
    _taken: Counter[tuple[str, str | None]] = field(default_factory=Counter)

    def wants(self, kind: str, category: str | None = None) -> bool:
        """Return whether another task of a kind is wanted, of a category or of any."""
        limits = ((None, self.limit), (category, self.per_category if category is not None else None))
        return all(limit is None or self._taken[kind, key] < limit for key, limit in limits)

    def take(self, kind: str, category: str) -> None:
        """Count a task."""
        self._taken.update(((kind, None), (kind, category)))


@dataclass(slots=True)
class LeftOut:
    """Why lines of a dataset, and what is made of them, became no row: their number by kind of task and reason."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, kind: Kind | ProgramKind, reason: str) -> None:
        """Count one."""
        self.counts[kind.name, reason] += 1

    def lines(self) -> Iterator[str]:
        """Yield a remark for each kind and reason."""
        for (kind, reason), count in sorted(self.counts.items()):
            yield f"{kind}: {count:,} {reason} left out"
