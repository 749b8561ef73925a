"""Builtins of vectors and matrices."""

from __future__ import annotations

import ast

from warpsmith.scoring.cuda_writer.builtins.builtin_rows import named_row, row
from warpsmith.scoring.cuda_writer.builtins.number_calls import equal_types, suffix, typed
from warpsmith.scoring.cuda_writer.code_pieces import PRODUCT, Code, binary, call, number
from warpsmith.scoring.cuda_writer.cuda_types import (
    SCALARS,
    components,
    is_matrix,
    is_number,
    is_vector,
    scalar_of,
    vector,
)
from warpsmith.scoring.cuda_writer.device_library import Library
from warpsmith.scoring.cuda_writer.operator_calls import operate, parts
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.value_types import Type

_DIVISION, _PRODUCT = ast.Div(), ast.Mult()


def dot_function(library: Library, kind: Type) -> None:
    """Add the inner product."""
    places = components(kind)
    if len(places) <= 4:
        text = " + ".join(f"a{at} * b{at}" for at in places)
        library.add(scalar_of(kind), "dot", [(kind, "a"), (kind, "b")], f"return {text};")
        return
    name = SCALARS[kind.scalar]
    loop = (f"{name} sum = {number(0.0, scalar_of(kind))};", f"for (int i = 0; i < {len(places)}; ++i)")
    library.add(scalar_of(kind), "dot", [(kind, "a"), (kind, "b")], *loop, "\tsum += a.c[i] * b.c[i];", "return sum;")


@named_row("dot", "spatial_dot")
def _dot(_: str, library: Library, arguments: list[Code]) -> Code:
    kind = equal_types(arguments)
    dot_function(library, kind)
    return call("dot", arguments, scalar_of(kind))


@row("ddot")
def _double_dot(library: Library, arguments: list[Code]) -> Code:
    kind = equal_types(arguments)
    rows, columns = kind.shape
    body = [f"{SCALARS[kind.scalar]} sum = {number(0.0, scalar_of(kind))};", f"for (int i = 0; i < {rows}; ++i)"]
    body += [f"\tfor (int j = 0; j < {columns}; ++j)", "\t\tsum += a.m[i][j] * b.m[i][j];", "return sum;"]
    library.add(scalar_of(kind), "ddot", [(kind, "a"), (kind, "b")], *body)
    return call("ddot", arguments, scalar_of(kind))


@row("length_sq")
def _square_of_length(library: Library, arguments: list[Code]) -> Code:
    kind = typed(arguments[0])
    dot_function(library, kind)
    library.add(scalar_of(kind), "length_sq", [(kind, "v")], "return dot(v, v);")
    return call("length_sq", arguments, scalar_of(kind))


@row("length")
def _length(library: Library, arguments: list[Code]) -> Code:
    kind = typed(arguments[0])
    length_function(library, kind)
    return call("length", arguments, scalar_of(kind))


def length_function(library: Library, kind: Type) -> None:
    """Add the length of vectors."""
    dot_function(library, kind)
    library.add(scalar_of(kind), "length", [(kind, "v")], f"return sqrt{suffix(scalar_of(kind))}(dot(v, v));")


@row("normalize")
def _normalized(library: Library, arguments: list[Code]) -> Code:
    kind = typed(arguments[0])
    normalize_function(library, kind)
    return call("normalize", arguments, kind)


def normalize_function(library: Library, kind: Type) -> None:
    """Add the vector of length one; zero stays zero."""
    length_function(library, kind)
    operate(library, _DIVISION, Code("v", kind), Code("len", scalar_of(kind)))
    zero, name = number(0.0, scalar_of(kind)), SCALARS[kind.scalar]
    empty = library.made(kind, [zero] * len(components(kind))) if len(components(kind)) <= 4 else f"{library.use(kind)}{{}}"
    if kind.kind.__name__ == "Quaternion":
        empty = library.made(kind, [zero, zero, zero, number(1.0, scalar_of(kind))])
    library.add(kind, "normalize", [(kind, "v")], f"{name} len = length(v);", f"return len > {zero} ? v / len : {empty};")


