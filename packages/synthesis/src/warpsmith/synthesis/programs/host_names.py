"""The names that statements read and assign, and texts in which names are replaced."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

DIRECTIVES = frozenset(("close", "check", "report", "log", "swap"))
"""The statements of the catalogue that are no Python; they are written as calls."""


@dataclass(frozen=True, slots=True)
class Uses:
    """The names of a sequence of statements.

    Attributes:
        free: the names that are read before the statements assign them, in their order.
        stored: the names that the statements assign, in their order.
    """

    free: tuple[str, ...]
    stored: tuple[str, ...]


def uses_of(text: str) -> Uses:
    r"""Return the names that statements use.

    Examples:
        >>> uses_of("b = a + 1\nc = b")
        Uses(free=('a',), stored=('b', 'c'))
    """
    free: dict[str, None] = {}
    stored: dict[str, None] = {}
    for statement in ast.parse(text).body:
        _collect(statement, free, stored)
    return Uses(tuple(free), tuple(stored))


def _collect(node: ast.AST, free: dict[str, None], stored: dict[str, None]) -> None:
    """Add the names of a statement in the order in which they are evaluated."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        stored[node.name] = None
        return
    if isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Store):
            stored[node.id] = None
        elif node.id not in stored and node.id not in DIRECTIVES:
            free[node.id] = None
        return
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "swap":
        names = [name.id for name in node.args if isinstance(name, ast.Name)]
        free.update(dict.fromkeys(name for name in names if name not in stored))
        stored.update(dict.fromkeys(names))
        return
    if isinstance(node, ast.ListComp | ast.GeneratorExp | ast.SetComp | ast.DictComp | ast.Lambda):
        inner: dict[str, None] = {}
        bound = _bound(node)
        for child in _in_order(node):
            _collect(child, inner, {})
        free.update(dict.fromkeys(name for name in inner if name not in bound and name not in stored))
        return
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id not in stored:
        free[node.target.id] = None
    for child in _in_order(node):
        _collect(child, free, stored)


def _bound(node: ast.AST) -> set[str]:
    names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    return names | {part.arg for part in ast.walk(node) if isinstance(part, ast.arg)}


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the children of a node, values before their targets."""
    if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign):
        if node.value is not None:
            yield node.value
        yield from node.targets if isinstance(node, ast.Assign) else [node.target]
        return
    if isinstance(node, ast.For):
        yield node.iter
        yield node.target
        yield from (*node.body, *node.orelse)
        return
    yield from ast.iter_child_nodes(node)


def renamed(text: str, names: Mapping[str, str]) -> str:
    """Return statements with other names; attributes, names of arguments and strings stay as they are.

    Examples:
        >>> renamed("f(n, n=n.n)", {"n": "self.n"})
        'f(self.n, n=self.n.n)'
    """
    lines = text.split("\n")
    depth, before = 0, ""
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    found: list[tokenize.TokenInfo] = []
    for token, follower in zip(tokens, [*tokens[1:], tokens[-1]], strict=True):
        depth += (token.string in ("(", "[", "{")) - (token.string in (")", "]", "}"))
        is_keyword = depth > 0 and follower.string == "="
        if token.type == tokenize.NAME and token.string in names and before != "." and not is_keyword:
            found.append(token)
        before = token.string
    for token in reversed(found):
        row, column = token.start
        line = lines[row - 1]
        lines[row - 1] = line[:column] + names[token.string] + line[column + len(token.string) :]
    return "\n".join(lines)
