"""The launches of a kernel that are kept: the most different ones, within a number."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(slots=True)
class Kept(Generic[T]):
    """A launch that is kept: its form, its plain values, and what was copied."""

    form: Hashable
    plain: Hashable
    item: T


def is_power_of_two(number: int) -> bool:
    """Return whether a positive number is a power of two."""
    return number & (number - 1) == 0


@dataclass(slots=True)
class Selection(Generic[T]):
    """The launches of one kernel.

    Launches differ most if their forms do (dimensions, shapes, arrays that are None), then if plain values do. Of launches that
    agree in both a later one replaces an earlier one, at the 2nd, 4th, 8th, … launch: arrays that are empty or zero at first
    have contents later, and few launches are copied.

    Attributes:
        capacity: how many launches are kept.
        count: how many launches there were.
        kept: the launches that are kept.
    """

    capacity: int
    count: int = 0
    kept: list[Kept[T]] = field(default_factory=list)

    def place_for(self, form: Hashable, plain: Hashable, replaces: bool | None = None) -> int | None:
        """Return the position at which a launch is kept, or None if it is not.

        The position of a further launch is the number of those that are kept.

        Args:
            form: the form of the launch.
            plain: the plain values of the launch.
            replaces: whether the launch replaces another one that agrees in both; None to decide by the number of launches.
        """
        same_form = [position for position, other in enumerate(self.kept) if other.form == form]
        if not same_form:
            return len(self.kept) if len(self.kept) < self.capacity else self._repeated_form()
        same = [position for position in same_form if self.kept[position].plain == plain]
        if not same and len(self.kept) < self.capacity:
            return len(self.kept)
        if replaces is None:
            replaces = is_power_of_two(self.count)
        return (same or same_form)[-1] if replaces else None

    def keep(self, position: int, form: Hashable, plain: Hashable, item: T) -> T | None:
        """Keep a launch at a position of `place_for`; return what it replaces."""
        kept = Kept(form, plain, item)
        if position == len(self.kept):
            self.kept.append(kept)
            return None
        replaced, self.kept[position] = self.kept[position].item, kept
        return replaced

    def _repeated_form(self) -> int | None:
        """Return the last launch whose form another one has as well, whose place a new form takes."""
        forms = [other.form for other in self.kept]
        return next((position for position in reversed(range(len(forms))) if forms.count(forms[position]) > 1), None)