@row("cross")
def _cross(library: Library, arguments: list[Code]) -> Code:
    kind = equal_types(arguments)
    terms = ["a.y * b.z - a.z * b.y", "a.z * b.x - a.x * b.z", "a.x * b.y - a.y * b.x"]
    body = f"return {library.made(kind, terms)};"
    if len(body) > 96:
        made = library.use(kind)
        body = f"return make_{made}({terms[0]},\n\t\t{terms[1]},\n\t\t{terms[2]});"
    library.add(kind, "cross", [(kind, "a"), (kind, "b")], body)
    return call("cross", arguments, kind)


@named_row("cw_mul", "cw_div")
def _componentwise(name: str, library: Library, arguments: list[Code]) -> Code:
    kind, sign = equal_types(arguments), "*" if name == "cw_mul" else "/"
    if is_vector(kind):
        library.each(kind, f"operator{sign}", [(kind, "a"), (kind, "b")], lambda at: f"a{at} {sign} b{at}")
        return binary(sign, PRODUCT, arguments[0], arguments[1], kind)
    library.each(kind, name, [(kind, "a"), (kind, "b")], lambda at: f"a{at} {sign} b{at}")
    return call(name, arguments, kind)


@row("outer")
def _outer(library: Library, arguments: list[Code]) -> Code:
    left, right = map(typed, arguments)
    if is_number(left) or is_number(right):
        return operate(library, _PRODUCT, *arguments)
    kind, both = Type(left.scalar, (*left.shape, *right.shape)), [(left, "a"), (right, "b")]
    terms = [f"a{row} * b{column}" for row in parts(left) for column in parts(right)]
    library.add(kind, "outer", both, *matrix_body(library, kind, terms))
    return call("outer", arguments, kind)


def matrix_body(library: Library, kind: Type, terms: list[str]) -> list[str]:
    """Return the lines of a function that returns a matrix, a row a line."""
    rows, columns = kind.shape
    lines = [", ".join(terms[row * columns : (row + 1) * columns]) for row in range(rows)]
    name = library.use(kind)
    return [f"{name} r = {{{{", *(f"\t{{{line}}}," for line in lines), "}};", "return r;"]


@row("skew")
def _skew(library: Library, arguments: list[Code]) -> Code:
    kind = typed(arguments[0])
    zero, result = number(0.0, scalar_of(kind)), Type(kind.scalar, (3, 3))
    terms = [zero, "-v.z", "v.y", "v.z", zero, "-v.x", "-v.y", "v.x", zero]
    library.add(result, "skew", [(kind, "v")], *matrix_body(library, result, terms))
    return call("skew", arguments, result)


@row("diag")
def _diagonal(library: Library, arguments: list[Code]) -> Code:
    kind = typed(arguments[0])
    result, places = Type(kind.scalar, (*kind.shape, *kind.shape)), parts(kind)
    body = [f"{library.use(result)} r = {{}};", *(f"r.m[{i}][{i}] = v{place};" for i, place in enumerate(places)), "return r;"]
    library.add(result, "diag", [(kind, "v")], *body)
    return call("diag", arguments, result)


@row("get_diag")
def _diagonal_of(library: Library, arguments: list[Code]) -> Code:
    kind = typed(arguments[0])
    result = vector(kind.scalar, kind.shape[0])
    made = library.made(result, [f"a.m[{i}][{i}]" for i in range(kind.shape[0])])
    library.add(result, "get_diag", [(kind, "a")], f"return {made};")
    return call("get_diag", arguments, result)


@row("transpose")
def _transposed(library: Library, arguments: list[Code]) -> Code:
    kind = typed(arguments[0])
    if not is_matrix(kind):
        raise Unsupported("the transpose of a vector")
    library.each(Type(kind.scalar, kind.shape[::-1]), "transpose", [(kind, "a")], lambda _: "a.m[j][i]")
    return call("transpose", arguments, Type(kind.scalar, kind.shape[::-1]))


@row("trace")
def _trace(library: Library, arguments: list[Code]) -> Code:
    kind = typed(arguments[0])
    terms = " + ".join(f"a.m[{i}][{i}]" for i in range(kind.shape[0]))
    library.add(scalar_of(kind), "trace", [(kind, "a")], f"return {terms};")
    return call("trace", arguments, scalar_of(kind))


@row("determinant")
def _determinant(library: Library, arguments: list[Code]) -> Code:
    kind = typed(arguments[0])
    determinant_function(library, kind)
    return call("determinant", arguments, scalar_of(kind))


