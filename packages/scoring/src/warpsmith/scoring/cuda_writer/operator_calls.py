"""Operators: those of numbers are C++'s, and those of vectors, matrices and quaternions are overloads in the text."""

from __future__ import annotations

import ast

import numpy as np

from warpsmith.scoring.cuda_writer.code_pieces import (
    AND_BITS,
    OR_BITS,
    PRODUCT,
    SHIFT,
    SUM,
    UNARY,
    XOR_BITS,
    Code,
    binary,
    call,
    negative,
)
from warpsmith.scoring.cuda_writer.cuda_types import (
    HALF,
    SCALARS,
    Kind,
    is_builtin_vector,
    is_float,
    is_integer,
    is_matrix,
    is_number,
    is_pose,
    is_quaternion,
    is_vector,
    rotation_of,
    scalar_of,
    vector,
)
from warpsmith.scoring.cuda_writer.device_library import Library
from warpsmith.scoring.cuda_writer.number_forms import mask
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.value_types import Type

SIGNS: dict[type[ast.operator], tuple[str, int]] = {
    ast.Add: ("+", SUM), ast.Sub: ("-", SUM), ast.Mult: ("*", PRODUCT), ast.MatMult: ("*", PRODUCT), ast.Div: ("/", PRODUCT),
    ast.FloorDiv: ("/", PRODUCT), ast.Mod: ("%", PRODUCT), ast.LShift: ("<<", SHIFT), ast.RShift: (">>", SHIFT),
    ast.BitAnd: ("&", AND_BITS), ast.BitOr: ("|", OR_BITS), ast.BitXor: ("^", XOR_BITS),
}  # fmt: skip
"""Operators of C++ and their precedences."""


def operate(library: Library, operator: ast.operator, left: Code, right: Code) -> Code:
    """Return an operation.

    Raises:
        Unsupported: if the operands have types that the operator does not take.
    """
    if is_number(left.kind) and is_number(right.kind):
        return _of_numbers(operator, left, right)
    if isinstance(left.kind, Type) and isinstance(right.kind, Type):
        sign, precedence = SIGNS.get(type(operator), ("", 0))
        if (result := _overload(library, sign, left.kind, right.kind)) is not None:
            return binary(sign, precedence, left, right, result)
    raise Unsupported(f"{type(operator).__name__} of {left.kind} and {right.kind}")


def _of_numbers(operator: ast.operator, left: Code, right: Code) -> Code:
    if left.kind != right.kind or isinstance(operator, ast.MatMult):
        raise Unsupported(f"{type(operator).__name__} of {left.kind} and {right.kind}")
    kind = left.kind
    if kind == HALF:
        raise Unsupported("arithmetic of half-precision numbers")
    suffix = "f" if kind == Type(np.float32) else ""
    if is_float(kind) and isinstance(operator, ast.Mod):
        return call(f"fmod{suffix}", [left, right], kind)
    if is_float(kind) and isinstance(operator, ast.FloorDiv):
        return call(f"floor{suffix}", [binary("/", PRODUCT, left, right, kind)], kind)
    if isinstance(operator, ast.Pow):
        if not is_float(kind):
            raise Unsupported("a power of integers")
        return call(f"pow{suffix}", [left, right], kind)
    sign, precedence = SIGNS[type(operator)]
    if isinstance(operator, ast.BitAnd | ast.BitOr | ast.BitXor):
        left, right = mask(left), mask(right)
    small = is_integer(kind) and isinstance(kind, Type) and np.dtype(kind.scalar).itemsize < 4
    if small:
        raise Unsupported("arithmetic of short integers")
    return binary(sign, precedence, left, right, kind)


def _overload(library: Library, sign: str, left: Type, right: Type) -> Type | None:
    """Return the type of an operation whose function becomes part of the text, or None if there is none."""
    name, both = f"operator{sign}", [(left, "a"), (right, "b")]
    if sign in ("+", "-") and left == right:
        library.each(left, name, both, lambda at: f"a{at} {sign} b{at}")
        return left
    if sign in ("*", "/") and right == scalar_of(left) and not is_pose(left):
        library.each(left, name, both, lambda at: f"a{at} {sign} b")
        return left
    if sign == "*" and left == scalar_of(right) and not is_pose(right):
        library.each(right, name, both, lambda at: f"a * b{at}")
        return right
    return _product(library, left, right) if sign == "*" and left.scalar is right.scalar else None


def _product(library: Library, left: Type, right: Type) -> Type | None:
    """Return the type of a product of matrices, quaternions or poses."""
    both = [(left, "a"), (right, "b")]
    if is_quaternion(left) and is_quaternion(right):
        terms = ["a.w * b.x + b.w * a.x + a.y * b.z - b.y * a.z", "a.w * b.y + b.w * a.y + a.z * b.x - b.z * a.x"]
        terms += ["a.w * b.z + b.w * a.z + a.x * b.y - b.x * a.y", "a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z"]
        library.add(left, "operator*", both, f"return {library.made(left, terms)};")
        return left
    if is_pose(left) and is_pose(right):
        pose_product(library, left)
        return left
    if is_matrix(left) and is_matrix(right) and left.shape[1] == right.shape[0]:
        result = Type(left.scalar, (left.shape[0], right.shape[1]))
        body = [f"{library.use(result)} r = {{}};", f"for (int i = 0; i < {left.shape[0]}; ++i)"]
        body += [f"\tfor (int j = 0; j < {right.shape[1]}; ++j)", f"\t\tfor (int k = 0; k < {left.shape[1]}; ++k)"]
        library.add(result, "operator*", both, *body, "\t\t\tr.m[i][j] += a.m[i][k] * b.m[k][j];", "return r;")
        return result
    if is_matrix(left) and is_vector(right) and left.shape[1] == right.shape[0]:
        return _matrix_times_vector(library, left, right)
    if is_vector(left) and is_matrix(right) and left.shape[0] == right.shape[0]:
        return _vector_times_matrix(library, left, right)
    return None


