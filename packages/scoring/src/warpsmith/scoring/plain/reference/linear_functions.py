"""Plain CUDA for Warp's functions of vectors and matrices."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product

from warpsmith.scoring.plain.reference.text_types import (
    FLOATS,
    Composite,
    Table,
    Types,
    each_component,
    function,
    known,
    quat,
    transform,
)

FUNCTIONS: Table = {}
"""The functions of this module."""


@known(FUNCTIONS, "construct")
def _construct(_: str, types: Types) -> Iterator[str]:
    for each in types.composites:
        yield function(each.name, each.name, "", each_component(each, "0"))
        yield function(each.name, each.name, f"{each.name} v", "return v;")
        if each.kind != "quat":
            yield function(each.name, each.name, f"{each.scalar} v", each_component(each, "v"))
        parameters = ", ".join(f"{each.scalar} v{number}" for number in range(each.size))
        values = " ".join(f"r.c[{number}] = v{number};" for number in range(each.size))
        yield function(each.name, each.name, parameters, f"{each.name} r; {values} return r;")
        yield from _constructors_from_composites(each, types)


def _constructors_from_composites(each: Composite, types: Types) -> Iterator[str]:
    """Yield the constructors of a type with values of other types."""
    for other in types.composites:
        if other == replace(each, scalar=other.scalar) and other != each:
            yield function(each.name, each.name, f"{other.name} v", each_component(each, f"({each.scalar})v.c[i]"))
    vector, rotation = Composite(each.scalar, (3,)), quat(each.scalar)
    parameters = {
        Composite(each.scalar, (6,)): f"{vector.name} a, {vector.name} b",
        rotation: f"{vector.name} a, {each.scalar} b",
        transform(each.scalar): f"{vector.name} a, {rotation.name} b",
    }
    if each in parameters:
        rest = "b" if each.kind == "quat" else "b.c[i - 3]"
        yield function(each.name, each.name, parameters[each], each_component(each, f"i < 3 ? a.c[i] : {rest}"))


@known(FUNCTIONS, "extract")
def _extract(name: str, types: Types) -> Iterator[str]:
    yield function("int", name, "shape_type v, int i", "return v.dims[i];")
    for each in types.composites:
        if len(each.shape) == 1:
            yield function(each.scalar, name, f"{each.name} v, int i", "return v.c[i];")
            continue
        columns = each.shape[1]
        row = Composite(each.scalar, (columns,))
        yield function(each.scalar, name, f"{each.name} m, int i, int j", f"return m.c[i * {columns} + j];")
        yield function(row.name, name, f"{each.name} m, int n", each_component(row, f"m.c[n * {columns} + i]"))


def _sum(size: int, term: str, scalar: str) -> str:
    return f"{scalar} s = 0; for (int i = 0; i < {size}; ++i) s += {term}; "


@known(FUNCTIONS, "dot", "ddot", "spatial_dot")
def _dot(name: str, types: Types) -> Iterator[str]:
    for each in types.composites:
        yield function(
            each.scalar, name, f"{each.name} a, {each.name} b", _sum(each.size, "a.c[i] * b.c[i]", each.scalar) + "return s;"
        )


@known(FUNCTIONS, "length", "length_sq", "normalize")
def _length(name: str, types: Types) -> Iterator[str]:
    for each in types.composites:
        if each.scalar not in FLOATS or len(each.shape) != 1 or each.kind == "transform":
            continue
        root = "sqrtf" if each.scalar == "float" else "sqrt"
        total = _sum(each.size, "a.c[i] * a.c[i]", each.scalar)
        if name == "normalize":
            component = "n > 0 ? a.c[i] * (1 / n) : i == 3" if each.kind else "n > 0 ? a.c[i] / n : 0"
            body = f"{total}{each.scalar} n = {root}(s); {each_component(each, f'({component})')}"
            yield function(each.name, name, f"{each.name} a", body)
        else:
            yield function(
                each.scalar, name, f"{each.name} a", total + ("return s;" if name == "length_sq" else f"return {root}(s);")
            )


@known(FUNCTIONS, "cross")
def _cross(name: str, types: Types) -> Iterator[str]:
    for each in types.composites:
        if each.shape == (3,):
            terms = " ".join(
                f"r.c[{i}] = a.c[{j}] * b.c[{k}] - a.c[{k}] * b.c[{j}];" for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
            )
            yield function(each.name, name, f"{each.name} a, {each.name} b", f"{each.name} r; {terms} return r;")


@known(FUNCTIONS, "transpose", "trace", "get_diag")
def _matrix(name: str, types: Types) -> Iterator[str]:
    for each in types.composites:
        if len(each.shape) != 2:
            continue
        rows, columns = each.shape
        turned, vector = Composite(each.scalar, (columns, rows)), Composite(each.scalar, (rows,))
        if name == "transpose":
            body = each_component(turned, f"a.c[(i % {rows}) * {columns} + i / {rows}]")
            yield function(turned.name, name, f"{each.name} a", body)
        elif rows == columns and name == "trace":
            body = _sum(rows, f"a.c[i * {rows + 1}]", each.scalar) + "return s;"
            yield function(each.scalar, name, f"{each.name} a", body)
        elif rows == columns:
            yield function(vector.name, name, f"{each.name} a", each_component(vector, f"a.c[i * {rows + 1}]"))


@known(FUNCTIONS, "identity")
def _identity(name: str, types: Types) -> Iterator[str]:
    yield f"template <typename T> __device__ T w_{name}();"
    for each in types.composites:
        if len(each.shape) == 2 and each.shape[0] == each.shape[1]:
            body = each_component(each, f"i % {each.shape[0] + 1} == 0")
            yield f"template <> {function(each.name, f'{name}<{each.name}>', '', body)}"


@known(FUNCTIONS, "matrix_from_cols", "matrix_from_rows")
def _from_vectors(name: str, types: Types) -> Iterator[str]:
    for vector in types.composites:
        size = vector.shape[0]
        matrix = Composite(vector.scalar, (size, size))
        if vector.is_vector and size in (2, 3, 4) and matrix in types.composites:
            parameters = ", ".join(f"{vector.name} v{number}" for number in range(size))
            row, column = ("%", "/") if name == "matrix_from_cols" else ("/", "%")
            vectors = ", ".join(f"v{number}" for number in range(size))
            body = each_component(matrix, f"v[i {row} {size}].c[i {column} {size}]")
            yield function(matrix.name, name, parameters, f"{vector.name} v[] = {{ {vectors} }}; {body}")


@known(FUNCTIONS, "diag", "outer")
def _square(name: str, types: Types) -> Iterator[str]:
    for each in types.composites:
        size = each.shape[0]
        square = Composite(each.scalar, (size, size))
        if each.is_vector and name == "diag":
            body = each_component(square, f"(i % {size + 1} == 0 ? a.c[i / {size + 1}] : 0)")
            yield function(square.name, name, f"{each.name} a", body)
        elif each.is_vector:
            body = each_component(square, f"a.c[i / {size}] * b.c[i % {size}]")
            yield function(square.name, name, f"{each.name} a, {each.name} b", body)


def matrix_products(composites: Iterable[Composite]) -> Iterator[str]:
    """Yield the products of matrices with matrices and vectors."""
    known_types = {each for each in composites if not each.kind}
    for a, b in product(sorted(known_types), repeat=2):
        if len(a.shape) != 2 or a.scalar != b.scalar or a.shape[1] != b.shape[0]:
            continue
        rows, inner, columns = *a.shape, math.prod(b.shape[1:])
        result = Composite(a.scalar, (rows, *b.shape[1:]))
        if result in known_types:
            yield function(
                result.name,
                "mul",
                f"{a.name} a, {b.name} b",
                f"{result.name} r; for (int i = 0; i < {rows}; ++i) for (int j = 0; j < {columns}; ++j) {{ "
                f"{a.scalar} s = 0; for (int k = 0; k < {inner}; ++k) s += a.c[i * {inner} + k] * b.c[k * {columns} + j]; "
                f"r.c[i * {columns} + j] = s; }} return r;",
            )
    for matrix in (each for each in sorted(known_types) if len(each.shape) == 2):
        rows, columns = matrix.shape
        vector, result = Composite(matrix.scalar, (rows,)), Composite(matrix.scalar, (columns,))
        term = f"s += a.c[i] * b.c[i * {columns} + j];"
        yield function(
            result.name,
            "mul",
            f"{vector.name} a, {matrix.name} b",
            f"{result.name} r; for (int j = 0; j < {columns}; ++j) {{ {matrix.scalar} s = 0; "
            f"for (int i = 0; i < {rows}; ++i) {term} r.c[j] = s; }} return r;",
        )


def _minor(cells: list[list[int]], row: int, column: int) -> list[list[int]]:
    return [[cell for j, cell in enumerate(line) if j != column] for i, line in enumerate(cells) if i != row]


def _determinant_of(cells: list[list[int]]) -> str:
    """Return the determinant of the numbers in ``a.c`` by its expansion along the first row."""
    if len(cells) == 1:
        return f"a.c[{cells[0][0]}]"
    terms = [f"a.c[{cell}] * ({_determinant_of(_minor(cells, 0, j))})" for j, cell in enumerate(cells[0])]
    return "".join((" - " if j % 2 else " + ") * bool(j) + term for j, term in enumerate(terms))


@known(FUNCTIONS, "determinant", "inverse")
def _inverse(name: str, types: Types) -> Iterator[str]:
    for each in types.composites:
        if len(each.shape) != 2 or each.shape[0] != each.shape[1] or each.shape[0] not in (2, 3, 4):
            continue
        size = each.shape[0]
        cells = [[i * size + j for j in range(size)] for i in range(size)]
        determinant = f"{each.scalar} d = {_determinant_of(cells)}; "
        if name == "determinant":
            yield function(each.scalar, name, f"{each.name} a", f"{determinant}return d;")
            continue
        parts = " ".join(
            f"r.c[{i * size + j}] = d != 0 ? {'-' if (i + j) % 2 else ''}({_determinant_of(_minor(cells, j, i))}) / d : 0;"
            for i in range(size)
            for j in range(size)
        )
        yield function(each.name, name, f"{each.name} a", f"{determinant}{each.name} r; {parts} return r;")
