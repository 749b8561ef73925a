"""Arrays of a dry run: arrays that a kernel reads, and arrays that it writes, which report whether they show a result."""

from __future__ import annotations

import math
from collections.abc import Callable
from operator import add, sub
from typing import Any, TypeAlias

from warpsmith.core.inputs.values import Values
from warpsmith.synthesis.programs.dry_run.vectors import WRAPS, Value, Vector, check_index, components

Index: TypeAlias = int | tuple[int, ...]


class Array:
    """An array that a kernel reads.

    Args:
        shape: the shape of the array; further dimensions of ``values`` are the shape of an element.
        values: the elements.
    """

    def __init__(self, shape: tuple[int, ...], values: Values) -> None:
        self.shape = shape
        self._raw = values if len(shape) == 1 else values.reshape(-1, *values.shape[len(shape) :])
        self._wrap = WRAPS[values.ndim - len(shape)]

    def __getitem__(self, index: Index) -> Value:
        return self._initial(self._position(index))

    def _initial(self, position: int) -> Value:
        """Return an element before the first thread."""
        raw = self._raw[position].tolist()  # converted one by one: most dry runs end before they have read three
        return self._wrap(raw) if self._wrap else raw

    def _position(self, index: Index) -> int:
        """Return the position of an element in row-major order."""
        if isinstance(index, int):
            (length,) = self.shape
            return check_index(index, length)
        position = 0
        for part, length in zip(index, self.shape, strict=True):
            position = position * length + check_index(part, length)
        return position


class Output(Array):
    """An array that a kernel writes.

    Args:
        shape: as for `Array`.
        values: the elements before the launch.
        kept: whether the elements before the launch count.

    Attributes:
        shown: whether the array shows a result before the last thread: two rows that differ or, if there is one row, a value
            that differs from the value before. Sums of many rows are not known before the end: counts may all be equal.
    """

    def __init__(self, shape: tuple[int, ...], values: Values, kept: bool) -> None:
        super().__init__(shape, values)
        self.shown = False
        self._kept = kept
        self._is_single = len(self._raw) == 1
        self._first = components(self._initial(0)) if self._is_single else None
        self._written: dict[int, Value] = {}
        self._offers: dict[int, list[Value]] = {}

    def __getitem__(self, index: Index) -> Value:
        return self._current(self._position(index))

    def __setitem__(self, index: Index, value: Value) -> None:
        # a vector is copied, because the kernel may change it
        self._written[self._position(index)] = Vector(value.parts) if isinstance(value, Vector) else value
        if not self.shown:
            row = components(value)
            if self._first is None:
                self._first = row
            self.shown = not are_close(row, self._first)

    def update(self, combine: Callable[[Any, Any], Value], index: Index, value: Value) -> Value:
        """Perform an atomic operation, and return the element before it."""
        position = self._position(index)
        old = self._current(position)
        self._written[position] = new = combine(old, value)
        if combine not in (add, sub):
            self._offers.setdefault(position, []).append(value)
        elif self._is_single and not isinstance(value, int):
            self.shown = not are_close(components(new), components(self._initial(0)))
        return old

    def find_problem(self, ties: bool) -> str | None:
        """Return why the array shows no result after the last thread, or None; ``ties`` allows ties."""
        positions = range(len(self._raw))
        before, after = ([components(see(position)) for position in positions] for see in (self._initial, self._current))
        if (self._kept or self._is_single) and all(map(are_close, before, after)):
            return "is left as it was"
        if not self._is_single and all(are_close(row, after[0]) for row in after):
            return "is constant"
        return "has a tie" if not ties and any(map(self._is_tied, self._offers)) else None

    def _current(self, position: int) -> Value:
        return self._written[position] if position in self._written else self._initial(position)

    def _is_tied(self, position: int) -> bool:
        """Return whether several threads offered the extreme: Warp's adjoint then gives each of them the whole gradient."""
        extreme = self._written[position]
        if isinstance(extreme, int):
            return False
        offers = [*self._offers[position], self._initial(position)]
        return sum(are_close(components(offer), components(extreme)) for offer in offers) > 1


def are_close(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    """Return whether two rows are equal, or so close that float32 may not distinguish them."""
    return a == b or all(math.isclose(one, other, rel_tol=1.0e-6, abs_tol=1.0e-6) for one, other in zip(a, b, strict=True))
