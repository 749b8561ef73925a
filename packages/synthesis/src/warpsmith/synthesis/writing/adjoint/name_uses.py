"""Names in the syntax tree of a kernel: read, stored, called, and carried from one round of a loop to the next."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence


def reads(expression: ast.AST) -> set[str]:
    """Return the names in an expression."""
    return {node.id for node in ast.walk(expression) if isinstance(node, ast.Name)}


def loaded(node: ast.AST) -> Iterator[str]:
    """Yield the name of each read in statements."""
    return (name.id for name in ast.walk(node) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Load))


def stored(node: ast.AST) -> set[str]:
    """Return the names that statements or targets assign."""
    return {name.id for name in ast.walk(node) if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)}


def called(expression: ast.expr) -> str:
    """Return the name of the function that an expression calls, without its module, or an empty text."""
    if not isinstance(expression, ast.Call):
        return ""
    return expression.func.attr if isinstance(expression.func, ast.Attribute) else ast.unparse(expression.func)


def carried(body: Sequence[ast.stmt]) -> set[str]:
    """Return the names that the body of a loop assigns, and may read before that in the next round."""
    exposed, _ = _exposed(body)
    return exposed & set().union(*map(stored, body))


def _exposed(body: Iterable[ast.stmt]) -> tuple[set[str], set[str]]:
    """Return the names that statements may read before they assign them, and the names that they assign in any case."""
    exposed: set[str] = set()
    fresh: set[str] = set()
    for statement in body:
        if isinstance(statement, ast.If):
            then, otherwise = _exposed(statement.body), _exposed(statement.orelse)
            exposed |= (reads(statement.test) | then[0] | otherwise[0]) - fresh
            fresh |= then[1] & otherwise[1]
        elif isinstance(statement, ast.For):
            inside, _ = _exposed(statement.body)
            exposed |= (reads(statement.iter) | (inside - stored(statement.target))) - fresh
        elif isinstance(statement, ast.While):
            exposed |= (reads(statement.test) | _exposed(statement.body)[0]) - fresh
        elif isinstance(statement, ast.AugAssign):
            exposed |= reads(statement) - fresh
        else:
            exposed |= set(loaded(statement)) - fresh
            fresh |= stored(statement)
    return exposed, fresh
