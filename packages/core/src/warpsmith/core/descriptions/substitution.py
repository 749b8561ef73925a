"""Local values that are read once, put in the place of their use: rules then name results instead of steps."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from warpsmith.core.descriptions.expressions import called_name, text_of
from warpsmith.core.descriptions.tree_copy import tree_copy

LONGEST = 72
"""The most characters of an expression into which a value is put."""

_EFFECTS = ("atomic", "rand", "poisson", "sample", "tile", "printf", "print", "_next", "tid", "expect")
"""Parts of names of functions whose calls stay where they are."""


@dataclass(frozen=True, slots=True)
class _Uses:
    """What a function does with its names.

    Attributes:
        once: the names that are assigned once and read once.
        written: how often each name is assigned.
        effects: functions that change arrays.
    """

    once: set[str]
    written: Counter[str]
    effects: frozenset[str]

    def has_effect(self, value: ast.expr) -> bool:
        """Return whether an expression calls a function that stays where it is."""
        names = [called_name(node) for node in ast.walk(value) if isinstance(node, ast.Call)]
        return any(name in self.effects or any(part in name for part in _EFFECTS) for name in names)


def substitute(body: Sequence[ast.stmt], effects: Collection[str] = ()) -> list[ast.stmt]:
    """Return the statements of a function with each value that is assigned once and read once in the place of its use.

    A value stays where it is if a statement between changes an array or a name, if its use is in a loop that does not contain
    its assignment, or if the expression would be longer than `LONGEST`.

    Args:
        body: the statements, which are not changed.
        effects: the names of functions that change arrays.
    """
    copied = [tree_copy(statement) for statement in body]
    names = [node for statement in copied for node in ast.walk(statement) if isinstance(node, ast.Name)]
    written = Counter(node.id for node in names if isinstance(node.ctx, ast.Store))
    read = Counter(node.id for node in names if isinstance(node.ctx, ast.Load))
    for statement in copied:
        for node in ast.walk(statement):
            if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                written[node.target.id] += 1
    once = {name for name, count in written.items() if count == 1 and read[name] == 1}
    return _in_block(copied, _Uses(once, written, frozenset(effects)))


def _in_block(block: list[ast.stmt], uses: _Uses) -> list[ast.stmt]:
    kept = list(block)
    for statement in block:
        for part in ("body", "orelse"):
            if inner := getattr(statement, part, None):
                setattr(statement, part, _in_block(inner, uses))
    for statement in block:
        name = _assigned(statement)
        if name in uses.once and isinstance(statement, ast.Assign) and not uses.has_effect(statement.value):
            position = kept.index(statement)
            if _put(name, statement.value, kept[position + 1 :], uses):
                kept.remove(statement)
    return kept


def _assigned(statement: ast.stmt) -> str:
    """Return the name that a statement assigns, empty for all others."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
        return statement.targets[0].id
    return ""


def _put(name: str, value: ast.expr, following: Sequence[ast.stmt], uses: _Uses) -> bool:
    """Replace the use of a name in the statements that follow, if nothing before it changes the value."""
    operands = {node.id for node in ast.walk(value) if isinstance(node, ast.Name)}
    if any(uses.written[operand] > 1 for operand in operands):
        return False
    for statement in following:
        for part in _first_expressions(statement):
            if any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(part)):
                return _replace(statement, part, name, value)
        if not _assigned(statement) or (isinstance(statement, ast.Assign) and uses.has_effect(statement.value)):
            return False
    return False


def _first_expressions(statement: ast.stmt) -> list[ast.expr]:
    """Return the expressions of a statement that are evaluated before anything changes, and once."""
    if isinstance(statement, ast.Assign):
        return [statement.value, *(target for target in statement.targets if isinstance(target, ast.Subscript))]
    if isinstance(statement, ast.AugAssign):
        return [statement.value, *([statement.target] if isinstance(statement.target, ast.Subscript) else [])]
    if isinstance(statement, ast.Expr | ast.Return):
        return [statement.value] if statement.value is not None else []
    if isinstance(statement, ast.If):
        return [statement.test]
    return [statement.iter] if isinstance(statement, ast.For) else []


def _replace(statement: ast.stmt, part: ast.expr, name: str, value: ast.expr) -> bool:
    if len(text_of(part)) + len(text_of(value)) - len(name) > LONGEST:
        return False
    _Replacement(name, value).visit(statement)
    return True


class _Replacement(ast.NodeTransformer):
    """Puts an expression in the place of a name that is read."""

    def __init__(self, name: str, value: ast.expr) -> None:
        self._name, self._value = name, value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Replace the name."""
        return tree_copy(self._value) if node.id == self._name and isinstance(node.ctx, ast.Load) else node
