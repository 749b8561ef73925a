"""Queries of boxes by comparing all of them: BVHs, and the boxes around the triangles of a mesh."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from warpsmith.validation.oracle.builtins.named_parameters import Named
from warpsmith.validation.oracle.builtins.triangles import box_entries, decided
from warpsmith.validation.oracle.builtins.volumes import near_point
from warpsmith.validation.oracle.values.choices import CHOICES
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.value_types import Components, Value, describe


@dataclass(frozen=True, slots=True)
class Boxes:
    """The lower and upper corners of boxes."""

    low: Components
    high: Components


class Root:
    """The node that contains all boxes: without groups, the root of any group."""


class Query:
    """What a query found; kernels receive one number after another."""

    per_thread = True
    """Threads that run together cannot share a query, because they take numbers from it."""

    def __init__(self, found: Sequence[int]) -> None:
        self.rest = list(found)
        self.valid = True

    def __iter__(self) -> Iterator[Value]:
        while self.rest:
            yield np.int32(self.rest.pop(0))

    def take(self, count: int) -> list[int]:
        """Remove and return the next numbers."""
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken


def found(mask: Components) -> Query:
    """Return the query that found the marked numbers."""
    return Query(CHOICES.ordered(np.flatnonzero(mask).tolist()))


def boxes_of(value: Value, root: Value = None) -> Boxes:
    """Return the boxes of an argument.

    Raises:
        Unsupported: if it is no BVH, or the query does not start at the root.
    """
    if not isinstance(value, Boxes) or not (root is None or isinstance(root, Root)):
        raise Unsupported(f"a query of {describe(value)} from {describe(root)}")
    return value


def in_box(boxes: Boxes, low: Value, high: Value) -> Query:
    """Return the boxes that a box meets."""
    low, high = near_point(low), near_point(high)
    return found(np.all((boxes.low <= high) & (low <= boxes.high), axis=1))


def in_ball(boxes: Boxes, center: Value, radius: Value) -> Components:
    """Return for each box whether a ball meets it."""
    if type(radius) is not np.float32:
        raise Unsupported(f"a radius that is {describe(radius)}")
    point = near_point(center).astype(np.float64)
    offset = np.clip(point, boxes.low, boxes.high) - point
    return np.asarray(~decided(np.sum(offset * offset, axis=1), max(float(radius), 0.0) ** 2))


def on_ray(boxes: Boxes, start: Value, way: Value, radius: Value = np.float32(0)) -> Query:  # noqa: B008 - immutable
    """Return the boxes that a ray meets, which are enlarged by a radius."""
    if type(radius) is not np.float32:
        raise Unsupported(f"a radius that is {describe(radius)}")
    wider = max(float(radius), 0.0)
    start, way = near_point(start).astype(np.float64), near_point(way).astype(np.float64)
    return found(box_entries(boxes.low - wider, boxes.high + wider, start, way))


def _next(query: Value, index: Value) -> tuple[Value, Value]:
    if not isinstance(query, Query) or type(index) is not np.int32:
        raise Unsupported(f"the next of {describe(query)} in {describe(index)}")
    taken = query.take(1)
    return np.bool_(bool(taken)), np.int32(taken[0]) if taken else index


def root_of(value: Value, group: Value) -> Root:
    """Return the root of a group; without groups, all boxes are in group zero.

    Raises:
        Unsupported: for other groups.
    """
    boxes_of(value)
    if type(group) is not np.int32 or group != 0:
        raise Unsupported(f"the group {group}")
    return Root()


NEXT = Named("query index", _next, ("index",))

NAMED: dict[str, Named] = {
    "bvh_query_aabb": Named("id low high root?", lambda b, low, high, root: in_box(boxes_of(b, root), low, high)),
    "bvh_query_ray": Named("id start dir root?", lambda b, start, way, root: on_ray(boxes_of(b, root), start, way)),
    "bvh_query_sphere": Named(
        "id center radius root?", lambda b, x, radius, root: found(in_ball(boxes_of(b, root), x, radius))
    ),
    "bvh_query_capsule": Named(
        "id start dir radius root?", lambda b, x, way, radius, root: on_ray(boxes_of(b, root), x, way, radius)
    ),
    "bvh_query_next": NEXT,
    "bvh_get_group_root": Named("id group", root_of),
}
