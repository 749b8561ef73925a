"""Operands: products of a number and a value, and sums of two values, have them in either order, as authors write them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping

from warpsmith.synthesis.language.warp_types import FLOAT, INT, Type
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.ideas.outlining.idea_lines import Expression, read_expression, read_line, unmark
from warpsmith.synthesis.writing.ideas.outlining.static_types import Kind, Scope
from warpsmith.synthesis.writing.ideas.tree import Node, walk
from warpsmith.synthesis.writing.policy import OPERAND_CHANCE

_ATOMS = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
"""Operands that need no parentheses in either place; literals stay where their author wrote them."""

_EFFECT = re.compile(rb"rand|atomic|sample_|poisson|_next\(")
"""Operands that have to stay in their order."""

_SIGNS = {ast.Mult: " * ", ast.Add: " + "}


def swap_operands(body: list[Node], threads: Iterable[str], parameters: Mapping[str, Kind], rng: RandomStream) -> None:
    """Exchange the operands of products and sums; ``body`` is changed in place.

    The value is the same, bit by bit: one factor is a float, or both summands have one type; no operand has an effect.

    Args:
        body: the statements.
        threads: the keys of the thread indices.
        parameters: the types of the kernel's parameters by key.
        rng: the randomness of the kernel.
    """
    scope = Scope(body, dict.fromkeys(threads, INT), parameters, lambda _: None)
    for node in walk(body):
        value = read_line(node.text).value
        if " * " not in value and " + " not in value:
            continue
        expression = read_expression(value)
        if expression is not None:
            head, _, tail = node.text.rpartition(value)
            node.text = head + _swap(expression, scope, rng) + tail


def _swap(expression: Expression, scope: Scope, rng: RandomStream) -> str:
    text = expression.marked
    for node in reversed(list(ast.walk(expression.node))):  # operands first: exchanging them keeps the places of the others
        if not isinstance(node, ast.BinOp) or not isinstance(node.left, _ATOMS) or not isinstance(node.right, _ATOMS):
            continue
        if _EFFECT.search(text, node.col_offset, node.end_col_offset or 0):
            continue
        sign = _SIGNS.get(type(node.op), "").encode()
        left, right = (slice(part.col_offset, part.end_col_offset) for part in (node.left, node.right))
        if sign and text[left.stop : right.start] == sign and _commutes(node, scope) and rng.chance(OPERAND_CHANCE):
            text = text[: left.start] + text[right] + sign + text[left] + text[right.stop :]
    return unmark(text.decode())


def _commutes(node: ast.BinOp, scope: Scope) -> bool:
    """Return whether one factor is a float, or both summands are floats, vectors or matrices of one type."""
    left, right = scope.infer(node.left), scope.infer(node.right)
    if not isinstance(left, Type) or not isinstance(right, Type):
        return False
    return FLOAT in (left, right) if isinstance(node.op, ast.Mult) else left == right and left.is_float
