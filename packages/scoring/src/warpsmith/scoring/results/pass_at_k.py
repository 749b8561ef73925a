"""Estimates of pass@k: the probability that at least one of k completions of a task passes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

Z = NormalDist().inv_cdf(0.975)
"""Half of the width of intervals that contain 95% of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The completions of one task: how many there are, and how many of them pass."""

    samples: int
    passed: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """The mean of a figure over tasks, and its 95% interval over tasks.

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


def estimate(tallies: Sequence[Tally], k: int) -> Estimate | None:
    """Return the mean of pass@k over tasks with its interval, or None if a task has fewer than k completions.

    Args:
        tallies: one for each task.
        k: the number of completions of which one has to pass.
    """
    if not tallies or min(tally.samples for tally in tallies) < k:
        return None
    return interval([pass_at_k(tally, k) for tally in tallies])


def interval(values: Sequence[float]) -> Estimate:
    """Return the mean of ``values`` from 0 to 1, one for each task, with the interval of Agresti and Coull.

    The interval is the normal one after half of `Z` squared, about two, of tasks with the value 0 are added, and as many with
    the value 1. It therefore does not shrink to a point where all tasks are alike, and contains the interval of Wilson where
    each value is 0 or 1.
    """
    added = Z * Z / 2.0
    count, numbers = len(values) + 2.0 * added, np.asarray(values)
    middle = float(numbers.sum() + added) / count
    variance = float(((numbers - middle) ** 2).sum() + added * (middle**2 + (1.0 - middle) ** 2)) / count
    half = Z * math.sqrt(variance / count)
    return Estimate(math.fsum(values) / len(values), max(0.0, middle - half), min(1.0, middle + half))
