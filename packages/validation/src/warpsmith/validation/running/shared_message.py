"""A message that a fork leaves for its parent in shared memory."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
import numpy as np

from warpsmith.validation.running.shared_memory import Arena

T = TypeVar("T")

_LENGTH_BYTES = 8


class SharedMessage:
    """JSON in shared memory. A later message replaces an earlier one.

    Args:
        arena: the shared memory.
        size: the bytes that the message may take, with its length.
    """

    def __init__(self, arena: Arena, size: int) -> None:
        self._memory = arena.empty((size,), np.dtype(np.uint8))
        self._memory[:_LENGTH_BYTES] = 0

    def write(self, value: object) -> bool:
        """Write a message, and return whether it fits; if not, the one before it stays."""
        content = np.frombuffer(msgspec.json.encode(value), np.uint8)
        length, rest = self._memory[:_LENGTH_BYTES], self._memory[_LENGTH_BYTES:]
        if len(content) > len(rest):
            return False
        rest[: len(content)] = content
        length[:] = np.frombuffer(len(content).to_bytes(_LENGTH_BYTES, "little"), np.uint8)
        return True

    def read(self, kind: type[T] | Any) -> T | None:
        """Return the message, or None if there is none.

        Raises:
            msgspec.MsgspecError: if the fork wrote anything else.
        """
        length = int.from_bytes(self._memory[:_LENGTH_BYTES].tobytes(), "little")
        if length == 0:
            return None
        content: T = msgspec.json.decode(self._memory[_LENGTH_BYTES:][:length].tobytes(), type=kind)
        return content
