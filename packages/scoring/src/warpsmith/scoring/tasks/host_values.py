"""What host code of Python means in C: numbers, arrays of the device, sequences of them, and names without a known type."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import TypeAlias

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.elements import element
from warpsmith.core.records.launch import Argument
from warpsmith.scoring.plain.plain_names import is_free
from warpsmith.scoring.plain.plain_signature import C_TYPES

NUMBERS = {"int32": "int", "float32": "float", "bool": "bool"}
"""The types of numbers in C by Warp's name."""

_OTHER_MEANINGS = frozenset("main block grid std min max abs half printf assert y0 y1 yn j0 j1 jn gamma".split())


class NotTranslated(WarpsmithError):
    """Host code that has no translation; the message is a noun phrase that says what is in the way."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number: its expression in C, and ``"int"``, ``"float"`` or ``"bool"``."""

    text: str
    ctype: str

    @property
    def inner(self) -> str:
        """The expression as a part of another one."""
        return self.text if self.text.replace("_", "").replace(".", "").isalnum() else f"({self.text})"


@dataclass(frozen=True, slots=True)
class DeviceArray:
    """An array of the device.

    Attributes:
        name: the pointer in C.
        dtype: Warp's name of the type of an element.
        lengths: the lengths of its dimensions as expressions.
        is_given: whether it may be an array of the caller.
    """

    name: str
    dtype: str
    lengths: tuple[str, ...]
    is_given: bool = True

    @property
    def ctype(self) -> str:
        """The type of a number."""
        return C_TYPES[element(self.dtype)[0].__name__.removesuffix("_")]

    @property
    def count(self) -> str:
        """The number of numbers as an expression."""
        components = math.prod(element(self.dtype)[1])
        return " * ".join([*self.lengths, *([str(components)] if components > 1 else [])])

    @property
    def bytes(self) -> str:
        """The number of bytes as an expression."""
        return f"sizeof({self.ctype}) * {self.count}"


@dataclass(frozen=True, slots=True)
class Items:
    """A tuple or a list."""

    items: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Untyped:
    """A name from before the gap whose type is not known yet."""

    path: str


Value: TypeAlias = Number | DeviceArray | Items | Untyped


@dataclass(slots=True)
class Given:
    """A variable that the function receives: its name in C, and its type, which the uses in the gap determine."""

    name: str
    dtype: str
    dimensions: int | None = None
    is_written: bool = False

    @property
    def argument(self) -> Argument:
        """The variable as an argument of a launch, whose lengths are not known."""
        if self.dimensions is None:
            return Argument(name=self.name, kind="value", dtype=self.dtype, role="input", shape=(), domain=None)
        role, shape = ("inout" if self.is_written else "input"), (1,) * self.dimensions
        return Argument(name=self.name, kind="array", dtype=self.dtype, role=role, shape=shape, domain=None)  # type: ignore[arg-type]


@dataclass(slots=True)
class Interface:
    """The variables from before the gap that the function receives.

    Attributes:
        taken: the names in C that have another meaning.
        variables: the variables by their Python expression.
    """

    taken: set[str]
    variables: dict[str, Given] = field(default_factory=dict)

    def array(self, path: str, dtype: str, dimensions: int) -> None:
        """Say that a name is an array.

        Raises:
            NotTranslated: if it is something else elsewhere.
        """
        found = self.variables.get(path) or self._added(path, dtype, dimensions)
        if (found.dtype, found.dimensions) != (dtype, dimensions):
            raise NotTranslated("a variable with two types")

    def number(self, path: str, dtype: str) -> None:
        """Say that a name is a number, unless it has a type."""
        if path not in self.variables:
            self._added(path, dtype, None)

    def vector(self, path: str, dtype: str) -> None:
        """Say that a name is a vector or a matrix, which is passed as a pointer to its numbers.

        Raises:
            NotTranslated: if it is something else elsewhere.
        """
        found = self.variables.get(path) or self._added(path, dtype, None)
        if (found.dtype, found.dimensions) != (dtype, None):
            raise NotTranslated("a variable with two types")

    def value(self, path: str) -> Value:
        """Return what a name means in C."""
        given = self.variables.get(path)
        if given is None:
            return Untyped(path)
        if given.dimensions is None and given.dtype not in NUMBERS:
            return DeviceArray(given.name, given.dtype, ())
        if given.dimensions is None:
            return Number(given.name, NUMBERS[given.dtype])
        lengths = tuple(f"{given.name}_shape{number}" for number in range(given.dimensions))
        return DeviceArray(given.name, given.dtype, lengths)

    def written(self, array: DeviceArray) -> None:
        """Say that an array may change."""
        for variable in self.variables.values():
            if variable.name == array.name:
                variable.is_written = True

    @property
    def ordered(self) -> list[tuple[str, Given]]:
        """The variables as parameters: arrays first."""
        return sorted(self.variables.items(), key=lambda item: item[1].dimensions is None)

    def free_name(self, wanted: str, taken: frozenset[str] = frozenset()) -> str:
        """Return a name that has no other meaning in C, and take it."""
        base = re.sub(r"_+", "_", re.sub(r"\W", "_", wanted)).strip("_") or "value"
        for name in (base, *(f"{base}_{number}" for number in range(2, 1000))):
            if is_free(name) and name not in self.taken | taken and name not in _OTHER_MEANINGS:
                self.taken.add(name)
                return name
        raise NotTranslated("a name")

    def _added(self, path: str, dtype: str, dimensions: int | None) -> Given:
        wanted = f"num_{path[4:-1]}".replace("self.", "") if path.startswith("len(") else path.rpartition(".")[2]
        self.variables[path] = Given(self.free_name(wanted), dtype, dimensions)
        return self.variables[path]
