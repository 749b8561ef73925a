"""Whether two sets of results are the same as far as arithmetic allows."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from warpsmith.core.inputs.values import Values

SHARE_OF_SCALE: dict[int, float] = {2: 2.0e-2, 4: 1.0e-5, 8: 2.0e-14}
"""How far a float of that many bytes may be off, as a share of the largest finite value of its array.

In single precision this is some eighty roundings. Of 3,616 arrays that 967 generated kernels left on an x86-64 CPU without
optimization, 96 in 100 equal the oracle's bit for bit; the others differ where the C library rounds a transcendental function
the other way or where a matrix product multiplies and adds in one step. The worst element was off by a share of 9e-7, and no
integer differed. Double precision has the same number of roundings; half precision has fewer, since more would hide anything.
"""


def disagreement(got: Mapping[str, Values], expected: Mapping[str, Values]) -> str | None:
    """Say where results differ, or return None if they agree.

    Integers and booleans have to be equal. A float may be off by `SHARE_OF_SCALE` of the largest value of its array: of an
    array and not of the element itself, since a difference of like values leaves a small number with the errors of large ones.
    What is not finite has to be the same in the same place. No stray element is allowed.
    """
    if got.keys() != expected.keys():
        return f"results {sorted(got)} instead of {sorted(expected)}"
    found = (_differs(name, got[name], values) for name, values in expected.items())
    return next((reason for reason in found if reason), None)


def _differs(name: str, got: Values, expected: Values) -> str | None:
    if (got.shape, got.dtype) != (expected.shape, expected.dtype):
        return f"{name}: {got.dtype} of shape {got.shape} instead of {expected.dtype} of shape {expected.shape}"
    if expected.dtype.names is not None:
        found = (_differs(f"{name}.{member}", got[member], expected[member]) for member in expected.dtype.names)
        return next((reason for reason in found if reason), None)
    wrong = _unequal(got, expected)
    if not wrong.any():
        return None
    place = tuple(int(index) for index in np.argwhere(wrong)[0])
    count = np.count_nonzero(wrong)
    return f"{name}{list(place)} is {got[place]} instead of {expected[place]}, {count} of {wrong.size} differ"


def _unequal(got: Values, expected: Values) -> Values:
    if expected.dtype.kind != "f":
        return np.asarray(got != expected)
    finite = np.isfinite(expected) & np.isfinite(got)
    same = (got == expected) | (np.isnan(got) & np.isnan(expected))
    scale = float(np.max(np.abs(expected[finite]), initial=0.0))
    with np.errstate(invalid="ignore"):
        close = np.abs(got.astype(np.float64) - expected.astype(np.float64)) <= SHARE_OF_SCALE[expected.dtype.itemsize] * scale
    return np.asarray(~(same | (finite & close)))
