"""Values of the names in a kernel. Most names belong to Warp's module, such as ``wp.sin``, or to the kernel's file."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import warp as wp

_WARP = vars(wp)


def resolve_static_expression(stock: Callable[..., Any]) -> Callable[..., Any]:
    """Resolve names and pairs of names without a walk; nodes other than names, attributes and calls have no path."""

    def faster(adj: Any, root_node: ast.AST, eval_types: bool = True) -> Any:
        node_type = type(root_node)
        if node_type is ast.Name:
            path = [root_node.id]  # type: ignore[attr-defined]
        elif node_type is ast.Attribute:
            if type(root_node.value) is not ast.Name:  # type: ignore[attr-defined]
                return stock(adj, root_node, eval_types)
            path = [root_node.value.id, root_node.attr]  # type: ignore[attr-defined]
        elif node_type is ast.Call:
            return stock(adj, root_node, eval_types)
        else:
            return None, []
        return adj.resolve_path(path), path

    return faster


def resolve_path(stock: Callable[..., Any]) -> Callable[..., Any]:
    """Look up names of Warp's module directly; collect the names that it lacks, which are builtins without an attribute."""
    absent: set[str] = set()

    def faster(adj: Any, path: list[str]) -> Any:
        if not path or adj.func.__closure__ is not None:
            return stock(adj, path)
        if path[0] in adj.symbols:
            return None
        found = adj.func.__globals__.get(path[0])
        if found is not wp or len(path) != 2:
            return stock(adj, path) if found is None or len(path) > 1 else found
        name = path[1]
        if name in _WARP:
            return _WARP[name]
        if name in absent:
            return wp
        found = stock(adj, path)
        if found is wp:
            absent.add(name)
        return found

    return faster
