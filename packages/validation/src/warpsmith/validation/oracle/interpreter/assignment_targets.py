"""Assignment targets with evaluated indices, so that an augmented assignment evaluates them once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from warpsmith.validation.oracle.values.interpretation_errors import Misuse
from warpsmith.validation.oracle.values.items import get_item, with_item
from warpsmith.validation.oracle.values.kernel_arrays import Array, Key
from warpsmith.validation.oracle.values.value_types import Value

Target: TypeAlias = "VariableTarget | ElementTarget | ItemTarget"


@dataclass(frozen=True, slots=True)
class VariableTarget:
    """A variable."""

    frame: dict[str, Value]
    name: str

    def load(self) -> Value:
        """Return the current value."""
        try:
            return self.frame[self.name]
        except KeyError:
            raise Misuse(f"{self.name!r} read before it has a value") from None

    def store(self, value: Value) -> None:
        """Assign a value."""
        self.frame[self.name] = value


@dataclass(frozen=True, slots=True)
class ElementTarget:
    """An element of an array."""

    array: Array
    key: tuple[Value, ...]

    @property
    def shared(self) -> bool:
        """Return whether several of the threads that run together have the same element."""
        return self.array.accesses is not None and self.array.accesses.shared(self.array.position(self.key))

    def update(self, operation: Callable[[Value, Value], Value], value: Value) -> None:
        """Apply an operation to the element."""
        self.array.update(self.key, operation, value)

    def load(self) -> Value:
        """Return the current value."""
        return self.array.get(self.key)

    def store(self, value: Value) -> None:
        """Assign a value."""
        self.array.set(self.key, value)


@dataclass(frozen=True, slots=True)
class ItemTarget:
    """A component or member of another target, whose value is replaced as a whole."""

    container: Target
    key: Key

    def load(self) -> Value:
        """Return the current value."""
        return get_item(self.container.load(), self.key)

    def store(self, value: Value) -> None:
        """Assign a value."""
        self.container.store(with_item(self.container.load(), self.key, value))
