"""Geometry of triangles, edges and boxes in double precision, for all triangles or boxes at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from warpsmith.validation.oracle.errors import Undefined
from warpsmith.validation.oracle.types import Components

MARGIN = 1.0e-6
"""How near to the limit of a test its outcome depends on rounding."""


def decided(values: Any, limit: Any = 0.0, *, margin: float = MARGIN) -> Any:
    """Return whether each value exceeds the limit.

    Raises:
        Undefined: if a value is too near to the limit for arithmetic in single precision.
    """
    distances = np.asarray(values) - limit
    if np.any(np.abs(distances) < margin):
        raise Undefined("a geometric test whose outcome depends on rounding")
    return distances > 0


def dots(a: Components, b: Components) -> Components:
    """Return the dot products of the rows of two arrays."""
    return np.asarray(np.sum(a * b, axis=-1))


def closest_points(p: Components, q: Components, r: Components, x: Components) -> tuple[Components, Components]:
    """Return the squared distance of ``x`` from each triangle, and the weights of the corners of the closest point."""
    corners = (p, q, r)
    weights, squares = [_inside(p, q, r, x)], []
    for start, end in ((0, 1), (1, 2), (2, 0)):
        edge = corners[end] - corners[start]
        t = np.clip(dots(x - corners[start], edge) / np.maximum(dots(edge, edge), 1e-300), 0.0, 1.0)
        row = np.zeros((len(p), 3))
        row[:, start], row[:, end] = 1.0 - t, t
        weights.append(row)
    for row in weights:
        offset = row[:, :1] * p + row[:, 1:2] * q + row[:, 2:] * r - x
        squares.append(np.where(np.min(row, axis=1) < 0.0, np.inf, dots(offset, offset)))
    best = np.argmin(squares, axis=0)
    every = np.arange(len(p))
    return np.asarray(squares)[best, every], np.asarray(weights)[best, every]


def _inside(p: Components, q: Components, r: Components, x: Components) -> Components:
    """Return the weights of the corners at the projections of ``x`` to the planes."""
    e, f, d = q - p, r - p, x - p
    normal = np.cross(e, f)
    area = np.maximum(dots(normal, normal), 1e-300)
    v, w = dots(np.cross(d, f), normal) / area, dots(np.cross(e, d), normal) / area
    return np.stack([1.0 - v - w, v, w], axis=1)


def ray_hits(
    p: Components, q: Components, r: Components, start: Components, way: Components, *, counted: bool = False
) -> tuple[Components, Components]:
    """Return the parameter of the hit of each triangle, infinite for none, and the weights of its corners.

    A ray through a common edge hits both triangles.

    Args:
        p: the first corner of each triangle.
        q: the second corners.
        r: the third corners.
        start: the origin of the ray.
        way: its direction.
        counted: whether the number of hits matters, so that edges leave the result open.

    Raises:
        Undefined: if the ray passes an edge of one triangle only, or starts at a triangle, within rounding.
    """
    e, f, d = q - p, r - p, start - p
    normal = np.cross(e, f)
    slope = dots(normal, way)
    steep = np.abs(slope) > 1e-12
    safe = np.where(steep, -slope, 1.0)
    t = dots(normal, d) / safe
    side = np.cross(d, way)
    v, w = dots(f, side) / safe, -dots(e, side) / safe
    weights = np.stack([1.0 - v - w, v, w], axis=1)
    least = np.min(weights, axis=1)
    inside = steep & (least > -MARGIN)
    on_edge = t[inside & (least < MARGIN) & (t > -MARGIN)]
    alone = any(np.count_nonzero(np.abs(on_edge - one) < MARGIN) == 1 for one in on_edge)
    if alone or (counted and len(on_edge)) or np.any(inside & (np.abs(t) < MARGIN)):
        raise Undefined("a ray that meets the edge of a triangle, or starts at a triangle")
    return np.where(inside & (t > 0.0), t, np.inf), weights


def solid_angles(p: Components, q: Components, r: Components, x: Components) -> Components:
    """Return the signed solid angle of each triangle, seen from ``x``."""
    a, b, c = ((corner - x) / np.linalg.norm(corner - x, axis=1, keepdims=True) for corner in (p, q, r))
    below = 1.0 + dots(a, b) + dots(b, c) + dots(c, a)
    return np.asarray(2.0 * np.arctan2(dots(a, np.cross(b, c)), below))


def overlap(first: Components, second: Components) -> bool:
    """Return whether two triangles, each with a row for a corner, have a point in common: no axis separates them.

    Raises:
        Undefined: if they barely touch or are barely apart.
    """
    sides = [np.roll(one, -1, axis=0) - one for one in (first, second)]
    normals = [np.cross(one[0], one[1]) for one in sides]
    axes = [*normals, *(np.cross(a, b) for a in sides[0] for b in sides[1])]
    axes += [np.cross(normal, side) for normal, own in zip(normals, sides, strict=True) for side in own]
    rows = np.array([axis / size for axis in axes if (size := np.linalg.norm(axis)) > MARGIN])
    a, b = rows @ first.T, rows @ second.T
    gaps = np.maximum(a.min(axis=1) - b.max(axis=1), b.min(axis=1) - a.max(axis=1))
    return not bool(decided(gaps.max(), margin=10 * MARGIN))


def box_entries(low: Components, high: Components, start: Components, way: Components) -> Components:
    """Return for each box whether a ray meets it.

    Raises:
        Undefined: if the ray touches a box within rounding.
    """
    along = way != 0
    with np.errstate(divide="ignore", invalid="ignore"):
        near, far = (low - start) / way, (high - start) / way
    first = np.max(np.minimum(near, far)[:, along], axis=1, initial=-np.inf)
    last = np.min(np.maximum(near, far)[:, along], axis=1, initial=np.inf)
    between = np.min(np.minimum(start - low, high - start)[:, ~along], axis=1, initial=np.inf)
    return np.asarray(decided(np.minimum(np.minimum(last, last - first), between)))
