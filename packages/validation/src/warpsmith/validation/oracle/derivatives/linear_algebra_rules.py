"""Rules of vectors and matrices, of decompositions, and of norms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from warpsmith.validation.oracle.derivatives.duals import Dual, absolute, dot, length, root, unit
from warpsmith.validation.oracle.derivatives.rule_forms import Rule, constant, formula, like, linear, multilinear
from warpsmith.validation.oracle.values.interpretation_errors import Undefined, Unsupported
from warpsmith.validation.oracle.values.lanes import applied, class_of, count_of, joined, lane_of, shape_of
from warpsmith.validation.oracle.values.moving_values import CORNERS, paired, tangent_of, value_of
from warpsmith.validation.oracle.values.operators import Row
from warpsmith.validation.oracle.values.value_types import Components, Quaternion, Value

_EQUAL = 1.0e-6
"""The share of the largest value by which two singular values or eigenvalues have to differ."""


def _normalize(row: Row, v: Value) -> Value:
    if class_of(v.value) is Quaternion:
        return formula(lambda v: unit(v, (0.0, 0.0, 0.0, 1.0)))(row, v)
    return formula(lambda v: unit(v, [0.0] * len(v)))(row, v)


def _determinant(row: Row, m: Value) -> Value:
    """Differentiate row by row of the matrix, in each of which the determinant is linear."""

    def replaced(place: int) -> Value:
        def put(m: Components, t: Components) -> Components:
            wide = np.broadcast_to(m, np.broadcast_shapes(m.shape, t.shape)).copy()
            wide[place] = t[place]
            return np.asarray(wide)

        return row(applied(put, m.value, m.tangent))

    total = replaced(0)
    for place in range(1, (shape_of(m.value) or (0,))[0]):
        total = applied(np.add, total, replaced(place))
    return paired(row(m.value), total)


def _inverse(row: Row, m: Value) -> Value:
    value = row(m.value)

    def change(inverse: Components, t: Components) -> Components:
        CORNERS.note("inverse", np.all(inverse == 0, axis=(0, 1)) & np.any(t != 0, axis=(0, 1)))
        product = np.einsum("ij...,jk...->ik...", inverse, t)
        return np.asarray(-np.einsum("ij...,jk...->ik...", product, inverse))

    return paired(value, applied(change, value, m.tangent))


# --------------------------------------------------------------------------------------------------------- decompositions


def _apart(values: Components, scale: float) -> Components:
    """Return the inverse differences of values, zero on the diagonal.

    Raises:
        Undefined: if two values are equal: their vectors are open.
    """
    differences = values[None, :] - values[:, None]
    off = ~np.eye(len(values), dtype=np.bool_)
    if np.any(np.abs(differences[off]) <= _EQUAL * max(scale, 1e-300)):
        raise Undefined("the derivative of a decomposition with equal values")
    return np.asarray(np.divide(1.0, differences, out=np.zeros_like(differences), where=off))


def _singular(t: Components, parts: Any) -> tuple[Components, ...]:
    u, s, v = parts
    moved = u.T @ t @ v
    inverse = _apart(s * s, float(np.max(s * s)))
    left = inverse * (moved * s[None, :] + (moved * s[None, :]).T)
    right = inverse * (s[:, None] * moved + (s[:, None] * moved).T)
    return u @ left, np.diagonal(moved).copy(), v @ right


def _symmetric(t: Components, parts: Any) -> tuple[Components, ...]:
    vectors, values = parts
    moved = vectors.T @ ((t + t.T) / 2.0) @ vectors
    if np.abs(t - t.T).max() > 1e-9 * max(np.abs(t).max(), 1e-300):
        raise Unsupported("the derivative of eig3 along a matrix that is not symmetric")
    return vectors @ (_apart(values, float(np.abs(values).max())) * moved), np.diagonal(moved).copy()


def _triangular(t: Components, parts: Any) -> tuple[Components, ...]:
    q, r = parts
    moved = q.T @ t @ np.linalg.inv(r)
    turn = np.tril(moved, -1) - np.tril(moved, -1).T
    return q @ turn, (moved - turn) @ r


def _decomposition(change: Callable[[Components, Any], tuple[Components, ...]]) -> Rule:
    def apply(row: Row, m: Value) -> Value:
        def each(m: Components, t: Components) -> tuple[Any, ...]:
            parts = row(m)
            return parts, change(t, parts)

        count = count_of(m)
        if not count:
            return paired(*each(m.value, m.tangent))
        lanes = [each(lane_of(m.value, lane), lane_of(m.tangent, lane)) for lane in range(count)]
        return paired(joined([parts for parts, _ in lanes]), joined([moved for _, moved in lanes]))

    return apply


# ------------------------------------------------------------------------------------------------------------------ norms


def _huber(v: Dual, delta: Dual = Dual(1.0)) -> Dual:  # noqa: B008 - immutable
    square = dot(v, v)
    if square.value <= delta.value * delta.value:
        return 0.5 * square
    return delta * (root(square) - 0.5 * delta)


def _pseudo_huber(v: Dual, delta: Dual = Dual(1.0)) -> Dual:  # noqa: B008 - immutable
    return delta * root(1.0 + dot(v, v) / (delta * delta))


def _norm(function: Callable[..., Dual]) -> Rule:
    """Make the rule of a norm, whose row is written for single precision."""

    def apply(_: Row, *arguments: Value) -> Value:
        def evaluate(*parts: Any) -> tuple[Any, Any]:
            half = len(parts) // 2
            found = function(*[Dual(parts[place], parts[half + place]) for place in range(half)])
            value = found.value if np.ndim(found.value) else np.float64(found.value)
            return value, like(found.tangent, value)

        parts = (*map(value_of, arguments), *map(tangent_of, arguments))
        if count := count_of(parts):
            lanes = [evaluate(*lane_of(parts, lane)) for lane in range(count)]
            return paired(joined([value for value, _ in lanes]), joined([change for _, change in lanes]))
        return paired(*evaluate(*parts))

    return apply


RULES: dict[str, Rule] = {
    **dict.fromkeys(("transpose", "trace", "diag", "get_diag", "skew", "matrix_from_cols", "matrix_from_rows"), linear),
    **dict.fromkeys(("dot", "cross", "cw_mul", "outer", "ddot"), multilinear),
    **dict.fromkeys(("argmin", "argmax"), constant),
    "cw_div": formula(lambda a, b: a / b),
    "length": formula(length),
    "length_sq": formula(lambda v: dot(v, v)),
    "normalize": _normalize,
    "determinant": _determinant,
    "inverse": _inverse,
    "inverse_approx": _inverse,
    "svd3": _decomposition(_singular),
    "svd2": _decomposition(_singular),
    "qr3": _decomposition(_triangular),
    "eig3": _decomposition(_symmetric),
    "norm_l1": _norm(lambda v, *_: dot(absolute(v), Dual(np.ones(len(v))))),
    "norm_l2": _norm(lambda v, *_: length(v)),
    "norm_huber": _norm(_huber),
    "norm_pseudo_huber": _norm(_pseudo_huber),
    "smooth_normalize": _norm(lambda v, *delta: v / _pseudo_huber(v, *delta)),
}
