"""Names in the source of kernels: which names a syntax tree reads, what they mean, and how they are imported."""

from __future__ import annotations

import ast
import builtins
import itertools
import sys
import typing
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

import warp as wp

from warpsmith.extraction.warp.objects import is_builtin

_IMPORTABLE = {"warp", "numpy", "typing_extensions"}
MISSING = object()
"""The value of a name or attribute that does not exist."""


def import_line(name: str, value: Any) -> str | None:
    """Return the import of ``value`` from an installed module under ``name``, or None if it has no public name in one."""
    if getattr(typing, name, MISSING) is value:
        return f"from typing import {name}"
    module, attribute = str(getattr(value, "__module__", "")), str(getattr(value, "__name__", ""))
    if module == "builtins":
        return None  # names that need no import; an alias is an assignment
    public = module.replace("._src", "", 1)  # the private modules of Warp have public ones of the same name
    if not is_importable(public) or "._" in public or getattr(sys.modules.get(public), attribute, MISSING) is not value:
        return None
    return f"from {public} import {attribute}" + ("" if attribute == name else f" as {name}")


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


def chain_of(node: ast.AST) -> tuple[list[ast.expr], tuple[str, ...]] | None:
    """Return the parts of ``a.b.c``, from the name ``a`` to the whole node, and the names; None for other nodes."""
    parts: list[ast.expr] = []
    names: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node)
        names.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return [node, *reversed(parts)], (node.id, *reversed(names))


def names_in(node: ast.AST) -> Iterator[str]:
    """Yield every name in ``node``, without attributes."""
    return (child.id for child in ast.walk(node) if isinstance(child, ast.Name))


def stored_names(node: ast.AST) -> set[str]:
    """Return the names that ``node`` assigns, including loop variables."""
    return {child.id for child in ast.walk(node) if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store)}


def function_in_object(chain: tuple[str, ...], module: Any) -> tuple[int, wp.Function] | None:
    """Return a Warp function that attributes of a module reach, and how many; None for public functions of Warp itself.

    `warp.fem` adds functions to its classes and operators.
    """
    value = module
    for depth, attribute in enumerate(chain[1:] if isinstance(module, ModuleType) else (), start=1):
        value = getattr(value, attribute, MISSING)
        is_public = module is wp and depth == 1
        if isinstance(value, wp.Function) and not is_builtin(value) and not is_public:
            return depth, value
    return None


def name_outside(local: frozenset[str], chain: tuple[str, ...]) -> str:
    """Return the last name of a chain, or, if it means something else there, a name made of the whole chain."""
    joined = "_".join(chain)
    numbered = (f"{joined}_{number}" for number in itertools.count(2))
    return next(name for name in itertools.chain((chain[-1], joined), numbered) if name not in local)