def determinant_function(library: Library, kind: Type) -> None:
    """Add the determinant of small matrices."""
    if kind.shape == (2, 2):
        body = ["return a.m[0][0] * a.m[1][1] - a.m[0][1] * a.m[1][0];"]
    elif kind.shape == (3, 3):
        body = [
            "return a.m[0][0] * (a.m[1][1] * a.m[2][2] - a.m[1][2] * a.m[2][1])",
            "\t- a.m[0][1] * (a.m[1][0] * a.m[2][2] - a.m[1][2] * a.m[2][0])",
            "\t+ a.m[0][2] * (a.m[1][0] * a.m[2][1] - a.m[1][1] * a.m[2][0]);",
        ]
    else:
        raise Unsupported(f"the determinant of {kind}")
    library.add(scalar_of(kind), "determinant", [(kind, "a")], *body)


@row("inverse")
def _inverse(library: Library, arguments: list[Code]) -> Code:
    kind = typed(arguments[0])
    name, zero = SCALARS[kind.scalar], number(0.0, scalar_of(kind))
    if kind.shape not in ((2, 2), (3, 3)):
        raise Unsupported(f"the inverse of {kind}")
    determinant_function(library, kind)
    if kind.shape == (2, 2):
        terms = ["a.m[1][1]", "-a.m[0][1]", "-a.m[1][0]", "a.m[0][0]"]
    else:
        terms = [_cofactor(column, row) for row in range(3) for column in range(3)]
    operate(library, _DIVISION, Code("r", kind), Code("det", scalar_of(kind)))
    body = [f"{name} det = determinant(a);", f"if (det == {zero}) return {library.use(kind)}{{}};"]
    lines = matrix_body(library, kind, terms)[:-1]
    library.add(kind, "inverse", [(kind, "a")], *body, *lines, "return r / det;")
    return call("inverse", arguments, kind)


def _cofactor(row: int, column: int) -> str:
    first, second = ((row + 1) % 3, (row + 2) % 3), ((column + 1) % 3, (column + 2) % 3)
    (a, b), (c, d) = first, second
    return f"a.m[{a}][{c}] * a.m[{b}][{d}] - a.m[{a}][{d}] * a.m[{b}][{c}]"


@named_row("matrix_from_cols", "matrix_from_rows")
def _from_vectors(name: str, library: Library, arguments: list[Code]) -> Code:
    kind = equal_types(arguments)
    length, count = kind.shape[0], len(arguments)
    names = [f"{'c' if name.endswith('cols') else 'r'}{number}" for number in range(count)]
    if name == "matrix_from_cols":
        result = Type(kind.scalar, (length, count))
        terms = [f"{column}{place}" for place in parts(kind) for column in names]
    else:
        result = Type(kind.scalar, (count, length))
        terms = [f"{row}{place}" for row in names for place in parts(kind)]
    lines = matrix_body(library, result, terms)
    lines[0] = lines[0].replace(" r = ", " m = ")
    library.add(result, name, [(kind, vector) for vector in names], *lines[:-1], "return m;")
    return call(name, arguments, result)


@named_row("spatial_top", "spatial_bottom")
def _half(name: str, library: Library, arguments: list[Code]) -> Code:
    kind = typed(arguments[0])
    result, start = vector(kind.scalar, 3), 0 if name == "spatial_top" else 3
    made = library.made(result, [f"s.c[{start + number}]" for number in range(3)])
    library.add(result, name, [(kind, "s")], f"return {made};")
    return call(name, arguments, result)


def matrix_row(library: Library, matrix: Code, index: Code) -> Code:
    """Return a row of a matrix as a vector."""
    kind = typed(matrix)
    result = vector(kind.scalar, kind.shape[1])
    made = library.made(result, [f"a.m[i][{column}]" for column in range(kind.shape[1])])
    library.add(result, "mat_row", [(kind, "a"), ("int", "i")], f"return {made};")
    return call("mat_row", [matrix, index], result)


def identity(library: Library, kind: Type) -> Code:
    """Return the identity matrix."""
    name, size, unit = f"identity{kind.shape[0]}", kind.shape[0], number(1.0, scalar_of(kind))
    name += "" if suffix(scalar_of(kind)) else "d"
    body = [f"{library.use(kind)} r = {{}};", f"for (int i = 0; i < {size}; ++i)", f"\tr.m[i][i] = {unit};", "return r;"]
    library.add(kind, name, [], *body)
    return Code(f"{name}()", kind)
