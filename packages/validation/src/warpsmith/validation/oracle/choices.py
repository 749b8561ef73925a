"""What Warp leaves open: the order of what a query finds, ties of distance, and the signs and order of decompositions.

A launch that uses such a choice is run a second time with other choices. If the results differ, they cannot be compared with
those of Warp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Choices:
    """The choices of a run.

    Attributes:
        other: whether the second choices are taken.
        used: whether there was any choice.
        roughness: the largest share of an array's largest value by which Warp's results may be wrong; zero for rounding only.
    """

    def __init__(self) -> None:
        self.other = False
        self.used = False
        self.roughness = 0.0

    def start(self, *, other: bool = False) -> None:
        """Begin a run."""
        self.other, self.used, self.roughness = other, False, 0.0

    def use(self, roughness: float = 0.0) -> None:
        """Note that a result is open, or rougher than rounding."""
        self.used, self.roughness = True, max(self.roughness, roughness)

    def ordered(self, found: Sequence[T]) -> Sequence[T]:
        """Return the elements in one of their orders."""
        if len(found) > 1:
            self.use()
        return found[::-1] if self.other else found

    def one(self, equal: Sequence[T]) -> T:
        """Return one of several elements that are equally right."""
        return self.ordered(equal)[0]


CHOICES = Choices()
"""The choices of the launch that is interpreted now."""
