"""Figures of a bench run: rates of this machine, and ratios within the run, with their spread.

Rates depend on the machine and its load: they are printed, and never stored or compared. Both sides of a ratio are measured in
the same minutes; a smaller ratio is a loss of speed.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

DEVIATIONS = 2.0
"""Standard errors in a spread: a new run is within it 19 times of 20."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A figure of this machine."""

    value: float
    unit: str

    def __str__(self) -> str:
        digits = 2 if self.value < 10 else 1 if self.value < 100 else 0
        return f"{self.value:,.{digits}f} {self.unit}"


@dataclass(frozen=True, slots=True)
class Ratio:
    """Two figures of one run, divided; larger is better.

    Attributes:
        value: the ratio.
        spread: the uncertainty of the value, in both directions; None if the run has a single round.
        unit: what the ratio is a multiple of.
    """

    value: float
    spread: float | None
    unit: str

    def __str__(self) -> str:
        spread = "" if self.spread is None else f" ± {self.spread:.2f}"
        return f"{self.value:.2f}{spread} {self.unit}"


@dataclass(slots=True)
class Figures:
    """The figures of one run, in the order of measurement."""

    rates: dict[str, Rate] = field(default_factory=dict)
    ratios: dict[str, Ratio] = field(default_factory=dict)

    def rate(self, name: str, value: float, unit: str) -> None:
        """Store a figure of this machine."""
        self.rates[name] = Rate(value, unit)

    def ratio(self, name: str, rounds: Sequence[tuple[float, float]], unit: str) -> None:
        """Store the ratio of two figures that were measured together.

        Args:
            name: the name of the ratio in the history.
            rounds: what is divided, and by what, for each round; the rounds are added before the division.
            unit: what the ratio is a multiple of, such as "times one worker".
        """
        self.ratios[name] = Ratio(ratio_of_sums(rounds), spread(rounds), unit)


def ratio_of_sums(rounds: Sequence[tuple[float, float]]) -> float:
    """Return the sum of the first figures over the sum of the second ones."""
    return sum(first for first, _ in rounds) / sum(second for _, second in rounds)


def spread(rounds: Sequence[tuple[float, float]]) -> float | None:
    """Return the jackknife's standard error of `ratio_of_sums`, twice, or None for a single round."""
    count = len(rounds)
    if count < 2:
        return None
    without = [ratio_of_sums([*rounds[:number], *rounds[number + 1 :]]) for number in range(count)]
    mean = sum(without) / count
    return DEVIATIONS * math.sqrt((count - 1) / count * sum((value - mean) ** 2 for value in without))
