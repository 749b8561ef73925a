"""The values of an array as a domain of a record, from which other values of the same kind can be made."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from warpsmith.core.records.launch import Domain

Values = npt.NDArray[Any]

_UNIT_TOLERANCE = 1.0e-3
_NEAR_IDENTITY = 0.5
"""The largest difference of a matrix from the identity matrix that counts as near."""


def constant(values: Values) -> Domain | None:
    """Return the domain of values that are all the same number, or None; without values the number is 0."""
    if not values.size:
        return Domain(kind="fill", low=0, high=0)
    first = values.flat[0]
    if not np.isfinite(first) or not bool(np.all(values == first)) or _is_negative_zero(values):
        return None
    return Domain(kind="fill", low=_number(first), high=_number(first))


def _is_negative_zero(values: Values) -> bool:
    return values.dtype.kind == "f" and bool(np.any(np.signbit(values) & (values == 0)))


def bounds(values: Values) -> tuple[int | float, int | float]:
    """Return the least and the largest finite number, (0, 0) if there is none."""
    finite = values[np.isfinite(values)] if values.dtype.kind == "f" else values
    return (_number(finite.min()), _number(finite.max())) if finite.size else (0, 0)


def stored(values: Values) -> Domain:
    """Return the domain of values that are in the record themselves."""
    low, high = bounds(values)
    return Domain(kind="stored", low=low, high=high)


def integers(values: Values) -> Domain:
    """Return a domain of integers without element shape; all values made from it lie between the least and the largest.

    A permutation contains every integer of a range once. Offsets of ragged rows start at zero and do not decrease.
    """
    low, high = bounds(values)
    if values.dtype.kind == "b" or values.ndim == 0 or values.size < 2:
        return Domain(kind="uniform", low=low, high=high)
    if values.ndim == 1 and bool(np.all(values[1:] >= values[:-1])):
        is_offsets = low == 0 and values[0] == low and values[-1] == high and high > values.size // 2
        return Domain(kind="offsets" if is_offsets else "sorted", low=low, high=high)
    if high - low + 1 == values.size and np.unique(values).size == values.size:
        return Domain(kind="permutation", low=low, high=high)
    return Domain(kind="uniform", low=low, high=high)


def floats(values: Values, element: tuple[int, ...], dtype: str) -> Domain | None:
    """Return a domain of floats, or None if there are infinite numbers or none at all.

    Args:
        values: the numbers, with the shape of an element last.
        element: the shape of an element.
        dtype: Warp's name of the type.
    """
    if not bool(np.all(np.isfinite(values))):
        return None
    low, high = bounds(values)
    if dtype.startswith("transform"):
        if _have_unit_length(values[..., 3:]):
            low, high = bounds(values[..., :3])
            return Domain(kind="unit", low=low, high=high)
    elif len(element) == 1 and element[0] in (2, 3, 4) and _have_unit_length(values):
        return Domain(kind="unit", low=-1.0, high=1.0)
    elif len(element) == 2 and element[0] == element[1]:
        difference = values - np.eye(element[0], dtype=values.dtype)
        if float(np.abs(difference).max()) < _NEAR_IDENTITY:
            low, high = bounds(difference)
            return Domain(kind="near_identity", low=low, high=high)
    if not element and values.ndim == 1 and values.size > 2 and bool(np.all(values[1:] > values[:-1])):
        return Domain(kind="sorted", low=low, high=high)
    return Domain(kind="uniform", low=low, high=high)


def _have_unit_length(values: Values) -> bool:
    return bool(np.all(np.abs(np.linalg.norm(values.astype(np.float64), axis=-1) - 1.0) < _UNIT_TOLERANCE))


def _number(value: Any) -> int | float:
    number: int | float = value.item()
    return int(number) if isinstance(number, bool) else number
