"""Kernels whose threads call builtins of tiles in a branch that depends on the thread.

The threads of a block wait for each other in such builtins. CUDA does not define what happens where only some threads arrive,
and a wait of the backward pass may meet another one. The same kernel is right with blocks of one thread, as on a CPU.
"""

from __future__ import annotations

import ast

from warpsmith.core.records.python_source import NotPythonError, parse_python

_THREAD = "tid"
_UNIFORM = frozenset({"tile_extract", "block_dim"})
"""Builtins that return the same value to all threads."""


def tiles_in_thread_branches(source: str) -> bool:
    """Return whether a file calls a builtin of tiles in a branch or a loop whose condition depends on the place in the block.

    The last value of ``wp.tid()`` is this place. Values depend on it where their expression contains a name that does.
    """
    try:
        tree = parse_python(source)
    except NotPythonError:
        return False
    return any(_has_branch(node) for node in tree.body if isinstance(node, ast.FunctionDef))


def _has_branch(kernel: ast.FunctionDef) -> bool:
    names = _thread_names(kernel)
    return bool(names) and any(
        _depends(node.test, names)
        and any(_is_tile_call(part) for child in [*node.body, *node.orelse] for part in ast.walk(child))
        for node in ast.walk(kernel)
        if isinstance(node, ast.If | ast.While)
    )


def _thread_names(kernel: ast.FunctionDef) -> set[str]:
    """Return the names whose values may differ between the threads of a block."""
    names: set[str] = set()
    assignments = [node for node in ast.walk(kernel) if isinstance(node, ast.Assign | ast.AugAssign)]
    count = -1
    while len(names) > count:
        count = len(names)
        for node in assignments:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            for target in targets:
                if _called(node.value) == _THREAD and isinstance(target, ast.Tuple):
                    names |= _names(target.elts[-1])
                elif _called(node.value) not in _UNIFORM and _depends(node.value, names):
                    names |= _names(target)
    return names


def _called(node: ast.expr) -> str:
    function = node.func if isinstance(node, ast.Call) else None
    return getattr(function, "attr", getattr(function, "id", ""))


def _is_tile_call(node: ast.AST) -> bool:
    name = _called(node) if isinstance(node, ast.expr) else ""
    return name == "tile" or name.startswith("tile_")


def _depends(node: ast.expr, names: set[str]) -> bool:
    return any(isinstance(part, ast.Name) and part.id in names for part in ast.walk(node))


def _names(target: ast.expr) -> set[str]:
    return {part.id for part in ast.walk(target) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
