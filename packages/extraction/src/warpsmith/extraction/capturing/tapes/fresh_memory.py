"""Memory that ``wp.empty`` returned and that nothing has written since."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import warp as wp


@dataclass(slots=True)
class FreshMemory:
    """The arrays without contents, by address. What may have been written by other means than a launch is not among them.

    Another array may take the memory of one that the program drops; only memory of arrays that are alive counts.
    """

    _arrays: weakref.WeakValueDictionary[int, Any] = field(default_factory=weakref.WeakValueDictionary)

    def created(self, array: Any) -> None:
        """Receive an array without contents."""
        if array.ptr:
            self._arrays[int(array.ptr)] = array

    def exposed(self, array: Any) -> None:
        """Receive an array that the program writes, or may write."""
        if self._arrays and (address := getattr(array, "ptr", None)):
            self._arrays.pop(int(address), None)

    def launched_with(self, arguments: Sequence[Any]) -> None:
        """Receive the arguments of a launch, which may write them."""
        if self._arrays:
            for argument in arguments:
                if isinstance(argument, wp.array):
                    self.exposed(argument)

    def has(self, array: Any) -> bool:
        """Return whether an array has no contents."""
        found = self._arrays.get(int(array.ptr or 0))
        return found is not None and int(found.size) == int(array.size)
