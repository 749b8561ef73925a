"""The table of builtins by their name in Warp; builtins without a row are unsupported."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from warpsmith.validation.oracle.builtins import (
    bits,
    boxes,
    decompositions,
    hash_grids,
    intersections,
    linear_algebra,
    meshes,
    noise,
    norms,
    poses,
    randoms,
    rotations,
    scalars,
    textures,
    tile_math,
    tiles,
    volumes,
)
from warpsmith.validation.oracle.builtins.named_parameters import Named
from warpsmith.validation.oracle.values import (
    operators,
)
from warpsmith.validation.oracle.values.interpretation_errors import Apart, Unsupported
from warpsmith.validation.oracle.values.kernel_arrays import Array
from warpsmith.validation.oracle.values.lanes import lane_aware, shape_of
from warpsmith.validation.oracle.values.operators import Row
from warpsmith.validation.oracle.values.value_types import Components, Quaternion, Transform, Value, describe


def _atomic(name: str, operation: Row) -> Row:
    """Make a row that replaces an element and returns its old value; threads run in sequence and cannot interfere."""

    @lane_aware
    def apply(array: Value, *rest: Value) -> Value:
        if not isinstance(array, Array) or len(rest) != len(array.shape) + 1:
            raise Unsupported(f"{name} of {describe(array)} with {len(rest)} more")
        return array.update(rest[:-1], operation, rest[-1])

    return apply


@lane_aware
def _compare_and_swap(array: Value, *rest: Value) -> Value:
    if not isinstance(array, Array) or len(rest) != len(array.shape) + 2:
        raise Unsupported(f"atomic_cas of {describe(array)} with {len(rest)} more")
    if array.accesses is not None:
        raise Apart("atomic_cas, whose result depends on other threads")
    key, expected, new = rest[:-2], rest[-2], rest[-1]
    old = array.get(key)
    if operators.COMPARISONS["=="](old, expected):
        array.set(key, new)
    return old


@lane_aware
def _length(value: Value) -> Value:
    if isinstance(value, Array):
        return np.int32(value.shape[0])
    if isinstance(value, tuple):
        return np.int32(len(value))
    if shape := shape_of(value):
        return np.int32(shape[0])
    raise Unsupported(f"len of {describe(value)}")


def _stacked(name: str, axis: int) -> Row:
    def apply(*vectors: Components) -> Components:
        types = {(vector.dtype, vector.shape) if type(vector) is np.ndarray else None for vector in vectors}
        if len(types) != 1 or None in types or vectors[0].ndim != 1:
            raise Unsupported(f"{name} of {', '.join(map(describe, vectors))}")
        return np.stack(vectors, axis=axis)

    return apply


@lane_aware
def _silent(*_: Value) -> None:
    """Print nothing: the messages of a kernel, and of expectations that fail, are not part of its result."""


ROWS: dict[str, Row] = {
    **operators.ROWS,
    **scalars.ROWS,
    **linear_algebra.ROWS,
    **rotations.ROWS,
    **poses.ROWS,
    **norms.ROWS,
    **bits.ROWS,
    **randoms.ROWS,
    **noise.ROWS,
    **intersections.ROWS,
    **decompositions.ROWS,
    "atomic_add": _atomic("atomic_add", operators.ROWS["add"]),
    "atomic_sub": _atomic("atomic_sub", operators.ROWS["sub"]),
    "atomic_min": _atomic("atomic_min", scalars.MINIMUM),
    "atomic_max": _atomic("atomic_max", scalars.MAXIMUM),
    "atomic_and": _atomic("atomic_and", operators.ROWS["bit_and"]),
    "atomic_or": _atomic("atomic_or", operators.ROWS["bit_or"]),
    "atomic_xor": _atomic("atomic_xor", operators.ROWS["bit_xor"]),
    "atomic_exch": _atomic("atomic_exch", lambda _, new: new),
    "atomic_cas": _compare_and_swap,
    "matrix_from_cols": _stacked("matrix_from_cols", 1),
    "matrix_from_rows": _stacked("matrix_from_rows", 0),
    "len": _length,
    "print": _silent,
    "printf": _silent,
    "expect_eq": _silent,
    "expect_neq": _silent,
    "expect_near": _silent,
}

UFUNCS: dict[Row, np.ufunc] = {
    operators.ROWS["add"]: np.add,
    operators.ROWS["sub"]: np.subtract,
    operators.ROWS["bit_and"]: np.bitwise_and,
    operators.ROWS["bit_or"]: np.bitwise_or,
    operators.ROWS["bit_xor"]: np.bitwise_xor,
}
"""What rows of numbers compute for each component."""

NAMED: dict[str, Named] = {
    **randoms.NAMED,
    **poses.NAMED,
    **volumes.NAMED,
    **textures.NAMED,
    **boxes.NAMED,
    **hash_grids.NAMED,
    **meshes.NAMED,
    **tiles.NAMED,
    **tile_math.NAMED,
}
"""Builtins whose parameters have names."""

IDENTITIES: dict[str, Any] = {"quat_identity": Quaternion, "transform_identity": Transform}
"""Builtins that return an identity and accept an optional scalar type."""

OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.MatMult: "mul",
    ast.Div: "div",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.BitAnd: "bit_and",
    ast.BitOr: "bit_or",
    ast.BitXor: "bit_xor",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
}
UNARY: dict[type[ast.unaryop], str] = {ast.USub: "neg", ast.UAdd: "pos", ast.Not: "unot", ast.Invert: "invert"}
COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
