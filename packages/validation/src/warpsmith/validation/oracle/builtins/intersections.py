"""Tests of two triangles, and closest points of two edges."""

from __future__ import annotations

import numpy as np

from warpsmith.validation.oracle.builtins.linear_algebra import is_vector
from warpsmith.validation.oracle.builtins.triangles import overlap
from warpsmith.validation.oracle.builtins.vector_sums import dot, length
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.operators import Row
from warpsmith.validation.oracle.values.value_types import Value, describe


def _triangles(*corners: Value) -> Value:
    if len(corners) != 6 or not all(is_vector(corner, 3) and corner.dtype == corners[0].dtype for corner in corners):
        raise Unsupported(f"intersect_tri_tri of {', '.join(map(describe, corners))}")
    rows = np.array(corners, np.float64)
    return np.int32(overlap(rows[:3], rows[3:]))


def _edges(p: Value, q: Value, r: Value, s: Value, epsilon: Value) -> Value:
    """Return the weights of the closest points of the edges pq and rs, and their distance (Ericson, 2004)."""
    if not all(is_vector(point, 3) and point.dtype == np.float32 for point in (p, q, r, s)) or type(epsilon) is not np.float32:
        raise Unsupported("closest_point_edge_edge of such values")
    first, second, between = q - p, s - r, p - r
    a, e, f = dot(first, first), dot(second, second), dot(second, between)
    at, to = np.float32(0), np.float32(0)
    c, b = dot(first, between), dot(first, second)
    if a <= epsilon < e:
        to = _unit(f / e)
    elif e <= epsilon < a:
        at = _unit(-c / a)
    elif a > epsilon and e > epsilon:
        rest = a * e - b * b
        at = _unit((b * f - c * e) / rest) if rest != 0 else np.float32(0)
        to = (b * at + f) / e
        if to < 0:
            at, to = _unit(-c / a), np.float32(0)
        elif to > 1:
            at, to = _unit((b - c) / a), np.float32(1)
    return np.array([at, to, length((r + second * to) - (p + first * at))], np.float32)


def _unit(share: Value) -> Value:
    return np.float32(min(max(share, np.float32(0)), np.float32(1)))


ROWS: dict[str, Row] = {"intersect_tri_tri": _triangles, "closest_point_edge_edge": _edges}
