"""Traversals of trees: the parts of an expression, the expressions and blocks of a statement."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from warpsmith.synthesis.language import nodes
from warpsmith.synthesis.language.nodes import Expr, Stmt

_PARTS: dict[type, Callable[[Any], tuple[Expr, ...]] | None] = {
    nodes.Name: None,
    nodes.Const: None,
    nodes.Size: None,
    nodes.Hole: None,
    nodes.Apply: lambda node: node.args,
    nodes.Call: lambda node: node.args,
    nodes.Construct: lambda node: node.args,
    nodes.Load: lambda node: node.indices,
    nodes.Component: lambda node: (node.value, *node.indices),
    nodes.Ternary: lambda node: (node.condition, node.then, node.other),
    nodes.Compare: lambda node: node.operands,
    nodes.Logic: lambda node: node.operands,
}

_EXPRESSIONS: dict[type, Callable[[Any], tuple[Expr, ...]]] = {
    nodes.Assign: lambda node: (node.value,),
    nodes.Declare: lambda node: (node.value,),
    nodes.Augment: lambda node: (node.value,),
    nodes.Store: lambda node: (*node.indices, node.value),
    nodes.Atomic: lambda node: (*node.indices, node.value),
    nodes.If: lambda node: (node.condition,),
    nodes.For: lambda node: (node.start, node.stop),
    nodes.While: lambda node: (node.condition,),
    nodes.Return: lambda node: (node.value,),
    nodes.LoadElement: lambda node: node.indices,
    nodes.RawStatement: lambda node: node.args,
}

_BLOCKS: dict[type, Callable[[Any], tuple[tuple[Stmt, ...], ...]]] = {
    nodes.If: lambda node: (node.body, node.orelse),
    nodes.For: lambda node: (node.body,),
    nodes.While: lambda node: (node.body,),
}


def parts(expr: Expr) -> tuple[Expr, ...]:
    """Return the expressions that ``expr`` is made of."""
    inner = _PARTS[type(expr)]
    return inner(expr) if inner else ()


def expressions(statement: Stmt) -> tuple[Expr, ...]:
    """Return the expressions of a statement itself, without the expressions of its blocks."""
    get_parts = _EXPRESSIONS.get(type(statement))
    return get_parts(statement) if get_parts else ()


def blocks(statement: Stmt) -> tuple[tuple[Stmt, ...], ...]:
    """Return the blocks of a statement."""
    get_blocks = _BLOCKS.get(type(statement))
    return get_blocks(statement) if get_blocks else ()


def subexpressions(expr: Expr) -> list[Expr]:
    """Return ``expr`` and all of its parts, outermost first."""
    return _expand([expr])


def statements(body: tuple[Stmt, ...]) -> list[Stmt]:
    """Return the statements of a body and of all blocks in it, in the order of the text."""
    result: list[Stmt] = []
    for statement in body:
        result.append(statement)
        inner = _BLOCKS.get(type(statement))
        if inner:
            for block in inner(statement):
                result += statements(block)
    return result


def all_parts(body: tuple[Stmt, ...]) -> list[Expr]:
    """Return every expression of a body, and all parts of these expressions."""
    return _expand([expr for statement in statements(body) for expr in expressions(statement)])


def _expand(reached: list[Expr]) -> list[Expr]:
    for node in reached:  # the list grows during the loop; a stack would be slower, and this is a hot path
        inner = _PARTS[type(node)]
        if inner:
            reached += inner(node)
    return reached
