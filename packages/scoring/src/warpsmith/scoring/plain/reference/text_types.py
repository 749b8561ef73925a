"""The types of a plain CUDA text, and how the functions for them are written."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

FLOATS, INTEGERS = ("float", "double"), ("int", "unsigned int", "long long", "unsigned long long")


@dataclass(frozen=True, slots=True, order=True)
class Composite:
    """A vector, a matrix, a quaternion or a transform.

    Attributes:
        scalar: the C type of its numbers.
        shape: its shape.
        kind: ``"quat"`` or ``"transform"``; empty for vectors and matrices.
    """

    scalar: str
    shape: tuple[int, ...]
    kind: str = ""

    @property
    def name(self) -> str:
        """The name of its struct."""
        kind = self.kind or ("vec" if len(self.shape) == 1 else "mat")
        return f"{kind}{''.join(map(str, self.shape))}_{self.scalar.replace(' ', '_')}"

    @property
    def is_vector(self) -> bool:
        """Whether it is a vector."""
        return not self.kind and len(self.shape) == 1

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return math.prod(self.shape)


@dataclass(frozen=True, slots=True)
class Types:
    """The types of a text.

    Attributes:
        numbers: the C types of numbers.
        composites: the vectors, matrices, quaternions and transforms.
        structs: the names of structs.
    """

    numbers: list[str]
    composites: list[Composite]
    structs: list[str]

    @property
    def floats(self) -> list[str]:
        """The C types of numbers that are floats."""
        return [scalar for scalar in self.numbers if scalar in FLOATS]

    @property
    def names(self) -> list[str]:
        """The C names of all types."""
        return [*self.numbers, *(composite.name for composite in self.composites), *self.structs]


def quat(scalar: str) -> Composite:
    """Return the type of quaternions: x, y, z and w."""
    return Composite(scalar, (4,), "quat")


def transform(scalar: str) -> Composite:
    """Return the type of transforms: a translation, then a rotation."""
    return Composite(scalar, (7,), "transform")


Table = dict[str, Callable[[Types], Iterator[str]]]
"""The functions that write the overloads of a function, by the name in Warp."""

Write = Callable[[str, Types], Iterator[str]]


def known(table: Table, *names: str) -> Callable[[Write], Write]:
    """Return a decorator that adds a function to a table under several names."""

    def add(write: Write) -> Write:
        table.update({name: partial(write, name) for name in names})
        return write

    return add


def function(result: str, name: str, parameters: str, body: str) -> str:
    """Return a device function."""
    return f"__device__ {result} w_{name}({parameters}) {{ {body} }}"


def each_component(composite: Composite, term: str) -> str:
    """Return a body that computes each component; ``term`` refers to its index as ``i``."""
    return f"{composite.name} r; for (int i = 0; i < {composite.size}; ++i) r.c[i] = {term}; return r;"
