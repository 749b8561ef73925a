"""Round numbers, as in handwritten code: factors, divisors, counts, thresholds."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Expr
from warpsmith.synthesis.random_stream import RandomStream

FACTORS = (0.5, 2.0, 0.25, 1.5, 0.1, 3.0, 0.75, 0.2, 4.0, 0.05, 1.2, 0.8, 2.5, 0.3, 0.6)
DIVISORS = (2.0, 4.0, 10.0, 3.0, 5.0, 8.0)
COUNTS = (1, 2, 3, 4, 5, 7, 8, 10, 16)
THRESHOLDS = (0.0, 0.5, 1.0, -0.5, 0.25, 2.0, -1.0, 0.1, 0.75, 1.5, 0.2, -0.25, 3.0, 0.05, 0.8, -2.0, 5.0, 10.0)


def choose_threshold(expr: Expr, rng: RandomStream, first: float = 0.25, last: float = 0.75) -> float:
    """Choose a round number inside the bounds of ``expr``, between two fractions of the way from low to high."""
    spread = min(expr.high, 20.0) - max(expr.low, -20.0)
    low, high = max(expr.low, -20.0) + first * spread, max(expr.low, -20.0) + last * spread
    fitting = [number for number in THRESHOLDS if low <= number <= high]
    return rng.choice(fitting) if fitting else round((low + high) / 2.0, 2)
