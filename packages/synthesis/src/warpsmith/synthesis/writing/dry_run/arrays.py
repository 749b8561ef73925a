"""Arrays of a dry run: arrays that a kernel reads, and arrays that it writes, which report whether they show a result."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import islice
from operator import add, sub
from typing import Any, TypeAlias

from warpsmith.core.inputs.values import Values
from warpsmith.synthesis.writing.dry_run.plain_vectors import Value, Vector, Wrap, check_index, components
from warpsmith.synthesis.writing.policy import TOLERANCE

Index: TypeAlias = int | tuple[int, ...]
Position: TypeAlias = Callable[[Any], int]


def _in_1d(length: int) -> Position:
    def position(index: int) -> int:
        if 0 <= index < length:
            return index
        raise IndexError(f"index {index} of {length}")

    return position


def _in_2d(rows: int, columns: int) -> Position:
    def position(index: tuple[int, int]) -> int:
        row, column = index
        if 0 <= row < rows and 0 <= column < columns:
            return row * columns + column
        raise IndexError(f"index {index} of {rows, columns}")

    return position


def _in_3d(planes: int, rows: int, columns: int) -> Position:
    def position(index: tuple[int, int, int]) -> int:
        plane, row, column = index
        if 0 <= plane < planes and 0 <= row < rows and 0 <= column < columns:
            return (plane * rows + row) * columns + column
        raise IndexError(f"index {index} of {planes, rows, columns}")

    return position


def _in_nd(*shape: int) -> Position:
    def position(index: tuple[int, ...]) -> int:
        position = 0
        for part, length in zip(index, shape, strict=True):
            position = position * length + check_index(part, length)
        return position

    return position


_POSITIONS: tuple[Callable[..., Position], ...] = (_in_nd, _in_1d, _in_2d, _in_3d, _in_nd)
"""For each number of dimensions, what makes a function from an index to the position in row-major order."""


class Array:
    """An array that a kernel reads.

    Args:
        shape: the shape of the array; further dimensions of ``values`` are the shape of an element.
        values: the elements.
        wrap: makes an element of nested lists, None for numbers.

    Attributes:
        dtype: makes a number of the type of the elements.
    """

    dtype = float

    def __init__(self, shape: tuple[int, ...], values: Values, wrap: Wrap | None = None) -> None:
        self.shape = shape
        self._position = _POSITIONS[len(shape)](*shape)
        rows = values if len(shape) == 1 else values.reshape(-1, *values.shape[len(shape) :])
        self._rows = self._hold(rows)
        self._wrap = wrap

    def _hold(self, rows: Values) -> Any:
        """Return the elements as Python's numbers, which kernels read fastest."""
        return rows.tolist()

    def __getitem__(self, index: Index) -> Value:
        row = self._rows[self._position(index)]
        return self._wrap(row) if self._wrap else row


class Output(Array):
    """An array that a kernel writes.

    Args:
        shape: as for `Array`.
        values: the elements before the launch.
        wrap: as for `Array`.
        kept: whether the elements before the launch count.

    Attributes:
        shown: whether the array shows a result before the last thread: two rows that differ or, if there is one row, a value
            that differs from the value before. Sums count as soon as one has changed.
    """

    def __init__(self, shape: tuple[int, ...], values: Values, wrap: Wrap | None = None, *, kept: bool) -> None:
        self._kept = kept
        super().__init__(shape, values, wrap)
        self.shown = False
        self._is_single = len(self._rows) == 1
        self._first = components(self._initial(0)) if self._is_single else None
        self._written: dict[int, Value] = {}
        self._offers: dict[int, list[Value]] = {}

    def _hold(self, rows: Values) -> Any:
        """Return the elements; those that do not count are read one at a time, if at all."""
        return rows.tolist() if self._kept else rows

    def _initial(self, position: int) -> Value:
        """Return an element before the first thread."""
        row = self._rows[position] if self._kept else self._rows[position].tolist()
        return self._wrap(row) if self._wrap else row

    def __getitem__(self, index: Index) -> Value:
        position = self._position(index)
        return self._written[position] if position in self._written else self._initial(position)

    def __setitem__(self, index: Index, value: Value) -> None:
        # a vector is copied, because the kernel may change it
        self._written[self._position(index)] = type(value)(value.parts) if isinstance(value, Vector) else value
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
        elif not self.shown:
            self.shown = not are_close(components(new), components(self._initial(position)))
        return old

    @property
    def is_written(self) -> bool:
        """Whether a thread stored a value."""
        return bool(self._written)

    def find_problem(self, ties: bool, complete: bool = True) -> str | None:
        """Return why the array shows no result after the last thread, or None.

        Args:
            ties: whether several threads may offer the same extreme.
            complete: whether all threads have run, so that elements without a value count.
        """
        if not self.shown:
            before = {position: components(self._initial(position)) for position in self._written}
            after = {position: components(value) for position, value in self._written.items()}
            if (self._kept or self._is_single) and all(are_close(row, before[position]) for position, row in after.items()):
                return "is left as it was"
            if not self._kept and not self._is_single and self._is_constant(list(after.values()), complete):
                return "is constant"
        return "has a tie" if not ties and any(map(self._is_tied, self._offers)) else None

    def _is_constant(self, rows: list[tuple[float, ...]], complete: bool) -> bool:
        """Return whether all elements are equal: those written, ``rows``, and those that most arrays start with."""
        rest = (position for position in range(len(self._rows)) if complete and position not in self._written)
        rows += [components(self._initial(position)) for position in islice(rest, 2)]
        return all(are_close(row, rows[0]) for row in rows)

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
    return a == b or all(
        math.isclose(left, right, rel_tol=TOLERANCE, abs_tol=TOLERANCE) for left, right in zip(a, b, strict=True)
    )
