"""Names in the source of kernels: which names a syntax tree reads, what they mean, and how they are imported."""

from __future__ import annotations

import ast
import builtins
import sys
import typing
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

_IMPORTABLE = {"warp", "numpy", "typing_extensions"}
MISSING = object()
"""The value of a name or attribute that does not exist."""


def import_line(name: str, value: Any) -> str | None:
    """Return the import of ``value`` from an installed module under ``name``, or None if it has no public name in one."""
    if getattr(typing, name, MISSING) is value:
        return f"from typing import {name}"
    module, attribute = str(getattr(value, "__module__", "")), str(getattr(value, "__name__", ""))
    if not is_importable(module) or "._" in module or getattr(sys.modules.get(module), attribute, MISSING) is not value:
        return None
    return f"from {module} import {attribute}" + ("" if attribute == name else f" as {name}")


def is_importable(module: str) -> bool:
    """Return whether a pair's Python may import a module: it belongs to Python, Warp or a package that Warp requires."""
    root = module.partition(".")[0]
    return root in _IMPORTABLE or root in sys.stdlib_module_names


def scope_of(function: FunctionType) -> dict[str, Any]:
    """Return the values of all names that ``function`` can read: builtins, globals and the closure, later ones first."""
    scope = {**vars(builtins), **function.__globals__}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            scope[name] = cell.cell_contents
        except ValueError:
            scope.pop(name, None)  # an empty cell: the name is assigned later, or never
    return scope


def name_chains(node: ast.AST) -> Iterator[tuple[str, ...]]:
    """Yield every name in ``node`` with its attributes: ``a.b.c`` as ``("a", "b", "c")``."""
    if isinstance(node, ast.Attribute):
        attributes: list[str] = []
        inner: ast.expr = node
        while isinstance(inner, ast.Attribute):
            attributes.append(inner.attr)
            inner = inner.value
        if isinstance(inner, ast.Name):
            yield (inner.id, *reversed(attributes))
            return
    if isinstance(node, ast.Name):
        yield (node.id,)
    for child in ast.iter_child_nodes(node):
        yield from name_chains(child)


def names_in(node: ast.AST) -> Iterator[str]:
    """Yield every name in ``node``, without attributes."""
    return (chain[0] for chain in name_chains(node))


def follow_modules(value: Any, attributes: tuple[str, ...]) -> tuple[Any, int]:
    """Follow ``attributes`` through modules; return the object that is reached and the number of attributes followed."""
    depth = 0
    for attribute in attributes:
        if not isinstance(value, ModuleType):
            break
        value = getattr(value, attribute, MISSING)
        depth += 1
    return value, depth
