"""The table of a scored file: pass@k with intervals, by kind of task and category."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from warpsmith.core import terminal
from warpsmith.scoring.results.pass_at_k import Estimate, Tally, estimate, interval

if TYPE_CHECKING:  # these load the sandbox
    from warpsmith.scoring.results.partial_results import StoredResult
    from warpsmith.scoring.scores import Score

ALL = "all"
"""The category of the rows about all categories."""

DEFAULT_K = (1, 10, 100)
"""The values of k that are estimated as far as there are enough completions."""

DEFAULT_P = (0.8, 1.0, 2.0)
"""The values of p for which the share of answers is printed that are more than p times as fast as the reference."""


@dataclass(slots=True)
class TaskResult:
    """The scores of the completions of one task.

    Attributes:
        kind: the kind of the task.
        category: the category of the pair.
        samples: the number of completions; ``passed`` is the number of those that pass.
        reward: the sum of the rewards.
        ratios: the speeds of the completions, 0 for one that does not pass. One that passes without a speed does not count.
    """

    kind: str
    category: str
    samples: int = 0
    passed: int = 0
    reward: float = 0.0
    ratios: list[float] = field(default_factory=list)

    def add(self, result: Score | StoredResult) -> None:
        """Count one completion."""
        self.samples += 1
        self.passed += result.passed
        self.reward += result.reward
        if (speed := result.device_speed or result.speed) is not None or not result.passed:
            self.ratios.append(speed.ratio if speed is not None else 0.0)

    def fast(self, p: float) -> float:
        """Return the share of the completions that pass and are more than ``p`` times as fast as the reference."""
        return sum(ratio > p for ratio in self.ratios) / len(self.ratios)


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table.

    Attributes:
        kind: the kind of the tasks.
        category: their category, or `ALL`.
        tasks: the number of tasks; ``completions`` is the number of completions.
        reward: the mean reward of all completions.
        pass_at_k: the estimates by k; None if a task has fewer than k completions.
        fast_p: the means over tasks of the share of completions that pass and are more than p times as fast as the reference,
            by p, as in KernelBench; None if no completion has a speed.
    """

    kind: str
    category: str
    tasks: int
    completions: int
    reward: float
    pass_at_k: dict[int, Estimate | None]
    fast_p: dict[float, Estimate | None] = field(default_factory=dict)

    def counts(self) -> tuple[str, str, str]:
        """Return the numbers of tasks and completions and the mean reward as texts."""
        return f"{self.tasks:,}", f"{self.completions:,}", f"{self.reward:.3f}"

    def to_dict(self) -> dict[str, Any]:
        """Return the row as JSON values."""
        estimates = {f"pass@{k}": value for k, value in self.pass_at_k.items()}
        estimates |= {f"fast_{p:g}": value for p, value in self.fast_p.items()}
        counts = {"tasks": self.tasks, "completions": self.completions, "reward": self.reward}
        return {"task": self.kind, "category": self.category, **counts, **estimates}


def summarize(results: Iterable[TaskResult], k_values: Sequence[int], p_values: Sequence[float] = ()) -> list[Row]:
    """Return the rows: for each kind of task one about all categories, and one for each category if there are several."""
    by_kind: dict[str, dict[str, list[TaskResult]]] = {}
    for result in results:
        by_kind.setdefault(result.kind, {}).setdefault(result.category, []).append(result)
    return [row for kind, categories in by_kind.items() for row in _rows(kind, categories, k_values, p_values)]


def _rows(
    kind: str, categories: dict[str, list[TaskResult]], k_values: Sequence[int], p_values: Sequence[float]
) -> Iterator[Row]:
    yield _row(kind, ALL, [result for results in categories.values() for result in results], k_values, p_values)
    for category, results in sorted(categories.items()):
        yield _row(kind, category, results, k_values, p_values)


def _row(kind: str, category: str, results: Sequence[TaskResult], k_values: Sequence[int], p_values: Sequence[float]) -> Row:
    completions = sum(result.samples for result in results)
    reward = sum(result.reward for result in results) / completions
    tallies = [Tally(result.samples, result.passed) for result in results]
    timed = [result for result in results if result.ratios] if any(any(result.ratios) for result in results) else []
    fast = {p: interval([result.fast(p) for result in timed]) if timed else None for p in p_values}
    return Row(kind, category, len(results), completions, reward, {k: estimate(tallies, k) for k in k_values}, fast)


def default_k(results: Iterable[TaskResult]) -> tuple[int, ...]:
    """Return the values of `DEFAULT_K` that at least one kind of task has enough completions for."""
    fewest: dict[str, int] = {}
    for result in results:
        fewest[result.kind] = min(result.samples, fewest.get(result.kind, result.samples))
    return tuple(k for k in DEFAULT_K if k <= max(fewest.values(), default=0))


def print_rows(rows: Sequence[Row], k_values: Sequence[int], p_values: Sequence[float] = ()) -> None:
    """Print the table on stdout; estimates are percentages, with the 95% interval in brackets."""
    shares = (*(f"pass@{k} %" for k in k_values), *(f"fast_{p:g} %" for p in p_values))
    columns = ("task", "category", "tasks", "completions", "reward", *shares)
    texts = [
        (row.kind, row.category, *row.counts(), *map(estimate_text, (*row.pass_at_k.values(), *row.fast_p.values())))
        for row in rows
    ]
    terminal.print_table("scores, with 95% intervals", columns, texts)


def estimate_text(value: Estimate | None) -> str:
    """Return an estimate as percentages, with the interval in brackets."""
    return "–" if value is None else f"{100 * value.value:.1f} [{100 * value.low:.1f}, {100 * value.high:.1f}]"
