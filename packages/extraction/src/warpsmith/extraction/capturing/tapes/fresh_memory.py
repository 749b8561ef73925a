"""Memory that ``wp.empty`` returned and that nothing has written since."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import warp as wp


@dataclass(slots=True)
class FreshMemory:
    """The arrays without contents, by address. What may have been written by other means than a launch is not among them."""

    _sizes: dict[int, int] = field(default_factory=dict)

    def created(self, array: Any) -> None:
        """Receive an array without contents."""
        if array.ptr:
            self._sizes[int(array.ptr)] = int(array.size)

    def exposed(self, array: Any) -> None:
        """Receive an array that the program writes, or may write."""
        if self._sizes and (address := getattr(array, "ptr", None)):
            self._sizes.pop(int(address), None)

    def launched_with(self, arguments: Sequence[Any]) -> None:
        """Receive the arguments of a launch, which may write them."""
        if self._sizes:
            for argument in arguments:
                if isinstance(argument, wp.array):
                    self.exposed(argument)

    def has(self, array: Any) -> bool:
        """Return whether an array has no contents."""
        return self._sizes.get(int(array.ptr or 0)) == int(array.size)
