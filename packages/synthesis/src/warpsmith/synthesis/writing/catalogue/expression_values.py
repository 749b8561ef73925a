"""The types of expressions in texts of the catalogue, as far as rows and annotations say: scalars, vectors, matrices.

A type is ``int``, ``bool``, ``float``, ``vec``, ``mat``, ``ivec`` for vectors of integers, or ``rot`` for quaternions,
transforms and spatial vectors. Widths and lengths do not matter here. None is an unknown type.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Value: TypeAlias = str | None
Values: TypeAlias = Mapping[str, Value]

SCALARS = ("int", "bool", "float")

_CONSTRUCTOR = re.compile(r"(vec[2346]|mat[2346]{2}|quat|transform|spatial_vector|spatial_matrix|vector|matrix)[a-z]*\d*")
_FLOAT_VECTOR = re.compile(r"vec\d[fdh]?")
_FLOAT_OF = frozenset(
    "dot length length_sq norm_l1 norm_l2 trace determinant ddot sin cos tan asin acos atan atan2 sqrt exp log pow floor ceil "
    "round rsqrt tanh cbrt mesh_eval_sdf volume_sample_f randf randn noise".split()
)
_LIKE_FIRST = frozenset("normalize min max clamp abs cw_mul cw_div lerp where sign cross transpose inverse neg mod".split())
_VECTOR_OF = frozenset("quat_rotate quat_rotate_inv transform_point transform_vector transform_get_translation".split())
_INTEGER_OF = frozenset("randi tid rand_init lower_bound bit_and popcount".split())


def row_value(dtype: str) -> Value:
    """Return the type of elements with one of Warp's canonical names, such as ``vec3f``."""
    if dtype == "bool":
        return "bool"
    if dtype.startswith(("int", "uint")):
        return "int"
    if dtype.startswith("float"):
        return "float"
    return constructed(dtype)


def constructed(name: str) -> Value:
    """Return the type that a constructor of Warp makes; None for other names."""
    if name.startswith(("int", "uint", "float", "bool")):
        return row_value(name)
    if not _CONSTRUCTOR.fullmatch(name):
        return None
    if name.startswith("vec"):
        return "vec" if _FLOAT_VECTOR.fullmatch(name) else "ivec" if name != "vector" else None
    return "mat" if name.startswith("mat") else "rot"


def annotation_value(node: ast.expr | None) -> Value:
    """Return the type that an annotation names; None for arrays and others."""
    match node:
        case ast.Name(name) if name in SCALARS:
            return name
        case ast.Attribute(ast.Name("wp"), name):
            return constructed(name)
    return None


def value_of(node: ast.expr, arrays: Values, values: Values) -> Value:
    """Return the type of an expression.

    Args:
        node: the expression.
        arrays: the types of the elements of arrays by name.
        values: the types of other names, and of the results of functions.
    """
    match node:
        case ast.Constant(value):
            name = type(value).__name__
            return name if name in SCALARS else None
        case ast.Name(name):
            return values.get(name)
        case ast.Subscript(ast.Name(name)) if name in arrays:
            return arrays[name]
        case ast.Subscript(value, index):
            return _element(value_of(value, arrays, values), isinstance(index, ast.Tuple))
        case ast.UnaryOp(ast.Not()) | ast.Compare() | ast.BoolOp():
            return "bool"
        case ast.UnaryOp(operand=operand):
            return value_of(operand, arrays, values)
        case ast.BinOp(left, operator, right):
            return _combined(operator, value_of(left, arrays, values), value_of(right, arrays, values))
        case ast.Call(called, arguments):
            return _result(called, [value_of(argument, arrays, values) for argument in arguments], values)
        case ast.IfExp(body=body):
            return value_of(body, arrays, values)
    return None


def _element(owner: Value, two: bool) -> Value:
    if owner == "mat":
        return "float" if two else "vec"
    return "int" if owner == "ivec" else "float" if owner in ("vec", "rot") else None


def _combined(operator: ast.operator, left: Value, right: Value) -> Value:
    if left is None or right is None:
        return None
    if isinstance(operator, ast.Mult | ast.MatMult) and {left, right} == {"mat", "vec"}:
        return "vec"
    if "rot" in (left, right):
        return None if left != right and not {left, right} & {"float", "int"} else "rot"
    return left if right in SCALARS else right


def _result(called: ast.expr, arguments: Sequence[Value], values: Values) -> Value:
    match called:
        case ast.Name(name):
            return name if name in SCALARS else values.get(name)
        case ast.Attribute(ast.Name("wp"), name):
            first = arguments[0] if arguments else None
            if name in _LIKE_FIRST:
                return (arguments[1] if len(arguments) > 1 else None) if name == "where" else first
            if name in _FLOAT_OF:
                return "float" if first != "int" else None
            return "vec" if name in _VECTOR_OF else "int" if name in _INTEGER_OF else constructed(name)
    return None
