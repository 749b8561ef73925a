"""Syntax trees of overloads, which are dropped until Warp's generator reads them.

Warp parses the source of a generic kernel again for each overload and keeps the tree. In a package with 1,000 overloads, these
trees take 170 MB.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from warpsmith.extraction.warp.private import warp_codegen, warp_context

_TREE = "tree"
_ADD_OVERLOAD = "_add_normalized_overload"


@contextlib.contextmanager
def overloads_without_trees() -> Iterator[None]:
    """Drop the tree of each overload that is created inside the block, until it is read."""
    add: Callable[..., Any] | None = getattr(warp_context.Kernel, _ADD_OVERLOAD, None)  # from 1.19
    if add is None:
        yield
        return

    def add_without_tree(kernel: Any, types: list[Any]) -> Any:
        overload = add(kernel, types)
        drop_tree(overload)
        return overload

    setattr(warp_context.Kernel, _ADD_OVERLOAD, add_without_tree)
    try:
        yield
    finally:
        setattr(warp_context.Kernel, _ADD_OVERLOAD, add)


def drop_tree(kernel: Any) -> None:
    """Drop the syntax tree of an overload of a generic kernel; reading it parses the source again.

    Trees that Warp or a project has changed, and trees that several functions share, are kept.
    """
    adjoint = kernel.adj
    is_changed = adjoint.transformers or getattr(adjoint, "resolved_static_expressions", True)
    if kernel.generic_parent is None or is_changed or getattr(adjoint, "_shared_source", True) is not None:
        return
    warp_codegen.Adjoint.__getattr__ = _parsed_again
    vars(adjoint).pop(_TREE, None)
    adjoint.source = kernel.generic_parent.adj.source if adjoint.source == kernel.generic_parent.adj.source else adjoint.source
    adjoint._reference_nodes = adjoint._assigned_name_ids = adjoint._assignment_call_metadata = None


def _parsed_again(adjoint: Any, name: str) -> Any:
    """Return an attribute that an adjoint lacks: its tree, which `drop_tree` has dropped."""
    if name != _TREE or "source" not in vars(adjoint):
        raise AttributeError(f"{type(adjoint).__name__!r} object has no attribute {name!r}", name=name, obj=adjoint)
    adjoint.tree = ast.parse(adjoint.source)
    return adjoint.tree
