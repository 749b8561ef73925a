"""Walks over syntax trees, several times faster than those of `ast`."""

from __future__ import annotations

import ast
from collections.abc import Iterable


def children(nodes: Iterable[ast.AST]) -> list[ast.AST]:
    """Return the nodes directly inside others."""
    found: list[ast.AST] = []
    for node in nodes:
        for value in vars(node).values():
            if isinstance(value, ast.AST):
                found.append(value)
            elif type(value) is list:
                found += [child for child in value if isinstance(child, ast.AST)]
    return found


def walk(node: ast.AST) -> list[ast.AST]:
    """Return a node and all nodes inside it, level by level."""
    found, level = [node], [node]
    while level:
        level = children(level)
        found += level
    return found
