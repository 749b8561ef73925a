"""Sums, products and lengths of vectors, of the components of one thread or of several."""

from __future__ import annotations

import numpy as np

from warpsmith.validation.oracle.values.lanes import choose
from warpsmith.validation.oracle.values.value_types import Components, Quaternion, Value


def summed(terms: Components) -> Value:
    """Return the sum of components from first to last, rounded after each addition."""
    total = terms[0]
    for term in terms[1:]:
        total = total + term
    return total


def dot(a: Components, b: Components) -> Value:
    """Return the dot product."""
    return summed(a.view(np.ndarray) * b.view(np.ndarray))


def cross(a: Components, b: Components) -> Value:
    """Return the cross product of two vectors of three components."""
    (x, y, z), (p, q, r) = a, b
    return np.array([y * r - z * q, z * p - x * r, x * q - y * p], a.dtype)


def length(v: Components) -> Value:
    """Return the Euclidean length."""
    return np.sqrt(dot(v, v))


def normalized(v: Components) -> Value:
    """Return the unit vector; for length zero, the zero vector or the identity quaternion."""
    size, zero = length(v), np.zeros_like(v)
    if type(v) is not Quaternion:
        return choose(size > 0, v / size, zero)
    zero[3] = 1
    return choose(size > 0, v * (v.dtype.type(1) / size), zero)
