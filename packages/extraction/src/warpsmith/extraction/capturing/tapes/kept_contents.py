"""Contents of arrays by number; the same bytes are kept once."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Digest: TypeAlias = tuple[bytes, str, tuple[int, ...]]
"""The digest of contents, their type and their shape."""


def digest(values: npt.NDArray[Any]) -> Digest:
    """Return what tells contents apart."""
    return blake2b(values.tobytes(), digest_size=16).digest(), str(values.dtype), values.shape


@dataclass(slots=True)
class Contents:
    """Contents that were added.

    Attributes:
        arrays: the contents by number.
        nbytes: their bytes.
    """

    arrays: list[npt.NDArray[Any]] = field(default_factory=list)
    nbytes: int = 0
    _numbers: dict[Digest, int] = field(default_factory=dict)

    def add(self, values: npt.NDArray[Any]) -> int:
        """Return the number of the contents of an array, which are kept; the array is not changed later."""
        values = np.asarray(values, order="C")  # ascontiguousarray turns plain numbers into arrays
        key = digest(values)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.arrays)
            self.arrays.append(values)
            self.nbytes += values.nbytes
        return number
