"""Local values that are read once, put in the place of their use: rules then name results instead of steps."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from warpsmith.core.descriptions.expressions import called_name, text_of
from warpsmith.core.descriptions.tree_copy import tree_copy
from warpsmith.core.records.syntax_walks import walk

LONGEST = 72
"""The most characters of an expression into which a value is put."""

_EFFECTS = ("atomic", "rand", "poisson", "sample", "tile", "printf", "print", "_next", "tid", "expect")
"""Parts of names of functions whose calls stay where they are."""


@dataclass(frozen=True, slots=True)
class _Content:
    """What an expression contains.

    Attributes:
        names: its names.
        has_effect: whether it calls a function that stays where it is.
    """

    names: frozenset[str]
    has_effect: bool


@dataclass(frozen=True, slots=True)
class _Uses:
    """What a function does with its names.

    Attributes:
        once: the names that are assigned once and read once.
        written: how often each name is assigned.
        effects: functions that change arrays.
        contents: the contents of expressions by their ``id``, until they are changed.
    """

    once: set[str]
    written: Counter[str]
    effects: frozenset[str]
    contents: dict[int, _Content] = field(default_factory=dict)

    def content(self, value: ast.expr) -> _Content:
        """Return what an expression of the function contains."""
        found = self.contents.get(id(value))
        if found is None:
            nodes = walk(value)
            called = [called_name(node) for node in nodes if isinstance(node, ast.Call)]
            has_effect = any(name in self.effects or any(part in name for part in _EFFECTS) for name in called)
            names = frozenset(node.id for node in nodes if isinstance(node, ast.Name))
            found = self.contents[id(value)] = _Content(names, has_effect)
        return found


def substitute(body: Sequence[ast.stmt], effects: Collection[str] = ()) -> list[ast.stmt]:
    """Return the statements of a function with each value that is assigned once and read once in the place of its use.

    A value stays where it is if a statement between changes an array or a name, if its use is in a loop that does not contain
    its assignment, or if the expression would be longer than `LONGEST`.

    Args:
        body: the statements, which are not changed.
        effects: the names of functions that change arrays.
    """
    copied = [tree_copy(statement) for statement in body]
    names = [node for statement in copied for node in walk(statement) if isinstance(node, ast.Name)]
    written = Counter(node.id for node in names if isinstance(node.ctx, ast.Store))
    read = Counter(node.id for node in names if isinstance(node.ctx, ast.Load))
    for statement in copied:
        for node in walk(statement):
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
        if name in uses.once and isinstance(statement, ast.Assign) and not uses.content(statement.value).has_effect:
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
    if any(uses.written[operand] > 1 for operand in uses.content(value).names):
        return False
    for statement in following:
        parts = _first_expressions(statement)
        for part in parts:
            if name in uses.content(part).names:
                if not _is_short(part, name, value):
                    return False
                for changed in parts:
                    uses.contents.pop(id(changed), None)
                _Replacement(name, value).visit(statement)
                return True
        if not _assigned(statement) or (isinstance(statement, ast.Assign) and uses.content(statement.value).has_effect):
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


def _is_short(part: ast.expr, name: str, value: ast.expr) -> bool:
    return len(text_of(part)) + len(text_of(value)) - len(name) <= LONGEST


class _Replacement(ast.NodeTransformer):
    """Puts an expression in the place of a name that is read."""

    def __init__(self, name: str, value: ast.expr) -> None:
        self._name, self._value = name, value

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Replace the name."""
        return tree_copy(self._value) if node.id == self._name and isinstance(node.ctx, ast.Load) else node
