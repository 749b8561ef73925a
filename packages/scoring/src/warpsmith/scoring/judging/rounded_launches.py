"""Launches that round up or down, which show how much rounding changes each result of a reference.

The sum of many numbers changes more by that than by another order of summation.
"""

from __future__ import annotations

from collections.abc import Sequence

from warpsmith.validation.running.directed_modes import DIRECTED, in_mode
from warpsmith.validation.running.entry_calls import Call

_FIRST = 5
"""The number of the first shape that stands for a mode of rounding; these launches have the grid of shape 0."""

DIRECTIONS = tuple(range(_FIRST, _FIRST + len(DIRECTED)))
"""The numbers that stand for the modes of rounding of this machine."""


def rounded(calls: Sequence[Call], number: int) -> Sequence[Call]:
    """Return calls in the mode of rounding with a number; other numbers change nothing."""
    return [in_mode(DIRECTED[number - _FIRST], calls)] if number in DIRECTIONS else calls
