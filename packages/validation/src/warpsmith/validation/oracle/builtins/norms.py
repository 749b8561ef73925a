"""Norms of vectors, and the builtins that a GPU approximates and a CPU computes as usual."""

from __future__ import annotations

import numpy as np

from warpsmith.validation.oracle.builtins.linear_algebra import ROWS as LINEAR
from warpsmith.validation.oracle.builtins.linear_algebra import divide, is_vector
from warpsmith.validation.oracle.builtins.vector_sums import dot, length, summed
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.operators import Row
from warpsmith.validation.oracle.values.value_types import FLOATS, Components, Value, describe

_UNIT = np.float32(1)


def _row(name: str, operation: Row) -> Row:
    def apply(v: Value, delta: Value = _UNIT) -> Value:
        if not is_vector(v) or v.dtype != np.float32 or type(delta) is not np.float32:
            raise Unsupported(f"{name} of {describe(v)} and {describe(delta)}")
        return operation(v, delta)

    return apply


def _huber(v: Components, delta: Value) -> Value:
    square = dot(v, v)
    if square <= delta * delta:
        return np.float32(0.5) * square
    return delta * (np.sqrt(square) - np.float32(0.5) * delta)


def _pseudo_huber(v: Components, delta: Value) -> Value:
    return delta * np.sqrt(_UNIT + dot(v, v) / (delta * delta))


def _quotient(a: Value, b: Value) -> Value:
    if type(a) is not type(b) or type(a) not in FLOATS:
        raise Unsupported(f"div_approx of {describe(a)} and {describe(b)}")
    return divide(a, b)


_NORMS: dict[str, Row] = {
    "norm_l1": lambda v, _: summed(np.abs(v)),
    "norm_l2": lambda v, _: length(v),
    "norm_huber": _huber,
    "norm_pseudo_huber": _pseudo_huber,
    "smooth_normalize": lambda v, delta: v / _pseudo_huber(v, delta),
}
ROWS: dict[str, Row] = {
    **{name: _row(name, operation) for name, operation in _NORMS.items()},
    "div_approx": _quotient,
    "inverse_approx": LINEAR["inverse"],
}
