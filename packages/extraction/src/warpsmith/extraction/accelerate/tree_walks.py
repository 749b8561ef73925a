"""Searches for which Warp walks the whole syntax tree of a function."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

_BLOCKS = ("body", "orelse", "finalbody")
_CLAUSES = ("handlers", "cases")
_LEAVES = frozenset({ast.Load, ast.Store, ast.Constant, *ast.operator.__subclasses__(), *ast.cmpop.__subclasses__()})
"""Nodes without child nodes: a third of a tree."""


def kernel_has_value_return(_: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Find out whether a kernel returns a value by its statements alone, which occur in blocks and never in expressions."""

    def faster(kernel: Any) -> bool:
        blocks = [kernel.adj.tree.body[0].body]
        while blocks:
            for node in blocks.pop():
                if isinstance(node, ast.Return) and node.value is not None:
                    return True
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                    continue
                blocks += [block for name in _BLOCKS if (block := getattr(node, name, None))]
                blocks += [clause.body for name in _CLAUSES for clause in getattr(node, name, ())]
        return False

    return faster


def iter_ast_nodes_of_types(stock: Callable[..., Iterator[ast.AST]]) -> Callable[..., Iterator[ast.AST]]:
    """Walk breadth first, as Warp does, but skip nodes without children unless their type is requested."""

    def faster(root: ast.AST, *types: type) -> Iterator[ast.AST]:
        if not _LEAVES.isdisjoint(types):
            return stock(root, *types)
        return _below(root, types)

    return faster


def _below(root: ast.AST, types: tuple[type, ...]) -> Iterator[ast.AST]:
    generation = [root]
    while generation:
        children: list[ast.AST] = []
        for node in generation:
            if type(node) in types:
                yield node
            for name in node._fields:
                value = getattr(node, name, None)
                if type(value) is list:
                    children += [child for child in value if isinstance(child, ast.AST) and type(child) not in _LEAVES]
                elif isinstance(value, ast.AST) and type(value) not in _LEAVES:
                    children.append(value)
        generation = children
