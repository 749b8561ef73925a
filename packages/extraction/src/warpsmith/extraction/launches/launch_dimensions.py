"""The dimensions of a launch as programs give them."""

from __future__ import annotations

from typing import Any


def dimensions_of(dim: Any) -> tuple[int, ...]:
    """Return the dimensions of a launch, which may be a number or any sequence of numbers.

    Examples:
        >>> dimensions_of(8), dimensions_of([2, 3])
        ((8,), (2, 3))
    """
    return (int(dim),) if isinstance(dim, int) or not hasattr(dim, "__iter__") else tuple(int(length) for length in dim)
