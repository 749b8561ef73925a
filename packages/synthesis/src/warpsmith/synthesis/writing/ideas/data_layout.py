"""The layout of a kernel's data: the length of each dimension, the range of each array, and their arguments in the record."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from warpsmith.core.records.launch import Argument
from warpsmith.core.records.launch import Domain as Values
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.ideas.notation import words
from warpsmith.synthesis.writing.ideas.parts import Data, Domain, Index, Number, Parameter, Size

_DIMENSION = re.compile(r"(?:(\w+)\*)?([A-Za-z_]\w*)(?:\+(\d+))?|(\d+)")


class Layout:
    """The sizes of one kernel.

    Args:
        rows: the parameters of the domain by key.
        used: the arrays of the kernel.
        world: the index of the world in a batched kernel, or None.
        block: the number of threads per block, or 0.
        rng: the randomness of the kernel.

    Attributes:
        sizes: the length of each dimension, by its symbol.
        batched: the keys of the arrays with a leading dimension for worlds.
    """

    def __init__(
        self, rows: Mapping[str, Parameter], used: Sequence[Data], world: Index | None, block: int, rng: RandomStream
    ) -> None:
        self._rows, self._world, self._rng = rows, world, rng
        self.batched = {row.key for row in used if _is_batchable(row)} if world else set()
        self.sizes: dict[str, int] = {"block": block} if block else {}
        for data in used:
            for symbol in self.dims(data):
                self.length(symbol)

    def length(self, symbol: str) -> int:
        """Return the length of a dimension, such as ``n``, ``n+1``, ``3*n``, ``t*b`` or ``4``."""
        if symbol not in self.sizes:
            row = self._rows.get(symbol)
            self.sizes[symbol] = self._draw(row) if isinstance(row, Size) else self._calculate(symbol)
        return self.sizes[symbol]

    def _draw(self, row: Size) -> int:
        return self._rng.choice(row.choices) if row.choices else self._rng.between(row.low, row.high)

    def _calculate(self, symbol: str) -> int:
        match = _DIMENSION.fullmatch(symbol)
        if match is None or match[2] == symbol:
            raise ValueError(f"{symbol!r} is no dimension")
        if match[4]:
            return int(match[4])
        factor = match[1] or "1"
        times = int(factor) if factor.isdigit() else self.length(factor)
        return times * self.length(match[2]) + int(match[3] or 0)

    def dims(self, row: Data) -> tuple[str, ...]:
        """Return the symbols of the dimensions of an array, with that of the worlds."""
        outer = (self._world.over,) if self._world and row.key in self.batched else ()
        return (*outer, *words(row.dims))

    def bounds(self, row: Data) -> tuple[float, float]:
        """Return the range of the components; a range that ends in a size is that of the valid indices or offsets."""
        if isinstance(row.high, str):
            return row.low, self.length(row.high) - (0 if row.kind == "offsets" else 1)
        return row.low, row.high

    def argument(self, row: Size | Data | Number, name: str) -> Argument:
        """Return the argument of the record for a parameter that is read."""
        if isinstance(row, Data):
            shape = tuple(map(self.length, self.dims(row)))
            values = _values(row.kind, *self.bounds(row), row)
            return Argument(name=name, kind="array", dtype=row.type.name, role="input", shape=shape, domain=values)
        if isinstance(row, Size):
            length = self.length(row.key)
            values = Values(kind="fill", low=length, high=length)
            return Argument(name=name, kind="value", dtype="int32", role="input", shape=(), domain=values)
        values = _values("uniform", row.low, row.high, row)
        return Argument(name=name, kind="value", dtype=row.type.name, role="input", shape=(), domain=values)


@cache
def batchable_arrays(domain: Domain) -> frozenset[str]:
    """Return the keys of the arrays of which each world may have its own."""
    return frozenset(row.key for row in domain.parameters if isinstance(row, Data) and _is_batchable(row))


def _is_batchable(row: Data) -> bool:
    """Return whether each world may have its own values of an array."""
    return not row.shared and row.kind != "permutation"


def annotation_of(row: Size | Data | Number, ndim: int) -> str:
    """Return the type of a member of a struct in source text."""
    if isinstance(row, Size):
        return "int"
    if isinstance(row, Number):
        return row.type.spelling
    kind = "indexedarray" if row.indexed else "array"
    return f"wp.{kind}{'' if ndim == 1 else f'{ndim}d'}(dtype={row.type.spelling})"


def _values(kind: str, low: float, high: float, row: Data | Number) -> Values:
    if kind == "near_identity":  # the range of the components includes the diagonal, that of the record does not
        high = round(high - 1.0, 6)
    if row.type.is_float or row.type.name == "bool":
        return Values(kind=kind, low=float(low), high=float(high))  # type: ignore[arg-type]
    return Values(kind=kind, low=int(low), high=int(high))  # type: ignore[arg-type]
