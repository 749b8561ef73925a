"""What the Python of a program may contain: arithmetic, NumPy, Warp options of a command line, and nothing else.

The sandbox is the boundary; the list keeps programs that try to leave it from being run at all.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from warpsmith.core.records.python_source import NotPythonError, parse_python

MODULES = frozenset(("argparse", "math", "numpy", "warp", "warp.optim"))
"""The modules that a program may import."""

_BUILTINS = frozenset(
    "__import__ breakpoint compile delattr dir eval exec exit getattr globals help id input locals memoryview open quit "
    "setattr super type vars".split()
)
"""Builtins that no program needs."""

_MEMBERS = frozenset(
    "ctypeslib distutils f2py fromfile fromregex genfromtxt lib load load_module load_aot_module loadtxt memmap open_memmap "
    "save savetxt savez savez_compressed tofile compile_aot_module set_module_options config context "
    "ptr func_native from_ptr from_dlpack to_dlpack render fem".split()
)
"""Members of modules and objects that read and write files, change Warp, or reach memory by address."""

_DUNDERS = frozenset(("__init__", "__name__", "__main__"))


def host_violation(source: str) -> str | None:
    r"""Return why a program may not run, or None if it may.

    Examples:
        >>> host_violation("import os")
        'line 1: imports os'
        >>> host_violation("import warp as wp\\nx = wp.zeros(4)")
    """
    try:
        tree = parse_python(source)
    except NotPythonError as error:
        return f"not Python: {error}"
    return next(
        (f"line {getattr(node, 'lineno', 0)}: {problem}" for node in ast.walk(tree) for problem in _problems(node)), None
    )


def _problems(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (f"imports {alias.name}" for alias in node.names if alias.name not in MODULES)
    elif isinstance(node, ast.ImportFrom):
        yield f"imports from {node.module}"
    elif isinstance(node, ast.Name) and (node.id in _BUILTINS or _is_private(node.id)):
        yield f"uses {node.id}"
    elif isinstance(node, ast.Attribute) and (node.attr in _MEMBERS or _is_private(node.attr)):
        yield f"uses the member {node.attr}"
    elif isinstance(node, ast.Global | ast.Nonlocal | ast.AsyncFunctionDef | ast.Await | ast.Delete):
        yield f"contains a statement that programs do not need ({type(node).__name__})"


def _is_private(name: str) -> bool:
    return name not in _DUNDERS and name != "_" and name.startswith("_")
