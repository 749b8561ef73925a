"""The sources of the packages, as tests of the repository layout see them: modules, folders and the imports between them."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import count
from pathlib import Path

ROOT = Path(__file__).parents[2]


@cache
def modules() -> dict[str, Path]:
    """Return every module of the packages by its dotted name below ``warpsmith``, such as ``core.records.pair``."""
    found = {}
    for package in sorted((ROOT / "packages").iterdir()):
        below = package / "src" / "warpsmith"
        for path in sorted(below.rglob("*.py")):
            parts = path.relative_to(below).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def folder(module: str) -> str:
    """Return the folder that contains a module; a package is its own folder."""
    return module if modules()[module].name == "__init__.py" else module.rpartition(".")[0]


@cache
def parsed(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imported_names(node: ast.AST) -> set[str]:
    """Return the names that an import statement could refer to; ``from a import b`` may mean ``a`` and ``a.b``."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    if isinstance(node, ast.ImportFrom) and node.module:
        return {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return set()


@cache
def imports(module: str) -> frozenset[str]:
    """Return all names that a module imports, at its top, in functions and for type checkers."""
    return frozenset(name for node in statements(parsed(modules()[module])) for name in imported_names(node))


@cache
def imported_modules(module: str, *, for_types: bool = True) -> frozenset[str]:
    """Return the modules of warpsmith that a module imports.

    Args:
        module: its name below ``warpsmith``.
        for_types: whether imports below ``if TYPE_CHECKING`` count.
    """
    found: set[str] = set()
    for node in statements(parsed(modules()[module]), for_types=for_types):
        names = {name.removeprefix("warpsmith.") for name in imported_names(node) if name.startswith("warpsmith.")}
        names &= modules().keys()
        found |= {name for name in names if not any(other.startswith(f"{name}.") for other in names)}
    return frozenset(found - {module})


def is_type_checking(test: ast.expr) -> bool:
    """Return whether a condition is ``TYPE_CHECKING`` or ``typing.TYPE_CHECKING``."""
    return "TYPE_CHECKING" in (getattr(test, "id", None), getattr(test, "attr", None))


def statements(tree: ast.AST, *, for_types: bool = True) -> Iterator[ast.stmt]:
    """Yield each statement at any depth; those below ``if TYPE_CHECKING`` only if asked for."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and not for_types and is_type_checking(node.test):
            continue
        if isinstance(node, ast.stmt):
            yield node
        if isinstance(node, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from statements(node, for_types=for_types)


def cycles(graph: Mapping[str, frozenset[str]]) -> list[list[str]]:
    """Return the strongly connected components of more than one module (Tarjan's algorithm)."""
    number, lowest = {}, {}
    stack: list[str] = []
    found: list[list[str]] = []
    counter = count()

    def visit(module: str) -> None:
        number[module] = lowest[module] = next(counter)
        stack.append(module)
        for other in sorted(graph[module]):
            if other not in number:
                visit(other)
            if other in stack:
                lowest[module] = min(lowest[module], lowest[other])
        if lowest[module] == number[module]:
            position = stack.index(module)
            component = stack[position:]
            del stack[position:]
            if len(component) > 1:
                found.append(sorted(component))

    for module in graph:
        if module not in number:
            visit(module)
    return found
