"""Estimates of pass@k: the probability that at least one of k completions of a task passes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

DRAWS = 10_000
"""How often the bootstrap draws as many tasks as there are, with replacement."""

CONFIDENCE = 0.95
"""The probability of the intervals."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The completions of one task: how many there are, and how many of them pass."""

    samples: int
    passed: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """The mean of a figure over tasks, and its bootstrap interval over tasks.

    Attributes:
        value: the mean.
        low: the lower end of the interval; ``high`` is its upper end.
    """

    value: float
    low: float
    high: float


def pass_at_k(tally: Tally, k: int) -> float:
    """Return the unbiased estimate for one task: the share of the subsets of k completions in which at least one passes.

    Args:
        tally: the completions of the task, at least k.
        k: the size of the subsets.

    Raises:
        ValueError: if there are fewer than k completions.

    Examples:
        >>> pass_at_k(Tally(samples=4, passed=1), k=1), pass_at_k(Tally(samples=4, passed=1), k=4)
        (0.25, 1.0)
    """
    if not 1 <= k <= tally.samples:
        raise ValueError(f"pass@{k} needs at least {k} completions, not {tally.samples}")
    failed = tally.samples - tally.passed
    if failed < k:
        return 1.0
    return float(1.0 - np.prod(1.0 - k / np.arange(failed + 1, tally.samples + 1)))


def estimate(tallies: Sequence[Tally], k: int, seed: int = 0) -> Estimate | None:
    """Return the mean of pass@k over tasks with its interval, or None if a task has fewer than k completions.

    Args:
        tallies: one for each task.
        k: the number of completions of which one has to pass.
        seed: the seed of the bootstrap.
    """
    if not tallies or min(tally.samples for tally in tallies) < k:
        return None
    return bootstrap([pass_at_k(tally, k) for tally in tallies], seed)


def bootstrap(values: Sequence[float], seed: int = 0) -> Estimate:
    """Return the mean of ``values``, and the percentile interval of the means of `DRAWS` samples with replacement."""
    counts = Counter(values)  # a sample is determined by how often it contains each distinct value
    distinct = np.array(list(counts), dtype=np.float64)
    shares = np.array(list(counts.values()), dtype=np.float64) / len(values)
    drawn = np.random.default_rng(seed).multinomial(len(values), shares, size=DRAWS)
    tail = (1.0 - CONFIDENCE) / 2.0
    low, high = np.quantile(drawn @ distinct / len(values), (tail, 1.0 - tail))
    return Estimate(float(shares @ distinct), float(low), float(high))
