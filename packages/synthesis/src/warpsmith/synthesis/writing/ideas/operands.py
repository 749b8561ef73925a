"""Operands: a kernel exchanges the factors of all its products of a kind, such as a number and a vector, or of none."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from warpsmith.synthesis.language.warp_types import FLOAT, INT, Type
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.ideas.outlining.idea_lines import Expression, read_expression, read_line, unmark
from warpsmith.synthesis.writing.ideas.outlining.static_types import Kind, Scope
from warpsmith.synthesis.writing.ideas.tree import Node, walk
from warpsmith.synthesis.writing.policy import SWAP_CHANCE

_ATOMS = (ast.Name, ast.Attribute, ast.Subscript, ast.Call)
"""Operands that need no parentheses in either place; literals stay where their author wrote them."""

_EFFECT = re.compile(rb"rand|atomic|sample_|poisson|_next\(")
"""Operands that have to stay in their order."""

_Factor: TypeAlias = "tuple[type[ast.expr], Type]"


def swap_operands(body: list[Node], threads: Iterable[str], parameters: Mapping[str, Kind], rng: RandomStream) -> None:
    """Exchange the factors of products of unlike factors; ``body`` is changed in place.

    Factors are unlike if they differ in their type or their form: a local, an element, a member or a call. Products of like
    factors, such as those of a determinant, keep the order that shows how they belong together. The value is the same, bit by
    bit: one factor is a float, and no factor has an effect.

    Args:
        body: the statements.
        threads: the keys of the thread indices.
        parameters: the types of the kernel's parameters by key.
        rng: the randomness of the kernel.
    """
    scope = Scope(body, dict.fromkeys(threads, INT), parameters, lambda _: None)
    swapped: dict[tuple[_Factor, _Factor], bool] = {}
    for node in walk(body):
        value = read_line(node.text).value
        if " * " not in value:
            continue
        expression = read_expression(value)
        if expression is not None:
            head, _, tail = node.text.rpartition(value)
            node.text = head + _swap(expression, scope, swapped, rng) + tail


def _swap(expression: Expression, scope: Scope, swapped: dict[tuple[_Factor, _Factor], bool], rng: RandomStream) -> str:
    text = expression.marked
    for node in reversed(list(ast.walk(expression.node))):  # operands first: exchanging them keeps the places of the others
        if not isinstance(node, ast.BinOp) or not isinstance(node.left, _ATOMS) or not isinstance(node.right, _ATOMS):
            continue
        left, right = (slice(part.col_offset, part.end_col_offset) for part in (node.left, node.right))
        if text[left.stop : right.start] != b" * " or _EFFECT.search(text, node.col_offset, node.end_col_offset or 0):
            continue
        kind = _unlike_factors(node, scope)
        if kind is None:
            continue
        if kind not in swapped:
            swapped[kind] = swapped[kind[::-1]] = rng.chance(SWAP_CHANCE)
        if swapped[kind]:
            text = text[: left.start] + text[right] + b" * " + text[left] + text[right.stop :]
    return unmark(text.decode())


def _unlike_factors(node: ast.BinOp, scope: Scope) -> tuple[_Factor, _Factor] | None:
    """Return form and type of the factors of a product, one of them a float; None if they are alike."""
    left, right = scope.infer(node.left), scope.infer(node.right)
    if not isinstance(left, Type) or not isinstance(right, Type) or FLOAT not in (left, right):
        return None
    factors = ((type(node.left), left), (type(node.right), right))
    return factors if factors[0] != factors[1] else None
