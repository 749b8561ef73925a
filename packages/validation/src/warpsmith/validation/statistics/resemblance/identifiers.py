"""The roles of the identifiers of a definition, and the literals that are strings."""

from __future__ import annotations

import ast
import builtins
import keyword
from collections.abc import Iterator
from typing import NamedTuple

from warpsmith.core.records.syntax_walks import walk
from warpsmith.validation.statistics.realism.kernels import Definition

WARP = frozenset({"wp", "warp"})
"""The names of Warp's module."""

ARRAY, ARGUMENT, LOCAL, LOOP = "ARRAY", "ARG", "LOCAL", "LOOP"
FUNCTION, KERNEL, TYPE, CONSTANT, MEMBER = "FUNC", "KERNEL", "TYPE", "CONST", "MEMBER"
STRING = "STRING"

PYTHON_NAMES = frozenset(dir(builtins)) | frozenset(keyword.kwlist)
"""Names that stay unless the definition binds them."""

WARP_MEMBERS = frozenset({"x", "y", "z", "w", "shape", "dtype", "ndim", "size"})
"""Members of Warp's vectors and arrays, which stay."""


class Place(NamedTuple):
    """An identifier or a string in a file, and the text that replaces it; the columns are those of Python's `ast`, in bytes."""

    line: int
    column: int
    end_line: int
    end_column: int
    replacement: str


class Bindings(NamedTuple):
    """The names that a definition binds."""

    arrays: frozenset[str]
    arguments: frozenset[str]
    loops: frozenset[str]
    locals: frozenset[str]

    def role(self, name: str) -> str | None:
        """Return the role of a bound name; None for other names."""
        if name in self.arguments:
            return ARRAY if name in self.arrays else ARGUMENT
        return LOOP if name in self.loops else LOCAL if name in self.locals else None


def bindings(nodes: list[ast.AST]) -> Bindings:
    """Return the names that a definition with these nodes binds."""
    arrays, arguments, loops, stored = set[str](), set[str](), set[str](), set[str]()
    for node in nodes:
        match node:
            case ast.arg(name, annotation):
                arguments.add(name)
                if annotation is not None and _is_array(annotation):
                    arrays.add(name)
            case ast.For(target) | ast.comprehension(target):
                loops |= {name.id for name in walk(target) if isinstance(name, ast.Name)}
            case ast.Name(name, ast.Store()):
                stored.add(name)
    return Bindings(frozenset(arrays), frozenset(arguments), frozenset(loops), frozenset(stored - arguments - loops))


def _is_array(annotation: ast.expr) -> bool:
    for node in walk(annotation):
        match node:
            case ast.Attribute(attr=name) | ast.Name(name) if "array" in name.lower():
                return True
    return False


def is_warp(node: ast.expr) -> bool:
    """Return whether an expression is Warp's module or a member of it."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in WARP


def places(definition: Definition, nodes: list[ast.AST], bound: Bindings) -> Iterator[Place]:
    """Yield the identifiers with a role and the strings of a definition, in no order; names of Warp and Python have none."""
    annotated = {id(inner) for node in nodes for annotation in _annotations(node) for inner in walk(annotation)}
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    fields = {id(node.target) for node in nodes if isinstance(node, ast.AnnAssign) and isinstance(definition, ast.ClassDef)}
    inside = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in walk(node) if part is not node}
    for node in nodes:
        if id(node) in inside:
            continue
        match node:
            case ast.Name(name):
                role = (
                    MEMBER if id(node) in fields else bound.role(name) or _free(name, id(node) in annotated, id(node) in called)
                )
                if role:
                    yield Place(node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0, role)
            case ast.Attribute(value, name) if name not in WARP_MEMBERS and not is_warp(value):
                role = FUNCTION if id(node) in called else TYPE if id(node) in annotated else MEMBER
                end, column = node.end_lineno or 0, node.end_col_offset or 0
                yield Place(end, column - len(name.encode()), end, column, role)
            case ast.arg(name):
                yield Place(
                    node.lineno, node.col_offset, node.lineno, node.col_offset + len(name.encode()), bound.role(name) or ""
                )
            case ast.Call(func, keywords=keywords) if keywords and not is_warp(func):
                for word in keywords:
                    if word.arg:
                        end = word.col_offset + len(word.arg.encode())
                        yield Place(word.lineno, word.col_offset, word.lineno, end, ARGUMENT)
            case ast.Constant(str() | bytes()) | ast.JoinedStr():
                yield Place(node.lineno, node.col_offset, node.end_lineno or 0, node.end_col_offset or 0, STRING)


def _annotations(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.arg(annotation=ast.expr() as annotation) | ast.AnnAssign(annotation=annotation):
            yield annotation
        case ast.FunctionDef(returns=ast.expr() as annotation):
            yield annotation


def _free(name: str, annotation: bool, called: bool) -> str | None:
    """Return the role of a name that the definition does not bind."""
    if name in WARP or name in PYTHON_NAMES:
        return None
    if annotation or (called and name[:1].isupper()):
        return TYPE
    return FUNCTION if called else CONSTANT
