"""Hash grids: points by the cell of an endless grid that contains them; cells repeat after a number of cells."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

import numpy as np

from warpsmith.validation.oracle.builtins.boxes import NEXT, Query
from warpsmith.validation.oracle.builtins.named_parameters import Named
from warpsmith.validation.oracle.builtins.volumes import near_point
from warpsmith.validation.oracle.values.interpretation_errors import Undefined, Unsupported
from warpsmith.validation.oracle.values.value_types import Components, Value, describe


@dataclass(slots=True)
class Grid:
    """Points and the number of cells along each axis."""

    points: Components
    lengths: tuple[int, ...]
    width: float
    order: list[int] = field(init=False)
    cells: dict[tuple[int, ...], list[int]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        places = self.cell(self.points) % np.array(self.lengths)
        for number, place in enumerate(places.tolist()):
            self.cells.setdefault(tuple(place), []).append(number)
        self.order = [number for cell in sorted(self.cells, key=lambda cell: cell[::-1]) for number in self.cells[cell]]

    def cell(self, place: Components) -> Components:
        """Return the cell that contains a point."""
        return np.asarray(np.floor(place * np.float32(np.float32(1.0) / np.float32(self.width))).astype(np.int64))

    def near(self, point: Components, radius: Value) -> list[int]:
        """Return the points of all cells that meet the box around a ball; each cell is visited once, along x first."""
        first, last = self.cell(point - radius), self.cell(point + radius)
        last = np.minimum(last, first + np.array(self.lengths) - 1)
        x, y, z = (range(a, b + 1) for a, b in zip(first.tolist(), last.tolist(), strict=True))
        found: list[int] = []
        for k, j, i in itertools.product(z, y, x):
            found += self.cells.get((i % self.lengths[0], j % self.lengths[1], k % self.lengths[2]), [])
        return found


def _query(grid: Value, point: Value, radius: Value) -> Query:
    if not isinstance(grid, Grid) or type(radius) is not np.float32:
        raise Unsupported(f"a query of {describe(grid)} within {describe(radius)}")
    return Query(grid.near(near_point(point), radius))


def _point_id(grid: Value, index: Value) -> Value:
    if not isinstance(grid, Grid) or type(index) is not np.int32:
        raise Unsupported(f"the point {describe(index)} of {describe(grid)}")
    if not 0 <= index < len(grid.order):
        raise Undefined(f"point {index} of {len(grid.order)}")
    return np.int32(grid.order[index])


NAMED: dict[str, Named] = {
    "hash_grid_query": Named("id point max_dist", _query),
    "hash_grid_query_next": NEXT,
    "hash_grid_point_id": Named("id index", _point_id),
}
