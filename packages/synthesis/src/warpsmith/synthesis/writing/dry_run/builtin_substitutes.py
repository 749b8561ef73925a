"""Substitutes for Warp's builtins: one row each, by the name that follows ``wp.`` in a kernel."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from operator import add, mul, sub, truediv
from types import SimpleNamespace
from typing import Any

from warpsmith.synthesis.writing.dry_run.arrays import Output
from warpsmith.synthesis.writing.dry_run.plain_rotations import ROTATION_FUNCTIONS
from warpsmith.synthesis.writing.dry_run.plain_vectors import Matrix, Value, Vector, entrywise, inner


def _same(value: Any) -> Any:
    return value


def _nothing(*_: Any, **__: Any) -> None:
    """Do nothing."""


def _decorator(function: Any = None, **_: Any) -> Any:
    """Return the function, or a decorator if there are options."""
    return _same if function is None else function


class _Annotation:
    """A type in annotations, ``wp.array(dtype=float)`` or ``wp.array2d[float]``, and a conversion, ``wp.int32(x)``."""

    def __init__(self, convert: Callable[[Any], Any] = float) -> None:
        self._convert = convert

    def __call__(self, *args: Any, **_: Any) -> Any:
        """Accept the description of an array, or convert a number."""
        return self._convert(args[0]) if args else None

    def __getitem__(self, _: Any) -> None:
        """Accept the type of the elements."""


def _each(function: Callable[..., Any]) -> Callable[..., Any]:
    """Apply ``function`` to numbers, or to each component of vectors."""

    def either(*args: Any) -> Any:
        if isinstance(args[0], Vector):
            return Vector(map(function, *(arg.parts for arg in args)))
        return function(*args)

    return either


def _choice(function: Callable[..., Any]) -> Callable[..., Any]:
    """Apply ``min`` or ``max`` to two numbers, to each component of two vectors, or to the components of one."""
    each = _each(function)
    return lambda *args: each(*args) if len(args) > 1 else function(args[0].parts)


def _entrywise(function: Callable[[float, float], float]) -> Callable[[Any, Any], Value]:
    each = _each(function)
    return lambda a, b: entrywise(function, a, b) if isinstance(a, Matrix) else each(a, b)


def _round(x: float) -> float:
    """Round halves away from zero; Python rounds them to even numbers."""
    return math.copysign(math.floor(abs(x) + 0.5), x)


def _smoothstep(low: float, high: float, x: float) -> float:
    t = min(max((x - low) / (high - low), 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


def _length(v: Vector) -> float:
    return math.sqrt(inner(v.parts, v.parts))


def _normalize(v: Vector) -> Vector:
    length = _length(v)
    return type(v)(part / length for part in v.parts) if length > 0.0 else v


def _cross(a: Vector, b: Vector) -> Vector:
    return Vector((a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x))


def _diag(v: Vector) -> Matrix:
    return Matrix([part if row == column else 0.0 for column, part in enumerate(v.parts)] for row in range(len(v.parts)))


def _determinant(rows: Sequence[Sequence[float]]) -> float:
    """Expand the determinant along the first row."""
    if not rows:
        return 1.0
    return math.fsum((-1) ** column * entry * _determinant(_minor(rows, 0, column)) for column, entry in enumerate(rows[0]))


def _minor(rows: Sequence[Sequence[float]], row: int, column: int) -> list[list[float]]:
    return [[*line[:column], *line[column + 1 :]] for number, line in enumerate(rows) if number != row]


def _inverse(m: Matrix) -> Matrix:
    rows, determinant, size = m.rows, _determinant(m.rows), range(len(m.rows))
    return Matrix([(-1) ** (i + j) * _determinant(_minor(rows, j, i)) / determinant for j in size] for i in size)


def _unsigned(width: int) -> _Annotation:
    """Return an unsigned type, to which integers convert modulo 2**width."""
    return _Annotation(lambda x: int(x) & (2**width - 1))


def _atomic(combine: Callable[..., Any]) -> Callable[..., Value]:
    def atomic(array: Output, *rest: Any) -> Value:
        return array.update(combine, rest[:-1] if len(rest) > 2 else rest[0], rest[-1])

    return atomic


def _vector(size: int) -> Callable[..., Vector]:
    return lambda *parts: Vector(parts if len(parts) == size else (parts or (0.0,)) * size)


def _matrix(rows: int, columns: int) -> Callable[..., Matrix]:
    count = rows * columns

    def build(*entries: float) -> Matrix:
        filled = entries if len(entries) == count else (entries or (0.0,)) * count
        return Matrix(filled[start : start + columns] for start in range(0, count, columns))

    return build


_TYPES = SimpleNamespace(vector=lambda length, **_: _vector(length), matrix=lambda shape, **_: _matrix(*shape))
"""The module ``wp.types``."""


FUNCTIONS: dict[str, Any] = {
    # ------------------------------------------------------------------------------------------------- what files consist of
    "kernel": _decorator,
    "func": _decorator,
    "constant": _same,
    "struct": _same,
    "types": _TYPES,
    **dict.fromkeys(("overload", "print", "printf", "expect_eq", "expect_neq", "expect_near"), _nothing),
    **{f"{kind}{rank}": _Annotation() for kind in ("array", "indexedarray") for rank in ("", "1d", "2d", "3d", "4d")},
    **dict.fromkeys(("float16", "float32", "float64"), _Annotation()),
    **dict.fromkeys(("int8", "int16", "int32", "int64"), _Annotation(int)),
    **{f"uint{width}": _unsigned(width) for width in (8, 16, 32, 64)},
    "bool": _Annotation(bool),
    **{f"vec{size}{kind}": _vector(size) for size in (2, 3, 4) for kind in ("", *"fdhisblu", "us", "ub", "ui", "ul")},
    **{f"mat{size}{size}{kind}": _matrix(size, size) for size in (2, 3, 4) for kind in ("", *"fdh")},
    **ROTATION_FUNCTIONS,
    # ------------------------------------------------------------------------------------------------------------- selection
    "min": _choice(min),
    "max": _choice(max),
    "clamp": lambda x, low, high: min(max(low, x), high),
    "abs": _each(abs),
    "where": lambda condition, a, b: a if condition else b,
    "lerp": lambda a, b, t: a * (1.0 - t) + b * t,
    "step": lambda x: type(x)(x < 0),
    "sign": _each(lambda x: type(x)(-1 if x < 0 else 1)),
    "copysign": math.copysign,
    # -------------------------------------------------------------------------------------------------------- transcendental
    "sin": math.sin,
    "cos": math.cos,
    "tan": math.tan,
    "asin": math.asin,
    "acos": math.acos,
    "atan": math.atan,
    "atan2": math.atan2,
    "sinh": math.sinh,
    "cosh": math.cosh,
    "tanh": math.tanh,
    "exp": math.exp,
    "log": math.log,
    "log2": math.log2,
    "log10": math.log10,
    "sqrt": math.sqrt,
    "cbrt": lambda x: math.copysign(abs(x) ** (1.0 / 3.0), x),
    "pow": math.pow,
    "erf": math.erf,
    "erfc": math.erfc,
    "degrees": math.degrees,
    "radians": math.radians,
    "smoothstep": _smoothstep,
    # -------------------------------------------------------------------------------------------------------------- rounding
    "floor": lambda x: float(math.floor(x)),
    "ceil": lambda x: float(math.ceil(x)),
    "round": _round,
    "trunc": lambda x: float(math.trunc(x)),
    "frac": lambda x: x - math.trunc(x),
    # --------------------------------------------------------------------------------------------------- vectors and matrices
    "dot": lambda a, b: inner(a.parts, b.parts),
    "cross": _cross,
    "length": _length,
    "length_sq": lambda v: inner(v.parts, v.parts),
    "normalize": _normalize,
    "cw_mul": _entrywise(mul),
    "cw_div": _entrywise(truediv),
    "get_diag": lambda m: Vector(row[position] for position, row in enumerate(m.rows)),
    "transpose": lambda m: Matrix(zip(*m.rows)),
    "determinant": lambda m: _determinant(m.rows),
    "trace": lambda m: sum(row[position] for position, row in enumerate(m.rows)),
    "outer": lambda a, b: Matrix([left * right for right in b.parts] for left in a.parts),
    "ddot": lambda a, b: sum(map(inner, a.rows, b.rows)),
    "skew": lambda v: Matrix(((0.0, -v.z, v.y), (v.z, 0.0, -v.x), (-v.y, v.x, 0.0))),
    "inverse": _inverse,
    "diag": _diag,
    # -------------------------------------------------------------------------------------------------------------- integers
    "mod": lambda a, b: math.fmod(a, b) if isinstance(a, float) else a % b,
    "floordiv": lambda a, b: a // b,
    "select": lambda condition, a, b: b if condition else a,
    "isnan": lambda x: x != x,  # noqa: PLR0124
    "isinf": math.isinf,
    "isfinite": math.isfinite,
    "rint": lambda x: float(round(x)),
    "identity": lambda n, **_: Matrix([float(row == column) for column in range(n)] for row in range(n)),
    "matrix_from_rows": lambda *rows: Matrix(row.parts for row in rows),
    "matrix_from_cols": lambda *columns: Matrix(zip(*(column.parts for column in columns), strict=True)),
    # --------------------------------------------------------------------------------------------------------------- atomics
    "atomic_add": _atomic(add),
    "atomic_sub": _atomic(sub),
    "atomic_max": _atomic(max),
    "atomic_min": _atomic(min),
    "atomic_and": _atomic(lambda a, b: a & b),
    "atomic_or": _atomic(lambda a, b: a | b),
    "atomic_xor": _atomic(lambda a, b: a ^ b),
    "atomic_exch": _atomic(lambda _, b: b),
}
