"""``while`` loops that count: they are ``for`` loops in CUDA."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from warpsmith.core.records.syntax_walks import walk
from warpsmith.scoring.cuda_writer.syntax.assigned_operations import operand

_CONVERSIONS = frozenset({"int", "int32", "uint32"})


@dataclass(frozen=True, slots=True)
class Counter:
    """The counter of a loop.

    Attributes:
        name: the variable.
        start: the statement that assigns its first value.
        step: the last statement of the loop, which changes it.
        operator: the operation of the step.
        amount: the other operand of the step.
    """

    name: str
    start: ast.Assign
    step: ast.stmt
    operator: ast.operator
    amount: ast.expr


def counter(body: Sequence[ast.stmt], number: int, declared: set[int]) -> Counter | None:
    """Return the counter of a ``while`` loop, or None if it does more than to count.

    The counter gets its first value in the statement before the loop or, with constants and other variables only, earlier in
    the block; nothing else uses it.

    Args:
        body: the statements of a block.
        number: the place of the loop in the block.
        declared: the identities of the statements that declare the variable which they assign.
    """
    loop = body[number]
    if not isinstance(loop, ast.While) or len(loop.body) < 2:
        return None
    match loop.test:
        case ast.Compare(ast.Name(name), [ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE()], [_]):
            pass
        case _:
            return None
    change = _step(loop.body[-1], name)
    places = [place for place, each in enumerate(body[:number]) if _assigns(each, name) and id(each) in declared]
    if change is None or not places or _jumps_back(loop) or sum(_stores(each, name) for each in loop.body) != 1:
        return None
    start = body[places[-1]]
    remaining = [*body[places[-1] + 1 : number], *body[number + 1 :]]
    if not isinstance(start, ast.Assign) or any(_uses(each, name) for each in remaining):
        return None
    return Counter(name, start, loop.body[-1], *change) if _may_move(start.value, body[places[-1] + 1 : number]) else None


def _step(statement: ast.stmt, name: str) -> tuple[ast.operator, ast.expr] | None:
    found: tuple[ast.operator, ast.expr] | None = None
    match statement:
        case ast.AugAssign(ast.Name(changed), operator, amount) if changed == name:
            found = operator, amount
        case ast.Assign([ast.Name(changed) as target], value) if changed == name and (change := operand(target, value)):
            found = change[0], change[1]
    return found if found is not None and isinstance(found[0], ast.Add | ast.Sub) and not _uses(found[1], name) else None


def _may_move(value: ast.expr, between: Sequence[ast.stmt]) -> bool:
    """Return whether an expression has the same value behind statements, which assign other variables and store nothing."""
    names = {node.id for node in walk(value) if isinstance(node, ast.Name)}
    calls = [ast.unparse(node.func).rpartition(".")[2] for node in walk(value) if isinstance(node, ast.Call)]
    if between and not set(calls) <= _CONVERSIONS:
        return False
    for statement in between:
        if not isinstance(statement, ast.Assign) or not all(isinstance(target, ast.Name) for target in statement.targets):
            return False
        if any(isinstance(target, ast.Name) and target.id in names for target in statement.targets):
            return False
        if any(isinstance(node, ast.Call) for node in walk(statement)) and any(
            isinstance(node, ast.Subscript) for node in walk(value)
        ):
            return False
    return True


def _assigns(statement: ast.stmt, name: str) -> bool:
    return isinstance(statement, ast.Assign) and any(
        isinstance(target, ast.Name) and target.id == name for target in statement.targets
    )


def _jumps_back(loop: ast.While) -> bool:
    return any(isinstance(node, ast.Continue) for node in walk(loop))


def _stores(node: ast.AST, name: str) -> int:
    return sum(isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Store) for each in walk(node))


def _uses(node: ast.AST, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in walk(node))
