"""Edits of expressions: replace operations by operands, operands by constants, and inline helper functions and local names.

Like in `statement_edits`, every function edits the tree in place, yields, and restores it.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from warpsmith.validation.reduction.statement_edits import functions

PLAIN = {0.0: 0, 1.0: 0, 2.0: 1, 0.5: 1}
"""Simple numbers and their rank; other numbers rank after them."""


@dataclass(frozen=True, slots=True)
class _Position:
    """The position of an expression: an attribute of its owner, or an element of one."""

    node: ast.expr
    owner: ast.AST
    field: str
    index: int | None
    wants_integer: bool

    def replaced_by(self, new: ast.expr) -> Iterator[None]:
        """Yield while ``new`` is at this position."""
        self._set(new)
        yield
        self._set(self.node)

    def _set(self, node: ast.expr) -> None:
        if self.index is None:
            setattr(self.owner, self.field, node)
        else:
            getattr(self.owner, self.field)[self.index] = node


def edits(tree: ast.Module) -> Iterator[None]:
    """Yield after each edit of the tree, the largest first."""
    positions = [position for function in functions(tree) for statement in function.body for position in _positions(statement)]
    positions.sort(key=lambda position: -_size(position.node))
    helpers = {function.name: function for function in functions(tree)}
    for position in positions:
        for new in (*_inlined(position.node, helpers), *_operands(position.node)):
            yield from position.replaced_by(new)
    for function in functions(tree):
        yield from _without_locals(function)
    for position in positions:
        for new in _constants(position):
            yield from position.replaced_by(new)


def rank(number: Any) -> int:
    """Return the rank of a number; 0 is the simplest."""
    return PLAIN.get(abs(number), 2) if isinstance(number, int | float) else 0


def _size(node: ast.AST) -> int:
    return sum(1 for _ in ast.walk(node))


def _positions(node: ast.AST, wants_integer: bool = False) -> Iterator[_Position]:
    """Yield the expressions below ``node`` that are read; called functions, types and targets are excluded.

    ``wants_integer`` states whether integers are required, as in indices and ranges.
    """
    wanted = wants_integer or (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range")
    for field, value in ast.iter_fields(node):
        if field in ("func", "keywords", "annotation", "returns", "decorator_list", "target", "targets"):
            continue  # with another index, several threads would write the same element, which is a different fault
        integer_below = wanted or (isinstance(node, ast.Subscript) and field == "slice")
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(child, ast.AST):
                continue
            read = isinstance(getattr(child, "ctx", ast.Load()), ast.Load)
            if isinstance(child, ast.expr) and read and field not in ("test", "iter"):
                yield _Position(child, node, field, index, integer_below)
            yield from _positions(child, integer_below)


def _operands(node: ast.expr) -> list[ast.expr]:
    match node:
        case ast.BinOp(left, _, right):
            return [left, right]
        case ast.UnaryOp(_, operand):
            return [operand]
        case ast.BoolOp(_, values):
            return values
        case ast.IfExp(_, body, other):
            return [body, other]
        case ast.Call(_, arguments) if not all(isinstance(argument, ast.Constant) for argument in arguments):
            return arguments
    return []


def _constants(position: _Position) -> list[ast.expr]:
    """Return constants of the same type, or simpler constants for a constant."""
    match position.node:
        case ast.Constant(value) if isinstance(value, float):
            return [ast.Constant(plain) for plain in (1.0, 0.5) if rank(plain) < rank(value)]
        case ast.Constant(value) if type(value) is int:
            return [ast.Constant(2)] if rank(value) > rank(2) else []
        case ast.Constant() | ast.Tuple() | ast.Slice() | ast.Compare() | ast.BoolOp():
            return []
        case ast.Name() if isinstance(position.owner, ast.Subscript) and position.field == "value":
            return []
        case ast.Call(ast.Name("float" | "int"), [ast.Constant()]):
            return []
        case ast.Call(ast.Attribute(ast.Name("wp"), "tid")):
            return []
    return [ast.Constant(0 if position.wants_integer else 1.0)]


def _inlined(node: ast.expr, helpers: dict[str, ast.FunctionDef]) -> list[ast.expr]:
    """Return the value of a call if the helper function consists of a return statement."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in helpers):
        return []
    helper = helpers[node.func.id]
    returned = helper.body[-1]
    if not isinstance(returned, ast.Return) or returned.value is None or not all(map(_is_text, helper.body[:-1])):
        return []
    parameters = [argument.arg for argument in helper.args.args]
    if len(parameters) != len(node.args) or node.keywords:
        return []
    values = dict(zip(parameters, node.args, strict=True))
    return [_Substitution(lambda name: values.get(name.id, name)).visit(copy.deepcopy(returned.value))]


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _without_locals(function: ast.FunctionDef) -> Iterator[None]:
    """Inline local names that are assigned once and read once."""
    all_names = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
    for owner in list(ast.walk(function)):
        block: list[ast.stmt] = owner.body if isinstance(owner, ast.FunctionDef | ast.If | ast.For | ast.While) else []
        for number, node in enumerate(block):
            match node:
                case ast.Assign([ast.Name(name)], value):
                    uses = [type(other.ctx) for other in all_names if other.id == name]
                    if sorted(use.__name__ for use in uses) == ["Load", "Store"]:
                        yield from _without_local(function, block, number, name, value)


def _without_local(function: ast.FunctionDef, block: list[ast.stmt], number: int, name: str, value: ast.expr) -> Iterator[None]:
    position = next(
        (position for position in _positions(function) if isinstance(position.node, ast.Name) and position.node.id == name),
        None,
    )
    if position is None:
        return
    statement = block.pop(number)
    yield from position.replaced_by(value)
    block.insert(number, statement)


class _Substitution(ast.NodeTransformer):
    """Substitutes names."""

    def __init__(self, new: Callable[[ast.Name], ast.expr]) -> None:
        self._new = new

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Return the substitute of a name."""
        return self._new(node)