def _matrix_times_vector(library: Library, left: Type, right: Type) -> Type:
    result, places = vector(left.scalar, left.shape[0]), parts(right)
    sums = [" + ".join(f"a.m[{row}][{column}] * b{at}" for column, at in enumerate(places)) for row in range(left.shape[0])]
    library.add(result, "operator*", [(left, "a"), (right, "b")], *_returned(library, result, sums))
    return result


def _vector_times_matrix(library: Library, left: Type, right: Type) -> Type:
    result, places = vector(left.scalar, right.shape[1]), parts(left)
    sums = [" + ".join(f"a{at} * b.m[{row}][{column}]" for row, at in enumerate(places)) for column in range(right.shape[1])]
    library.add(result, "operator*", [(left, "a"), (right, "b")], *_returned(library, result, sums))
    return result


def _returned(library: Library, kind: Type, terms: list[str]) -> list[str]:
    return [f"return {library.made(kind, terms)};"]


def parts(kind: Type) -> list[str]:
    """Return what follows a vector to access its components."""
    return (
        [f".{name}" for name in "xyzw"[: kind.shape[0]]] if kind.shape[0] <= 4 else [f".c[{i}]" for i in range(kind.shape[0])]
    )


def pose_product(library: Library, kind: Type) -> None:
    """Add the product of two poses."""
    rotation, point = rotation_of(kind), vector(kind.scalar, 3)
    quat_rotate(library, rotation)
    _overload(library, "+", point, point)
    _overload(library, "*", rotation, rotation)
    name = library.use(kind)
    library.add(kind, "operator*", [(kind, "a"), (kind, "b")], f"return {name}{{a.p + quat_rotate(a.q, b.p), a.q * b.q}};")


def quat_rotate(library: Library, kind: Type, *, inverse: bool = False) -> str:
    """Add the rotation of a vector by a quaternion, and return its name."""
    name, point, scalar = "quat_rotate_inv" if inverse else "quat_rotate", vector(kind.scalar, 3), SCALARS[kind.scalar]
    unit, two = ("1.0f", "2.0f") if scalar == "float" else ("1.0", "2.0")
    sign = "-" if inverse else "+"
    body = [f"{scalar} s = {two} * q.w * q.w - {unit};", f"{scalar} d = {two} * (q.x * v.x + q.y * v.y + q.z * v.z);"]
    body += [f"{scalar} t = {two} * q.w;"]
    crossed = ("q.y * v.z - q.z * v.y", "q.z * v.x - q.x * v.z", "q.x * v.y - q.y * v.x")
    terms = [f"s * v.{axis} {sign} t * ({product}) + d * q.{axis}" for axis, product in zip("xyz", crossed, strict=True)]
    library.add(point, name, [(kind, "q"), (point, "v")], *body, *_returned(library, point, terms))
    return name


def minus(library: Library, value: Code) -> Code:
    """Return the negative of a value."""
    if is_number(value.kind):
        return negative(value)
    if not isinstance(value.kind, Type):
        raise Unsupported(f"the negative of {value.kind}")
    library.each(value.kind, "operator-", [(value.kind, "a")], lambda at: f"-a{at}")
    return Code(f"-{value.within(UNARY)}", value.kind, UNARY)


def add_assignment(library: Library, sign: str, kind: Type, right: Type) -> bool:
    """Add ``a += b`` or a similar operator for a vector; return whether the text has it."""
    if sign in ("+", "-") and kind == right:
        pass
    elif not (sign in ("*", "/") and right == scalar_of(kind)):
        return False
    if is_builtin_vector(kind):
        body = [f"a{at} {sign}= b{at if kind == right else ''};" for at in parts(kind)]
    else:
        _overload(library, sign, kind, right)
        body = [f"a = a {sign} b;"]
    library.add(None, f"operator{sign}=", [(f"{library.use(kind)}&", "a"), (right, "b")], *body)
    return True


def commutes(operator: ast.operator, left: Kind, right: Kind) -> bool:
    """Return whether operands may change places: numbers, terms of a sum, and a factor of a vector."""
    both = is_number(left) and is_number(right)
    return both or (isinstance(operator, ast.Add) and left == right) or (isinstance(operator, ast.Mult) and is_number(right))


def step(library: Library, operator: ast.operator, left: Code, value: Code) -> str:
    """Return the statement ``x += e``, or an empty string if neither C++ nor the text has it for such values."""
    sign = SIGNS.get(type(operator), ("", 0))[0]
    if not sign:
        return ""
    if is_number(left.kind) and is_number(value.kind):
        result = operate(library, operator, left, value)
        if result.kind != left.kind or f" {sign} " not in result.text:
            return ""
        return step_text(left.text, sign, value.text, left.kind)
    known = isinstance(left.kind, Type) and isinstance(value.kind, Type)
    if known and add_assignment(library, sign, left.kind, value.kind):  # type: ignore[arg-type]
        return f"{left.text} {sign}= {value.text};"
    return ""


def step_text(place: str, sign: str, value: str, kind: Kind) -> str:
    """Return the statement that changes a number by an operation.

    Examples:
        >>> from warpsmith.scoring.cuda_writer.cuda_types import FLOAT, INT
        >>> step_text("n", "+", "1", INT), step_text("n", "-", "2", INT), step_text("x", "+", "1.0f", FLOAT)
        ('++n;', 'n -= 2;', 'x += 1.0f;')
    """
    if sign in ("+", "-") and value in ("1", "1u") and is_integer(kind):
        return f"{sign}{sign}{place};"
    return f"{place} {sign}= {value};"
