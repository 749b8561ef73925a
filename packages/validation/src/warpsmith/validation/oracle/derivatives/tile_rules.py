"""Rules of builtins of tiles. A tile that moves is a pair of tiles, both of which builtins change in place."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from warpsmith.validation.oracle.derivatives.rule_forms import Rule, linear, multilinear
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.moving_values import CORNERS, is_tile, overwrite, paired, tangent_of, value_of
from warpsmith.validation.oracle.values.operators import Row
from warpsmith.validation.oracle.values.tile_values import Tile
from warpsmith.validation.oracle.values.value_types import Moving, Value, of


def _map(_: Row, operation: Callable[..., Value], *arguments: Value) -> Value:
    """Return the tile of a function that is evaluated once for all elements, as if each had a thread."""
    shapes = [value_of(argument).shape for argument in arguments if isinstance(value_of(argument), Tile)]
    if any(shape != shapes[0] for shape in shapes):
        raise Unsupported("a map over tiles of different shapes")
    result = operation(*map(_in_lanes, arguments))
    count, element = int(np.prod(shapes[0])), of(value_of(result))
    if element is None:
        raise Unsupported("the derivative of a map that returns no numbers")
    value, tangent = (
        Tile(np.array(element.dump_all(part, count)).reshape(*shapes[0], *element.shape), element)
        for part in (value_of(result), tangent_of(result))
    )
    return paired(value, tangent)


def _in_lanes(argument: Value) -> Value:
    """Return the elements of a tile as those of several threads; other values as they are."""
    if type(argument) is Moving and isinstance(argument.value, Tile):
        return argument.mapped(_in_lanes)
    if isinstance(argument, Tile):
        return argument.element.load_all(argument.data.reshape(-1, *argument.element.shape))
    return argument


def _reduce(_: Row, operation: Callable[..., Value], tile: Value, axis: Value) -> Value:
    if axis is not None or not isinstance(value_of(tile), Tile):
        raise Unsupported("the derivative of a reduction along an axis")
    total, *rest = map(paired, tile.value.values(), tile.tangent.values())
    for element in rest:
        total = operation(total, element)
    return _single(total)


def _single(total: Value) -> Value:
    element = of(value_of(total))
    if element is None:
        raise Unsupported("the derivative of a reduction to no number")
    return paired(*(Tile(np.array([part], element.scalar), element) for part in (value_of(total), tangent_of(total))))


def _extreme(name: str, choose: Callable[[Any], Any]) -> Rule:
    def apply(row: Row, tile: Value, axis: Value) -> Value:
        if axis is not None or tile.value.element.shape:
            raise Unsupported(f"the derivative of {name} along an axis, or of vectors")
        value, flat = row(tile.value, None), tile.tangent.data.ravel()
        equal = tile.value.data.ravel() == choose(tile.value.data)
        CORNERS.note(name, len(np.unique(flat[equal])) > 1)
        return paired(value, Tile(flat[equal][:1].copy(), value.element))

    return apply


def _product(row: Row, a: Value, b: Value, out: Value, alpha: Value, beta: Value, mode: Value) -> Value:
    if Moving in (type(alpha), type(beta)):
        raise Unsupported("the derivative of a product of tiles by its factors")
    if out is None:
        return multilinear(lambda a, b: row(a, b, None, alpha, beta, mode), a, b)
    (x, y), (s, t), factor = map(value_of, (a, b)), map(tangent_of, (a, b)), 1.0 if alpha is None else float(alpha)
    change = factor * (s.data @ y.data + x.data @ t.data) + (1.0 if beta is None else float(beta)) * out.tangent.data
    row(x, y, out.value, alpha, beta, mode)
    out.tangent.data[...] = change
    return None


def _axpy(row: Row, alpha: Value, source: Value, target: Value) -> None:
    moved = value_of(alpha) * tangent_of(source).data + tangent_of(alpha) * value_of(source).data
    row(value_of(alpha), value_of(source), target.value)
    target.tangent.data[...] += moved


# --------------------------------------------------------------------------------------------------------- linear algebra


def _cholesky(row: Row, matrix: Value, mode: Value) -> Value:
    is_upper = mode == "upper"
    half = np.triu(matrix.tangent.data).T if is_upper else np.tril(matrix.tangent.data)
    moved = half + np.tril(half, -1).T
    value = row(matrix.value, mode)
    factor = value.data.T if is_upper else value.data
    inverse = np.linalg.inv(factor)
    inner = np.tril(inverse @ moved @ inverse.T)
    inner[np.diag_indices_from(inner)] *= 0.5
    change = factor @ inner
    return paired(value, Tile(np.ascontiguousarray(change.T if is_upper else change), value.element))


def _solve(part: Callable[[Any], Any], row: Row, matrix: Value, right: Value) -> Value:
    """Differentiate the solution of a triangular system: the matrix times its change is what remains of the right side."""
    value = row(value_of(matrix), value_of(right))
    rest = tangent_of(right).data - part(tangent_of(matrix).data) @ value.data
    return paired(value, Tile(np.linalg.solve(part(value_of(matrix).data), rest), value.element))


def _cholesky_solve(row: Row, matrix: Value, right: Value, mode: Value) -> Value:
    value = row(value_of(matrix), value_of(right), mode)
    lower, moved = (
        np.triu(part.data).T if mode == "upper" else np.tril(part.data) for part in (value_of(matrix), tangent_of(matrix))
    )
    rest = tangent_of(right).data - (moved @ lower.T + lower @ moved.T) @ value.data
    return paired(value, Tile(np.linalg.solve(lower @ lower.T, rest), value.element))


def _in_place(rule: Rule) -> Rule:
    """Make the rule of a builtin that stores its result in its last tile."""

    def apply(row: Row, *arguments: Value) -> None:
        target = [argument for argument in arguments if is_tile(argument)][-1]

        def copied(*parts: Value) -> Value:
            copies = [part.copy() if is_tile(part) else part for part in parts]
            row(*copies)
            return [part for part in copies if is_tile(part)][-1]

        overwrite(target, rule(copied, *arguments))

    return apply


_LINEAR = (
    "tile_load tile_store tile_atomic_add tile_sum tile_view tile_assign tile_extract tile_reshape tile_squeeze tile_broadcast "
    "tile_transpose tile_astype tile_scan_inclusive tile_scan_exclusive tile_diag_add tile_fft tile_ifft "
    "tile_load_indexed tile_store_indexed tile_atomic_add_indexed "
    "tile untile tile_scatter_add tile_scatter_masked tile_from_thread"
).split()

RULES: dict[str, Rule] = {
    **dict.fromkeys(_LINEAR, linear),
    "tile_map": _map,
    "tile_reduce": _reduce,
    "tile_min": _extreme("tile_min", np.min),
    "tile_max": _extreme("tile_max", np.max),
    "tile_dot": multilinear,
    "tile_matmul": _product,
    "tile_axpy": _axpy,
    "tile_cholesky": _cholesky,
    "tile_cholesky_inplace": _in_place(_cholesky),
    "tile_lower_solve": partial(_solve, np.tril),
    "tile_lower_solve_inplace": _in_place(partial(_solve, np.tril)),
    "tile_upper_solve": partial(_solve, np.triu),
    "tile_upper_solve_inplace": _in_place(partial(_solve, np.triu)),
    "tile_cholesky_solve": _cholesky_solve,
    "tile_cholesky_solve_inplace": _in_place(_cholesky_solve),
}
