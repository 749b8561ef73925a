"""What can be assigned to, with its indices evaluated, so that reading and writing it again evaluates nothing twice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from warpsmith.validation.oracle.errors import Undefined
from warpsmith.validation.oracle.memory import Array, Key, part, replaced
from warpsmith.validation.oracle.types import Value

Place: TypeAlias = "Variable | Element | Part"


@dataclass(frozen=True, slots=True)
class Variable:
    """A variable as something to assign to."""

    frame: dict[str, Value]
    name: str

    def load(self) -> Value:
        """Return its value."""
        if self.name not in self.frame:
            raise Undefined(f"{self.name!r} read before it has a value")
        return self.frame[self.name]

    def store(self, value: Value) -> None:
        """Give it another value."""
        self.frame[self.name] = value


@dataclass(frozen=True, slots=True)
class Element:
    """An element of an array; its indices are evaluated."""

    array: Array
    key: tuple[Value, ...]

    def load(self) -> Value:
        """Return its value."""
        return self.array.get(self.key)

    def store(self, value: Value) -> None:
        """Give it another value."""
        self.array.put(self.key, value)


@dataclass(frozen=True, slots=True)
class Part:
    """A component or member of what is at another place, which is replaced as a whole."""

    whole: Place
    key: Key

    def load(self) -> Value:
        """Return its value."""
        return part(self.whole.load(), self.key)

    def store(self, value: Value) -> None:
        """Give it another value."""
        self.whole.store(replaced(self.whole.load(), self.key, value))
