"""Names in the files of real projects that look like names of Python: those of ``wp.map``, private constants, and modules."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection

_NAME_OF_MAP = re.compile(r"__(?:tid|out|o)_\d+")
"""The names in kernels that ``wp.map`` writes."""

_PROJECT_MODULES = frozenset({"enum", "math", "types", "typing"})
"""Names of Python's modules that a project may use for a module."""

_CONSTANT = re.compile(r"[A-Z][A-Z0-9_]*")

_PRIVATE_CONSTANT = re.compile(r"_[A-Z](?:[A-Z0-9_]*[A-Z0-9])?")
"""A constant that a class of a project names with an underscore."""


def is_member(name: str) -> bool:
    """Return whether a class of a file may have a member of this name."""
    return not name.startswith("_") or _PRIVATE_CONSTANT.fullmatch(name) is not None


def is_private_constant(node: ast.Attribute, classes: Collection[str]) -> bool:
    """Return whether an attribute is a constant of one of the ``classes`` of the file."""
    is_of_class = isinstance(node.value, ast.Name) and node.value.id in classes
    return is_of_class and _PRIVATE_CONSTANT.fullmatch(node.attr) is not None


def is_special(name: str) -> bool:
    """Return whether a name belongs to Python itself, such as ``__builtins__``; underscores alone name what is not used."""
    return name.startswith("__") and bool(name.strip("_")) and _NAME_OF_MAP.fullmatch(name) is None


def is_named_as_module(node: ast.ClassDef, modules: Collection[str]) -> bool:
    """Return whether a class is a group of constants with the name of a module that the file does not import."""
    members = [statement.targets[0] for statement in node.body if isinstance(statement, ast.Assign)]
    only_constants = all(isinstance(member, ast.Name) and _CONSTANT.fullmatch(member.id) for member in members)
    unexpected = [statement for statement in node.body if not isinstance(statement, ast.Assign | ast.Expr)]
    is_free = node.name in _PROJECT_MODULES and node.name not in modules
    return is_free and only_constants and not unexpected and not node.bases
