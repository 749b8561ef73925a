"""Finds kernels whose gradient Warp gets wrong because they replace an element that decided what they do.

An adjoint kernel repeats the reads and the tests of the kernel, but not what it stores: an element that the kernel has replaced
has its new value there. A test or an index that depends on such an element leads the adjoint another way.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from warpsmith.synthesis.writing.adjoint.name_uses import reads

_FLOATS = ("float", "vec", "mat", "quat", "transform", "spatial", "Any")
"""What annotations of arrays with a gradient contain."""


_STORED = re.compile(r"^ +(\w+)\[[^=\n]*\] [-+*/|&^]?= |\bwp\.atomic_\w+\((\w+),", re.MULTILINE)
"""The name of an array of which a line changes an element, by an assignment or an atomic function."""

_ELEMENT = re.compile(r"\b(\w+)\[")


def replaced_use(source: str) -> str | None:
    """Return a test or an index of a kernel file that reads an element which the kernel replaces later, or None.

    Kernels without an output that has a gradient are permitted.

    Examples:
        >>> text = '''
        ... @wp.kernel
        ... def k(age: wp.array(dtype=int), x: wp.array(dtype=float), out: wp.array(dtype=float)):
        ...     i = wp.tid()
        ...     before = age[i]
        ...     if before > 3:
        ...         out[i] = x[i]
        ...     age[i] = 0
        ... '''
        >>> replaced_use(text)
        'before > 3'
        >>> replaced_use(text.replace("age[i] = 0", "wp.atomic_add(age, i, 1)"))
        'before > 3'
        >>> replaced_use(text.replace("age[i] = 0", "pass"))
    """
    changes = _STORED.findall(source)
    stores = Counter(name for name, _ in changes)
    elements = Counter(_ELEMENT.findall(source))
    if not any(elements[name] > stores[name] for change in changes for name in change):
        return None
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and (
            marks := [mark for mark in map(ast.unparse, node.decorator_list) if "kernel" in mark]
        ):
            return None if "enable_backward=False" in marks[0] else _find(node)
    return None


def _find(kernel: ast.FunctionDef) -> str | None:
    kinds = {arg.arg: ast.unparse(arg.annotation) for arg in kernel.args.args if arg.annotation is not None}
    arrays = {name: kind for name, kind in kinds.items() if "array" in kind}
    last: dict[str, int] = {}
    for name, line in _stores(kernel):
        if name in arrays:
            last[name] = max(line, last.get(name, 0))
    if not any(word in arrays[name].partition("array")[2] for name in last for word in _FLOATS):
        return None
    nodes = [node for node in ast.walk(kernel) if isinstance(node, ast.expr | ast.stmt)]
    dependent: set[str] = set()
    for node in sorted(nodes, key=lambda node: (node.lineno, node.col_offset)):
        if isinstance(node, ast.Assign):
            targets = set().union(*(reads(target) for target in node.targets if not isinstance(target, ast.Subscript)))
            dependent = dependent | targets if _depends(node.value, last, dependent) else dependent - targets
            continue
        for decision in _decisions(node):
            if _depends(decision, last, dependent):
                return ast.unparse(decision)
    return None


def _stores(kernel: ast.FunctionDef) -> Iterator[tuple[str, int]]:
    """Yield the name of what each statement changes an element of, and its line."""
    for node in ast.walk(kernel):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and isinstance(node.value, ast.Name):
            yield node.value.id, node.lineno
        elif (
            isinstance(node, ast.Call)
            and ast.unparse(node.func).startswith("wp.atomic_")
            and isinstance(node.args[0], ast.Name)
        ):
            yield node.args[0].id, node.lineno


def _decisions(node: ast.AST) -> list[ast.expr]:
    """Return the expressions that decide what a node does: a test, or the index of an element."""
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        return [node.test]
    if isinstance(node, ast.Subscript):
        return [node.slice]
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "wp.where":
        return node.args[:1]
    return []


def _depends(expression: ast.expr, last: dict[str, int], dependent: set[str]) -> bool:
    """Return whether an expression reads an element that a later line changes, or a local that depends on one."""
    return any(
        (isinstance(node, ast.Name) and node.id in dependent)
        or (isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and last.get(node.value.id, 0) > node.lineno)
        for node in ast.walk(expression)
    )
