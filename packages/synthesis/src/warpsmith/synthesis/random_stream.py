"""The only source of randomness, always passed as an argument.

The stream depends on the seed material alone: SHA-512 in counter mode gives the same numbers on every Python and machine,
which ``random.Random.choice`` does not guarantee.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TypeVar

T = TypeVar("T")

_SCALE = 1 << 32


class RandomStream:
    """A stream of random choices.

    Args:
        material: the seed material, such as ``"5-2000-17"``.
    """

    __slots__ = ("_block", "_material", "_next", "_words")

    def __init__(self, material: str) -> None:
        self._material = material.encode()
        self._block = 0
        self._words: tuple[int, ...] = ()
        self._next = 0

    def _word(self) -> int:
        """Return the next 32 random bits."""
        if self._next == len(self._words):
            digest = hashlib.sha512(b"%b:%d" % (self._material, self._block)).digest()
            self._words = struct.unpack("<16I", digest)
            self._block += 1
            self._next = 0
        word = self._words[self._next]
        self._next += 1
        return word

    def below(self, count: int) -> int:
        """Return an integer from 0 to ``count - 1``."""
        return self._word() * count // _SCALE

    def between(self, low: int, high: int) -> int:
        """Return an integer from ``low`` to ``high``, both included."""
        return low + self.below(high - low + 1)

    def chance(self, probability: float) -> bool:
        """Return True with this probability."""
        return self._word() < probability * _SCALE

    def choice(self, items: Sequence[T]) -> T:
        """Return one of ``items``; all are equally likely."""
        return items[self._word() * len(items) // _SCALE]

    def weighted(self, items: Sequence[T], totals: Sequence[float]) -> T:
        """Return one of ``items``, with a probability in proportion to its weight; ``totals`` are running totals of weights."""
        target = self._word() / _SCALE * totals[-1]
        low, high = 0, len(totals) - 1
        while low < high:
            middle = (low + high) // 2
            if totals[middle] <= target:
                low = middle + 1
            else:
                high = middle
        return items[low]

    def in_random_order(self, items: Sequence[T]) -> Iterator[T]:
        """Yield all items in a random order; those that are not requested are not drawn."""
        rest = list(items)
        while rest:
            yield rest.pop(self.below(len(rest)))

    def sample(self, items: Sequence[T], count: int) -> list[T]:
        """Return ``count`` different items, in the order of the draw."""
        return list(islice(self.in_random_order(items), count))

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return all items in a random order."""
        return list(self.in_random_order(items))
