"""Exact derivatives of patterns: their formulas in arithmetic with 60 digits, independent of Warp and of the levels.

A formula receives the values of the launch as attributes, arrays of `mpmath` numbers, and returns the contents of the outputs.
The difference over 1e-20 of a function with 60 digits is its derivative with more digits than any float has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import mpmath
import numpy as np

from real_patterns.pattern import Formula

Values = np.ndarray[Any, Any]

DIGITS = 60
STEP = "1e-20"

_number = np.frompyfunc(mpmath.mpf, 1, 1)


def each(function: Callable[..., Any], *arrays: Any) -> Any:
    """Return a function of single numbers at each element of the arrays, which are broadcast."""
    return np.frompyfunc(function, len(arrays), 1)(*arrays)


def threads(function: Callable[..., Any], *dim: int) -> Any:
    """Return an array with the result of a function of the thread's indices; results may be vectors."""
    found = [function(*index) for index in np.ndindex(*dim)]
    return np.array(found, dtype=object).reshape(*dim, *np.shape(found[0]))


def dot(first: Any, second: Any) -> Any:
    """Return the scalar product of two vectors of exact numbers."""
    return sum(a * b for a, b in zip(first, second, strict=True))


def norm(vector: Any) -> Any:
    """Return the length of a vector of exact numbers."""
    return mpmath.sqrt(dot(vector, vector))


def rotated(w: Any, x: Any) -> list[Any]:
    """Return the rotation of a vector x by a vector w, whose length is the angle."""
    t = norm(w)
    if t == 0:
        return list(x)
    k = [c / t for c in w]
    cross = [k[1] * x[2] - k[2] * x[1], k[2] * x[0] - k[0] * x[2], k[0] * x[1] - k[1] * x[0]]
    return [x[j] * mpmath.cos(t) + cross[j] * mpmath.sin(t) + k[j] * dot(k, x) * (1 - mpmath.cos(t)) for j in range(3)]


def derivative(
    formula: Formula, point: Mapping[str, Values], direction: Mapping[str, Values], seeds: Mapping[str, Values]
) -> float:
    """Return the derivative of the weighted sum of all outputs along a direction.

    Args:
        formula: the function.
        point: the values of all arguments.
        direction: the direction of those that move.
        seeds: the weights of the outputs.
    """
    with mpmath.workdps(DIGITS):
        step = mpmath.mpf(STEP)
        return float(
            (_total(formula, point, direction, seeds, step) - _total(formula, point, direction, seeds, -step)) / (2 * step)
        )


def _total(
    formula: Formula, point: Mapping[str, Values], direction: Mapping[str, Values], seeds: Mapping[str, Values], step: Any
) -> Any:
    values: dict[str, Any] = {}
    for name, array in point.items():
        exact = _number(array.astype(np.float64)) if array.dtype.kind == "f" else array
        if name in direction:
            exact = exact + step * _number(direction[name].astype(np.float64))
        values[name] = exact if np.ndim(exact) else exact if array.dtype.kind == "f" else int(array)
    outputs = formula(SimpleNamespace(**values))
    return sum((_number(seeds[name].astype(np.float64)) * outputs[name]).sum() for name in outputs)
