"""Small questions about expressions: names, literals, arithmetic."""

from __future__ import annotations

import ast
from collections.abc import Iterator

WARP = ("wp", "warp")
"""The names of Warp in its programs."""

_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.LShift, ast.RShift)


def root(node: ast.expr) -> str | None:
    """Return the name at the start of a chain of attributes and subscripts, such as ``a`` of ``a.b[0].c``."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None


def warp_name(call: ast.Call) -> str | None:
    """Return ``NAME`` of a call ``wp.NAME(…)``, or None for other calls."""
    match call.func:
        case ast.Attribute(ast.Name(module), name) if module in WARP:
            return name
    return None


def integer_literal(node: ast.expr) -> int | None:
    """Return the value of an integer literal with its sign, or None for other expressions; truth values are no integers."""
    match node:
        case ast.Constant(bool()):
            return None
        case ast.Constant(int() as value):
            return value
        case ast.UnaryOp(ast.USub(), ast.Constant(int() as value)):
            return -value
    return None


def float_literal(node: ast.expr) -> float | None:
    """Return the value of a floating-point literal without its sign, or None for other expressions."""
    match node:
        case ast.Constant(float() as value) | ast.UnaryOp(ast.USub(), ast.Constant(float() as value)):
            return value
    return None


def outside_subscripts(node: ast.expr) -> Iterator[ast.AST]:
    """Yield the nodes of an expression; of a subscript, the subscript itself and nothing in it."""
    remaining: list[ast.AST] = [node]
    while remaining:
        current = remaining.pop()
        yield current
        if not isinstance(current, ast.Subscript):
            remaining += ast.iter_child_nodes(current)


def computes(node: ast.expr) -> bool:
    """Return whether an expression contains arithmetic, not counting that within subscripts."""
    return any(isinstance(inner, ast.BinOp) and isinstance(inner.op, _ARITHMETIC) for inner in outside_subscripts(node))
