"""Expressions and names of a kernel as text for readers: without the module's name, casts of literals, and ``static``."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, TypeVar

Node = TypeVar("Node", bound=ast.AST)

_CASTS = {"float", "int", "bool", "dtype", "constant"}
"""Names whose call with a literal gives the literal; so do all types of Warp, and ``type(x)``."""


def _plain(node: Node) -> Node | ast.expr:
    """Return an expression without what a reader of a rule does not need; it shares all parts that do not change.

    Operations on bits get parentheses where they are compared: other languages compare first.
    """
    changed: dict[str, object] = {}
    for name, value in vars(node).items():
        if isinstance(value, ast.AST):
            made: object = _plain(value)
            if made is not value:
                changed[name] = made
        elif type(value) is list and value:
            items = [_plain(item) if isinstance(item, ast.AST) else item for item in value]
            if any(item is not before for item, before in zip(items, value, strict=True)):
                changed[name] = items
    rule = _RULES.get(type(node))
    if changed:
        copied = type(node).__new__(type(node))
        vars(copied).update(vars(node), **changed)
        node = copied
    return rule(node) if rule is not None else node


def _without_module(node: ast.Attribute) -> ast.expr:
    """Remove the name of Warp's module."""
    is_of_warp = isinstance(node.value, ast.Name) and node.value.id in {"wp", "warp"}
    return ast.Name(node.attr, ast.Load()) if is_of_warp else node


def _without_cast(node: ast.Call) -> ast.expr:
    """Remove casts of literals, and ``static``."""
    if len(node.args) != 1 or node.keywords:
        return node
    (argument,) = node.args
    if isinstance(node.func, ast.Name) and node.func.id == "static":
        return argument
    return argument if _is_cast(node.func) and _is_number(argument) else node


def _with_parentheses(node: ast.Compare) -> ast.expr:
    operands = [node.left, *node.comparators]
    left, *comparators = map(_parenthesized, operands)
    if [left, *comparators] == operands:
        return node
    return ast.Compare(left, node.ops, comparators)


_RULES: dict[type[ast.AST], Callable[[Any], ast.expr]] = {
    ast.Attribute: _without_module,
    ast.Call: _without_cast,
    ast.Compare: _with_parentheses,
}
"""What becomes of a node whose parts are plain."""


def _parenthesized(node: ast.expr) -> ast.expr:
    is_of_bits = isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitAnd | ast.BitOr | ast.BitXor)
    return ast.Name(f"({ast.unparse(node)})", ast.Load()) if is_of_bits else node


def _is_cast(function: ast.expr) -> bool:
    if isinstance(function, ast.Call):
        return isinstance(function.func, ast.Name) and function.func.id == "type"
    return isinstance(function, ast.Name) and (function.id in _CASTS or function.id.startswith(("float", "int", "uint")))


def _is_number(node: ast.expr) -> bool:
    node = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


def text_of(node: ast.expr) -> str:
    """Return an expression as text.

    Examples:
        >>> text_of(ast.parse("wp.max(x[i], wp.float64(0.5)) * float(n)", mode="eval").body)
        'max(x[i], 0.5) * float(n)'
    """
    return node.id if isinstance(node, ast.Name) else ast.unparse(_plain(node))


def type_text(annotation: ast.expr | None) -> str:
    """Return an annotation as it is written; empty if there is none."""
    return "" if annotation is None else ast.unparse(annotation)


def called_name(node: ast.AST) -> str:
    """Return the last part of the name that a call calls, such as ``"atomic_add"``; empty for anything else."""
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
