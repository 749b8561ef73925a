"""Walks over syntax trees, several times faster than those of `ast`."""

from __future__ import annotations

import ast
from collections.abc import Iterable


def children(nodes: Iterable[ast.AST]) -> list[ast.AST]:
    """Return the nodes directly inside others."""
    found: list[ast.AST] = []
    for node in nodes:
        for value in vars(node).values():
            kind = type(value)
            if kind is int or kind is str or value is None:  # most values are places in the text and names
                continue
            if kind is list:
                # Lists contain nodes, names, and None for an omitted part.
                found += [child for child in value if child is not None and type(child) is not str]
            elif isinstance(value, ast.AST):
                found.append(value)
    return found


def walk(node: ast.AST) -> list[ast.AST]:
    """Return a node and all nodes inside it, level by level."""
    found, level = [node], [node]
    while level:
        level = children(level)
        found += level
    return found
