"""Expressions and names of a kernel as text for readers: without the module's name, casts of literals, and ``static``."""

from __future__ import annotations

import ast

from warpsmith.core.descriptions.tree_copy import tree_copy

_CASTS = {"float", "int", "bool", "dtype", "constant"}
"""Names whose call with a literal gives the literal; so do all types of Warp, and ``type(x)``."""


class _Plain(ast.NodeTransformer):
    """Removes what a reader of a rule does not need."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        """Remove the name of Warp's module."""
        self.generic_visit(node)
        is_of_warp = isinstance(node.value, ast.Name) and node.value.id in {"wp", "warp"}
        return ast.Name(node.attr, ast.Load()) if is_of_warp else node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Remove casts of literals, and ``static``."""
        self.generic_visit(node)
        if len(node.args) != 1 or node.keywords:
            return node
        (argument,) = node.args
        if isinstance(node.func, ast.Name) and node.func.id == "static":
            return argument
        return argument if _is_cast(node.func) and _is_number(argument) else node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """Put operations on bits in parentheses: other languages compare first."""
        self.generic_visit(node)
        node.left, *node.comparators = map(_parenthesized, (node.left, *node.comparators))
        return node


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
    return node.id if isinstance(node, ast.Name) else ast.unparse(_Plain().visit(tree_copy(node)))


def type_text(annotation: ast.expr | None) -> str:
    """Return an annotation as it is written; empty if there is none."""
    return "" if annotation is None else ast.unparse(annotation)


def called_name(node: ast.AST) -> str:
    """Return the last part of the name that a call calls, such as ``"atomic_add"``; empty for anything else."""
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
