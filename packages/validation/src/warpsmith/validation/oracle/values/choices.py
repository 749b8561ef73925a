"""What Warp leaves open: the order of what a query finds, ties of distance, and the signs and order of decompositions.

A launch that uses such a choice is run a second time with other choices. If the results differ, they cannot be compared with
those of Warp. The last bits of functions of the C library are open, too; `last_bits` varies them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")


class Choices:
    """The choices of a run.

    Attributes:
        other: whether the second choices are taken.
        used: whether there was any choice.
        roughness: the largest share of an array's largest value by which Warp's results may be wrong; zero for rounding only.
        wrapped: whether an index was negative, and counted from the end.
        last_bits: varies the results of functions of the C library by up to two units in the last place; None to leave them.
    """

    def __init__(self) -> None:
        self.other = False
        self.used = False
        self.roughness = 0.0
        self.wrapped = False
        self.last_bits: np.random.Generator | None = None

    def start(self, *, other: bool = False) -> None:
        """Begin a run."""
        self.other, self.used, self.roughness, self.wrapped = other, False, 0.0, False

    def use(self, roughness: float = 0.0) -> None:
        """Note that a result is open, or rougher than rounding."""
        self.used, self.roughness = True, max(self.roughness, roughness)

    def of_library(self, results: Any) -> Any:
        """Return results of functions of the C library, which another library may round in another way."""
        if self.last_bits is None:
            return results
        factors = 1.0 + np.finfo(results.dtype).eps * self.last_bits.uniform(-1.0, 1.0, results.shape)
        return (results * factors).astype(results.dtype)

    def ordered(self, found: Sequence[T]) -> Sequence[T]:
        """Return the elements in one of their orders."""
        if len(found) > 1:
            self.use()
        return found[::-1] if self.other else found

    def pick(self, equal: Sequence[T]) -> T:
        """Return one of several elements that are equally right."""
        return self.ordered(equal)[0]

    def pick_by_place(self, equal: Sequence[T], places: Any) -> T:
        """Return one of several elements that are equally right; the other choice is the one whose place is farthest away.

        Args:
            equal: the elements.
            places: the place of each element, a row of numbers.
        """
        distances = np.linalg.norm(places - places[0], axis=1).tolist()
        return self.pick([element for _, element in sorted(zip(distances, equal, strict=True), key=lambda pair: pair[0])])


CHOICES = Choices()
"""The choices of the launch that is interpreted now."""
