"""The components of a kernel: groups of statements between which no local value flows.

Statements are nodes. Two of them belong to one component if a local value that one assigns may reach the other. A control
statement contains its blocks. Assignments of the thread index and bare early exits such as ``if i >= n: return`` are no nodes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from warpsmith.core.records.syntax_walks import walk
from warpsmith.validation.statistics.realism.simple_expressions import root, warp_name

Reaching: TypeAlias = dict[str, frozenset[int]]
"""The nodes whose assignment of a variable may reach a statement."""


def component_count(statements: Sequence[ast.stmt]) -> int:
    r"""Return the number of components of statements.

    Examples:
        >>> component_count(ast.parse("a = x[0]\ny[0] = a\nb = x[1]\ny[1] = b").body)
        2
    """
    groups = _Groups()
    groups.block(statements, {})
    return groups.count()


class _Groups:
    """Nodes that are joined step by step."""

    def __init__(self) -> None:
        self._parents: list[int] = []

    def count(self) -> int:
        return sum(parent == node for node, parent in enumerate(self._parents))

    def _root(self, node: int) -> int:
        while self._parents[node] != node:
            self._parents[node] = self._parents[self._parents[node]]
            node = self._parents[node]
        return node

    def _join(self, node: int, other: int) -> None:
        self._parents[self._root(node)] = self._root(other)

    def _node(self, container: int | None) -> int:
        self._parents.append(len(self._parents))
        if container is not None:
            self._join(len(self._parents) - 1, container)
        return len(self._parents) - 1

    def block(self, statements: Sequence[ast.stmt], reaching: Reaching, container: int | None = None) -> Reaching:
        """Add the statements of a block; return the assignments that reach its end."""
        for statement in statements:
            if not _is_bare_exit(statement):
                reaching = self._statement(statement, reaching, container)
        return reaching

    def _statement(self, statement: ast.stmt, reaching: Reaching, container: int | None) -> Reaching:
        if (names := _thread_index(statement)) is not None:
            return {name: nodes for name, nodes in reaching.items() if name not in names}
        node = self._node(container)
        blocks = [statements for field in ("body", "orelse") if (statements := getattr(statement, field, None))]
        for name in _uses(statement):
            for source in reaching.get(name, ()):
                self._join(node, source)
        assigned = dict.fromkeys(_assigned(statement) | (_modified(statement) & reaching.keys()), frozenset({node}))
        after = reaching | assigned
        ends = [self.block(statements, after, node) for statements in blocks]
        return _merged(ends if isinstance(statement, ast.If) and len(ends) == 2 else [after, *ends])


def _merged(ends: Sequence[Reaching]) -> Reaching:
    """Return the assignments that reach the end of a control statement, over each of its paths."""
    return {name: frozenset[int]().union(*(end.get(name, ()) for end in ends)) for end in ends for name in end}


def _is_bare_exit(statement: ast.stmt) -> bool:
    match statement:
        case ast.If(body=[inner], orelse=[]):
            return _is_bare_exit(inner)
        case ast.Return(None) | ast.Continue() | ast.Break() | ast.Pass():
            return True
    return False


def _thread_index(statement: ast.stmt) -> set[str] | None:
    """Return the names that receive the thread index, or None for other statements."""
    match statement:
        case ast.Assign([target], ast.Call() as call) if warp_name(call) == "tid":
            return {node.id for node in walk(target) if isinstance(node, ast.Name)}
    return None


def _headers(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield the nodes of a statement except for those of its blocks."""
    for field, value in ast.iter_fields(statement):
        if field not in ("body", "orelse"):
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, ast.AST):
                    yield from walk(part)


def _uses(statement: ast.stmt) -> set[str]:
    """Return the names that a statement reads, those of augmented assignments included."""
    used = {node.id for node in _headers(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    match statement:
        case ast.AugAssign(ast.Name(name)):
            used.add(name)
    return used


def _assigned(statement: ast.stmt) -> set[str]:
    """Return the names that a statement assigns."""
    return {node.id for node in _headers(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}


def _modified(statement: ast.stmt) -> set[str]:
    """Return the names of the values of which a statement stores an element or a component."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    if isinstance(statement, ast.AugAssign):
        targets = [statement.target]
    return {name for target in targets if not isinstance(target, ast.Name) and (name := root(target)) is not None}
