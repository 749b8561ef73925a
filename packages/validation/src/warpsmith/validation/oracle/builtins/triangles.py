"""Geometry of triangles, edges and boxes in double precision, for all triangles or boxes at once."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from warpsmith.validation.oracle.values.interpretation_errors import Undefined
from warpsmith.validation.oracle.values.value_types import Components

_NEXT, _LAST = np.array([1, 2, 0]), np.array([2, 0, 1])

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


def crosses(a: Components, b: Components) -> Components:
    """Return the cross products of the rows of two arrays; `numpy.cross` is slow for few rows."""
    return np.asarray(a[..., _NEXT] * b[..., _LAST] - a[..., _LAST] * b[..., _NEXT])


def dots(a: Components, b: Components) -> Components:
    """Return the dot products of the rows of two arrays."""
    return np.asarray(np.einsum("...i,...i->...", a, b))


@dataclass(slots=True)
class Triangles:
    """Triangles with corners p, q and r, and what the queries of all points need."""

    p: Components
    q: Components
    r: Components
    e: Components = field(init=False)
    f: Components = field(init=False)
    normal: Components = field(init=False)
    moments: tuple[Components, Components] = field(init=False)
    squares: tuple[Components, Components, Components, Components] = field(init=False)

    def __post_init__(self) -> None:
        self.e, self.f = self.q - self.p, self.r - self.p
        self.normal = crosses(self.e, self.f)
        self.moments = crosses(self.e, self.p), crosses(self.f, self.p)
        areas = np.maximum(dots(self.normal, self.normal), 1e-300)
        self.squares = dots(self.e, self.e), dots(self.f, self.f), dots(self.e, self.f), areas

    def closest(self, x: Components) -> tuple[Components, Components]:
        """Return the squared distance of a point from each triangle, and the weights of the corners of the closest point."""
        ee, ff, ef, area = self.squares
        d = x - self.p
        dd, a, b = dots(d, d), dots(d, self.e), dots(d, self.f)
        v, w = (ff * a - ef * b) / area, (ee * b - ef * a) / area
        t = np.clip((b - a + ee - ef) / np.maximum(ee + ff - 2.0 * ef, 1e-300), 0.0, 1.0)
        zero, s = np.zeros_like(dd), np.clip(a / np.maximum(ee, 1e-300), 0.0, 1.0)
        outside = (v < 0.0) | (w < 0.0) | (v + w > 1.0)
        vs = np.stack([np.where(outside, 0.0, v), s, zero, 1.0 - t])
        ws = np.stack([np.where(outside, 0.0, w), zero, np.clip(b / np.maximum(ff, 1e-300), 0.0, 1.0), t])
        found = dd - 2.0 * (vs * a + ws * b) + vs * vs * ee + 2.0 * vs * ws * ef + ws * ws * ff
        best, every = np.argmin(found, axis=0), np.arange(len(dd))
        v, w = vs[best, every], ws[best, every]
        return np.maximum(found[best, every], 0.0), np.stack([1.0 - v - w, v, w], axis=1)

    def places(self, faces: Components, weights: Components) -> Components:
        """Return a point of each of some triangles, by the weights of its corners."""
        corners = np.stack([self.p[faces], self.q[faces], self.r[faces]], axis=1)
        return np.asarray(np.einsum("ij,ijk->ik", weights, corners))

    def hits(self, start: Components, way: Components, *, counted: bool = False) -> tuple[Components, Components]:
        """Return the parameter of a ray's hit of each triangle, infinite for none, and the weights of its corners.

        A ray through a common edge hits both triangles.

        Args:
            start: the origin of the ray.
            way: its direction.
            counted: whether the number of hits matters, so that edges leave the result open.

        Raises:
            Undefined: if the ray passes an edge of one triangle only, or starts at a triangle, within rounding.
        """
        slope, moment = self.normal @ way, crosses(start, way)
        steep = np.abs(slope) > 1e-12
        safe = np.where(steep, -slope, 1.0)
        t = dots(self.normal, start - self.p) / safe
        v, w = (self.f @ moment - self.moments[1] @ way) / safe, (self.moments[0] @ way - self.e @ moment) / safe
        weights = np.stack([1.0 - v - w, v, w], axis=1)
        least = np.min(weights, axis=1)
        inside = steep & (least > -MARGIN)
        on_edge = t[inside & (least < MARGIN) & (t > -MARGIN)]
        alone = any(np.count_nonzero(np.abs(on_edge - hit) < MARGIN) == 1 for hit in on_edge)
        if alone or (counted and len(on_edge)) or np.any(inside & (np.abs(t) < MARGIN)):
            raise Undefined("a ray that meets the edge of a triangle, or starts at a triangle")
        return np.where(inside & (t > 0.0), t, np.inf), weights

    def solid_angles(self, x: Components) -> Components:
        """Return the signed solid angle of each triangle, seen from a point."""
        a, b, c = ((corner - x) / np.linalg.norm(corner - x, axis=1, keepdims=True) for corner in (self.p, self.q, self.r))
        below = 1.0 + dots(a, b) + dots(b, c) + dots(c, a)
        return np.asarray(2.0 * np.arctan2(dots(a, crosses(b, c)), below))


def overlap(first: Components, second: Components) -> bool:
    """Return whether two triangles, each with a row for a corner, have a point in common: no axis separates them.

    Raises:
        Undefined: if they barely touch or are barely apart, or if one of them has no area: Warp decides such a case by a
            projection along an axis that depends on rounding.
    """
    sides = [triangle[_NEXT] - triangle for triangle in (first, second)]
    normals = np.array([crosses(edges[0], edges[1]) for edges in sides])
    across = crosses(sides[0][:, None], sides[1][None]).reshape(9, 3)
    rows = np.concatenate([normals, across, *(crosses(normal, edges) for normal, edges in zip(normals, sides, strict=True))])
    sizes = np.sqrt(dots(rows, rows))
    if not (sizes[:2] > MARGIN).all():
        raise Undefined("a triangle without area")
    margins = np.full(len(rows), 10 * MARGIN)
    margins[:2] /= np.minimum(sizes[:2], 1.0)  # Warp compares distances from the planes before it divides by these sizes
    kept = sizes > MARGIN
    rows, margins = rows[kept] / sizes[kept, None], margins[kept]
    a, b = rows @ first.T, rows @ second.T
    gaps = np.maximum(a.min(axis=1) - b.max(axis=1), b.min(axis=1) - a.max(axis=1))
    if np.any(gaps > margins):
        return False
    if np.any(gaps >= -margins):
        raise Undefined("triangles that barely touch or are barely apart")
    return True


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
