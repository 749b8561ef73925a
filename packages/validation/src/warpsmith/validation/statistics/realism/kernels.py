"""Finds Warp's kernels, functions and structs in a file by their decorators."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from warpsmith.core.records.python_source import source_lines

Definition: TypeAlias = ast.FunctionDef | ast.ClassDef

KERNELS = frozenset({"kernel", "dynamic_kernel"})
DECORATORS = KERNELS | {"func", "dynamic_func", "struct", "dynamic_struct", "integrand"}
"""The last names of the decorators of definitions that are code for a device; `warp.fem` has its own ones."""

_OTHER_LIBRARIES = ("ti", "taichi", "cuda", "triton")
"""The first names of decorators of other libraries with kernels."""

_BLOCKS = ("body", "orelse", "finalbody", "handlers")


@dataclass(frozen=True)
class SourceKernel:
    """A kernel as its file contains it.

    Attributes:
        node: its syntax tree.
        decorator: the decorator that makes it a kernel, with its options.
        lines: the lines of the whole file, with their ends.
    """

    node: ast.FunctionDef
    decorator: ast.expr
    lines: list[str]


def find_kernels(source: str, tree: ast.Module) -> list[SourceKernel]:
    r"""Return the kernels of a file, those inside of functions, classes and branches included.

    Examples:
        >>> source = "@wp.kernel(enable_backward=False)\ndef k(): pass"
        >>> [kernel.node.name for kernel in find_kernels(source, ast.parse(source))]
        ['k']
    """
    lines = source_lines(source)
    found = ((node, _decorator(node, KERNELS)) for node in definitions(tree) if isinstance(node, ast.FunctionDef))
    return [SourceKernel(node, decorator, lines) for node, decorator in found if decorator is not None]


def device_texts(source: str, tree: ast.Module) -> list[str]:
    """Return the text of each kernel, function and struct of a file, with decorators and without common indentation."""
    lines = source_lines(source)
    return [unindented(node, lines) for node in definitions(tree)]


def definitions(tree: ast.Module) -> Iterator[Definition]:
    """Yield the outermost definitions of code for a device, in the order of the file."""
    remaining: list[ast.AST] = [tree]
    while remaining:
        node = remaining.pop()
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and _decorator(node, DECORATORS) is not None:
            yield node
        else:
            inner = [child for block in _BLOCKS for child in getattr(node, block, ())]
            remaining += reversed(inner)


def _decorator(node: Definition, names: frozenset[str]) -> ast.expr | None:
    return next((decorator for decorator in node.decorator_list if _last_name(decorator) in names), None)


def _last_name(decorator: ast.expr) -> str:
    called = decorator.func if isinstance(decorator, ast.Call) else decorator
    match called:
        case ast.Attribute(ast.Name(module)) if module in _OTHER_LIBRARIES:
            return ""
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def definition_kind(node: Definition) -> str:
    """Return ``kernel``, ``function`` or ``struct``, the kind of a definition of code for a device."""
    if isinstance(node, ast.ClassDef):
        return "struct"
    return "function" if _decorator(node, KERNELS) is None else "kernel"


def first_line(node: Definition) -> int:
    """Return the number of the line of a definition's first decorator, or of its name if it has none."""
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def unindented(node: Definition, lines: list[str]) -> str:
    """Return the text of a definition from its first decorator on, without the indentation that all its lines have."""
    definition_lines = lines[first_line(node) - 1 : node.end_lineno]
    indentation = definition_lines[0][: len(definition_lines[0]) - len(definition_lines[0].lstrip())]
    return "".join(line.removeprefix(indentation) for line in definition_lines).rstrip() + "\n"
