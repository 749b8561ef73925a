"""The parts of a file with one kernel that texts about the kernel mention: signature, decorator, constants and functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.python_source import is_kernel_definition, parse_python
from warpsmith.core.records.syntax_walks import walk


@dataclass(frozen=True, slots=True)
class ParsedKernel:
    """A kernel and what its file defines for it.

    Attributes:
        kernel: its definition.
        functions: the functions that it calls (``@wp.func``), in the order of the file.
        structs: the structs of the file.
        constants: assignments and enumerations of the module.
        is_forward_only: whether the decorator excludes an adjoint.
    """

    kernel: ast.FunctionDef
    functions: tuple[ast.FunctionDef, ...]
    structs: tuple[ast.ClassDef, ...]
    constants: tuple[ast.stmt, ...]

    @property
    def decorator(self) -> str:
        """The decorator as it is written, without ``@``."""
        text = ", ".join(ast.unparse(node) for node in self.kernel.decorator_list)
        return text if '"' in text else text.replace("'", '"')

    @property
    def has_plain_decorator(self) -> bool:
        """Whether the decorator has no arguments."""
        return not any(isinstance(node, ast.Call) for node in self.kernel.decorator_list)

    @property
    def docstring(self) -> str:
        """The docstring of the kernel; empty if there is none."""
        return ast.get_docstring(self.kernel) or ""

    @property
    def body(self) -> list[ast.stmt]:
        """The statements of the kernel without its docstring."""
        return body_of(self.kernel)


def parse_kernel(pair: Pair) -> ParsedKernel:
    """Return the parts of a pair's Python.

    Raises:
        WarpsmithError: if the text is not Python, or defines no kernel of the name.
    """
    found = _parts(pair.python_source, pair.metadata.kernel_name)
    if found is None:
        raise WarpsmithError(f"the Python of {pair.id} defines no kernel {pair.metadata.kernel_name}")
    return found


@lru_cache(maxsize=8)  # several texts about a pair are written one after another; none changes its tree
def _parts(source: str, name: str) -> ParsedKernel | None:
    module = parse_python(source)
    definitions = list(_definitions(module))
    kernel = next((node for node in definitions if is_kernel_definition(node) and node.name == name), None)
    if kernel is None:
        return None
    functions = tuple(node for node in definitions if node is not kernel)
    classes = [node for node in module.body if isinstance(node, ast.ClassDef)]
    structs = tuple(node for node in classes if node.decorator_list)
    assigned = [node for node in module.body if isinstance(node, ast.Assign | ast.AnnAssign) or node in classes]
    return ParsedKernel(kernel, functions, structs, tuple(node for node in assigned if node not in structs))


def body_of(function: ast.FunctionDef) -> list[ast.stmt]:
    """Return the statements of a function without its docstring."""
    first = function.body[0]
    is_docstring = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str)
    return function.body[1:] if is_docstring else function.body


def _definitions(module: ast.Module) -> Iterator[ast.FunctionDef]:
    """Yield all functions of a module; a kernel may be defined in a function."""
    for node in walk(module):
        if isinstance(node, ast.FunctionDef):
            yield node
