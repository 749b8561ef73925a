"""Builtins that compute with tiles: maps, reductions, scans, sorting, products, solvers and transforms by NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from warpsmith.validation.oracle.builtins.boxes import Query, boxes_of, in_box, on_ray
from warpsmith.validation.oracle.builtins.meshes import Mesh
from warpsmith.validation.oracle.builtins.named_parameters import Named
from warpsmith.validation.oracle.builtins.tile_maps import tile_map, tile_reduce
from warpsmith.validation.oracle.builtins.tiles import as_integers, tile_of
from warpsmith.validation.oracle.values.choices import CHOICES
from warpsmith.validation.oracle.values.interpretation_errors import Undefined, Unsupported
from warpsmith.validation.oracle.values.operators import Row
from warpsmith.validation.oracle.values.tile_values import Tile
from warpsmith.validation.oracle.values.value_types import FLOATS, Components, Type, Value, describe, of

# ------------------------------------------------------------------------------------------------------ maps and reductions


def _reduction(operation: Any) -> Row:
    """Make a row of a reduction by a NumPy function of an array and an axis."""

    def apply(value: Value, axis: Value) -> Tile:
        tile = tile_of(value)
        if axis is not None:
            return Tile(np.asarray(operation(tile.data, as_integers(axis)[0]), tile.element.scalar), tile.element)
        flat = tile.data.reshape(-1, *tile.element.shape)
        return Tile(np.asarray(operation(flat, 0), tile.element.scalar)[None], tile.element)

    return apply


def _sum(values: Components, axis: int) -> Components:
    wide = values.astype(np.float64) if values.dtype.kind == "f" else values
    return np.asarray(np.sum(wide, axis=axis, dtype=wide.dtype))


def _extreme_place(choose: Any) -> Row:
    def apply(value: Value) -> Tile:
        tile = tile_of(value)
        if tile.element.shape:
            raise Unsupported(f"an extreme of {tile.element}")
        places = np.flatnonzero(tile.data.ravel() == choose(tile.data))
        return Tile(np.array([CHOICES.pick(places.tolist())], np.int32), Type(np.int32))

    return apply


def _scan(operation: Any, *, exclusive: bool = False) -> Row:
    def apply(value: Value) -> Tile:
        tile = tile_of(value)
        if tile.element.shape:
            raise Unsupported(f"a scan of {tile.element}")
        wide = tile.data.ravel().astype(np.float64) if tile.data.dtype.kind == "f" else tile.data.ravel()
        found = operation.accumulate(wide, dtype=wide.dtype)
        if exclusive:
            found = np.concatenate([[0], found[:-1]])
        return Tile(found.astype(tile.element.scalar).reshape(tile.shape), tile.element)

    return apply


def _dot(a: Value, b: Value) -> Tile:
    x, y = tile_of(a), tile_of(b)
    if x.element != y.element or x.shape != y.shape:
        raise Unsupported(f"tile_dot of {x.element} and {y.element}")
    return Tile(_sum((x.data * y.data).ravel(), 0).astype(x.element.scalar)[None], Type(x.element.scalar))


def _sort(keys: Value, values: Value) -> None:
    """Sort both tiles; the order of equal keys is open."""
    first, second = tile_of(keys), tile_of(values)
    flat = first.data.ravel()
    order = np.argsort(flat, kind="stable")
    if len(np.unique(flat)) < len(flat):
        CHOICES.use()
        order = np.lexsort((-np.arange(len(flat)), flat)) if CHOICES.other else order
    first.data[...] = flat[order].reshape(first.data.shape)
    second.data[...] = second.data.reshape(-1, *second.element.shape)[order].reshape(second.data.shape)


def _axpy(alpha: Value, source: Value, target: Value) -> None:
    x, y = tile_of(source), tile_of(target)
    if x.shape != y.shape or of(alpha) != x.element or x.element != y.element:
        raise Unsupported("tile_axpy of different types")
    y.data[...] = y.data + alpha * x.data


# --------------------------------------------------------------------------------------------------------- linear algebra


def _matrix(value: Value) -> Tile:
    tile = tile_of(value)
    if len(tile.shape) != 2 or tile.element.shape or tile.element.scalar not in FLOATS:
        raise Unsupported(f"a matrix that is a tile of {tile.element} of shape {tile.shape}")
    return tile


def _matmul(a: Value, b: Value, out: Value, alpha: Value, beta: Value, _: Value) -> Tile | None:
    x, y = _matrix(a), _matrix(b)
    if x.shape[1] != y.shape[0]:
        raise Unsupported(f"a product of tiles of shapes {x.shape} and {y.shape}")
    product = x.data.astype(np.float64) @ y.data.astype(np.float64) * (1.0 if alpha is None else float(alpha))
    if out is None:
        return Tile(product.astype(x.element.scalar), x.element)
    target = _matrix(out)
    kept = (1.0 if beta is None else float(beta)) * target.data.astype(np.float64)
    target.data[...] = (product + kept).astype(target.element.scalar)
    return None


def _factor(value: Value, upper: bool) -> Components:
    matrix = _matrix(value).data.astype(np.float64)
    half = np.triu(matrix) if upper else np.tril(matrix).T
    try:
        lower = np.linalg.cholesky(half.T + np.triu(half, 1))
    except np.linalg.LinAlgError:
        raise Undefined("a Cholesky factor of a matrix that is not positive definite") from None
    return np.asarray(lower.T if upper else lower)


def _is_upper(mode: Value) -> bool:
    if mode not in (None, "lower", "upper"):
        raise Unsupported(f"the fill mode {mode!r}")
    return bool(mode == "upper")


def _cholesky(value: Value, mode: Value) -> Tile:
    element = _matrix(value).element
    return Tile(_factor(value, _is_upper(mode)).astype(element.scalar), element)


def _cholesky_inplace(value: Value, mode: Value) -> None:
    value.data[...] = _cholesky(value, mode).data


def _solved(matrix: Components, right: Value) -> Tile:
    tile = tile_of(right)
    try:
        found = np.linalg.solve(matrix, tile.data.astype(np.float64))
    except (np.linalg.LinAlgError, ValueError) as error:
        raise Undefined(f"a triangular system: {error}") from None
    return Tile(found.astype(tile.element.scalar), tile.element)


def _lower_solve(matrix: Value, right: Value) -> Tile:
    return _solved(np.tril(_matrix(matrix).data.astype(np.float64)), right)


def _upper_solve(matrix: Value, right: Value) -> Tile:
    return _solved(np.triu(_matrix(matrix).data.astype(np.float64)), right)


def _cholesky_solve(matrix: Value, right: Value, mode: Value) -> Tile:
    factor = _matrix(matrix).data.astype(np.float64)
    lower = np.triu(factor).T if _is_upper(mode) else np.tril(factor)
    return _solved(lower @ lower.T, right)


def _inplace(solve: Row) -> Row:
    def apply(matrix: Value, right: Value, *rest: Value) -> None:
        right.data[...] = solve(matrix, right, *rest).data

    return apply


def _diag_add(value: Value, diagonal: Value) -> Tile:
    matrix, row = _matrix(value).copy(), tile_of(diagonal)
    if row.shape != matrix.shape[:1] or row.element != matrix.element:
        raise Unsupported("a diagonal of another length or type")
    places = np.arange(len(row.data))
    matrix.data[places, places] = matrix.data[places, places] + row.data
    return matrix


def _transform(sign: int) -> Row:
    def apply(value: Value) -> None:
        tile = tile_of(value)
        if tile.element.shape != (2,):
            raise Unsupported(f"a transform of {tile.element}")
        numbers = tile.data[..., 0].astype(np.float64) + 1j * tile.data[..., 1]
        found = np.fft.fft(numbers) if sign > 0 else np.fft.ifft(numbers) * numbers.shape[-1]
        tile.data[...] = np.stack([found.real, found.imag], axis=-1)

    return apply


# ---------------------------------------------------------------------------------------------------------------- queries


def _boxes(value: Value) -> Value:
    return value.boxes if isinstance(value, Mesh) else boxes_of(value)


def _next(block: int, query: Value) -> Tile:
    """Return the next number for the first thread, and -1 for all others: on a CPU, a query has one result at a time."""
    if not isinstance(query, Query):
        raise Unsupported(f"the next of {describe(query)}")
    taken = query.take(1)
    query.valid = bool(taken)
    return Tile(np.array((taken or [-1]) + [-1] * (block - 1), np.int32), Type(np.int32))


def _valid(query: Value) -> Value:
    if not isinstance(query, Query):
        raise Unsupported(f"the state of {describe(query)}")
    return np.bool_(query.valid)


_IN_BOX = Named("id low high", lambda boxes, low, high: in_box(_boxes(boxes), low, high))
_ON_RAY = Named("id start dir", lambda boxes, start, way: on_ray(_boxes(boxes), start, way))
_NEXT = Named("&block query", _next)

NAMED: dict[str, Named] = {
    "tile_map": Named("op *args", tile_map),
    "tile_reduce": Named("op a axis?", tile_reduce),
    "tile_sum": Named("a axis?", _reduction(_sum)),
    "tile_min": Named("a axis?", _reduction(np.min)),
    "tile_max": Named("a axis?", _reduction(np.max)),
    "tile_argmin": Named("a", _extreme_place(np.min)),
    "tile_argmax": Named("a", _extreme_place(np.max)),
    "tile_scan_inclusive": Named("a", _scan(np.add)),
    "tile_scan_exclusive": Named("a", _scan(np.add, exclusive=True)),
    "tile_scan_max_inclusive": Named("a", _scan(np.maximum)),
    "tile_scan_min_inclusive": Named("a", _scan(np.minimum)),
    "tile_dot": Named("a b", _dot),
    "tile_sort": Named("keys values", _sort),
    "tile_axpy": Named("alpha src dest", _axpy),
    "tile_matmul": Named("a b out? alpha? beta? precision?", _matmul),
    "tile_cholesky": Named("A fill_mode?", _cholesky),
    "tile_cholesky_inplace": Named("A fill_mode?", _cholesky_inplace),
    "tile_cholesky_solve": Named("L y fill_mode?", _cholesky_solve),
    "tile_cholesky_solve_inplace": Named("L y fill_mode?", _inplace(_cholesky_solve)),
    "tile_lower_solve": Named("L y", _lower_solve),
    "tile_lower_solve_inplace": Named("L y", _inplace(_lower_solve)),
    "tile_upper_solve": Named("U z", _upper_solve),
    "tile_upper_solve_inplace": Named("U z", _inplace(_upper_solve)),
    "tile_diag_add": Named("a d", _diag_add),
    "tile_fft": Named("inout", _transform(1)),
    "tile_ifft": Named("inout", _transform(-1)),
    "tile_bvh_query_aabb": _IN_BOX,
    "bvh_query_aabb_tiled": _IN_BOX,
    "tile_bvh_query_ray": _ON_RAY,
    "bvh_query_ray_tiled": _ON_RAY,
    "tile_mesh_query_aabb": _IN_BOX,
    "mesh_query_aabb_tiled": _IN_BOX,
    "tile_bvh_query_next": _NEXT,
    "bvh_query_next_tiled": _NEXT,
    "tile_mesh_query_aabb_next": _NEXT,
    "mesh_query_aabb_next_tiled": _NEXT,
    "tile_query_valid": Named("query", _valid),
}
