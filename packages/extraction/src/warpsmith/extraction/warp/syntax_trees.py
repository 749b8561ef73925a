"""Syntax trees of kernels, which are dropped until Warp's generator reads them.

Warp parses the source of a generic kernel again for each overload and keeps the tree. In a package with 1,000 overloads, these
trees take 170 MB, and those of its other kernels 70 MB.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
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
    """Drop the syntax tree of a kernel; reading it parses the source again.

    Trees that Warp or a project has changed are kept.
    """
    adjoint = kernel.adj
    if adjoint.transformers or not hasattr(adjoint, "_shared_source") or adjoint.resolved_static_expressions:
        return
    warp_codegen.Adjoint.__getattr__ = _parsed_again
    if adjoint._shared_source is not None:  # Warp keeps the trees of functions by their code
        warp_codegen._shared_function_sources.pop(id(inspect.unwrap(kernel.func).__code__), None)
    vars(adjoint).pop(_TREE, None)
    adjoint._shared_source = adjoint._reference_nodes = adjoint._assigned_name_ids = adjoint._assignment_call_metadata = None
    if (parent := kernel.generic_parent) is not None and adjoint.source == parent.adj.source:
        adjoint.source = parent.adj.source  # one text instead of two that are equal


def _parsed_again(adjoint: Any, name: str) -> Any:
    """Return an attribute that an adjoint lacks: its tree, which `drop_tree` has dropped."""
    if name != _TREE or "source" not in vars(adjoint):
        raise AttributeError(f"{type(adjoint).__name__!r} object has no attribute {name!r}", name=name, obj=adjoint)
    adjoint.tree = ast.parse(adjoint.source)
    return adjoint.tree
