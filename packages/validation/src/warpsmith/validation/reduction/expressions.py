"""Edits of expressions: operands for operations, constants for operands, what helpers and local names stand for.

Like those of `blocks`, the functions change the tree, yield, and change it back.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from warpsmith.validation.reduction.blocks import functions

PLAIN = {0.0: 0, 1.0: 0, 2.0: 1, 0.5: 1}
"""Numbers that need no explanation, and how far they are from the plainest; all others come after them."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where an expression stands: an attribute of its owner, or an element of one."""

    node: ast.expr
    owner: ast.AST
    field: str
    index: int | None
    counts: bool

    def filled(self, new: ast.expr) -> Iterator[None]:
        """Yield with ``new`` there."""
        self._put(new)
        yield
        self._put(self.node)

    def _put(self, node: ast.expr) -> None:
        if self.index is None:
            setattr(self.owner, self.field, node)
        else:
            getattr(self.owner, self.field)[self.index] = node


def edits(tree: ast.Module) -> Iterator[None]:
    """Yield with the tree edited, what leaves out most first."""
    places = [place for function in functions(tree) for statement in function.body for place in _places(statement)]
    places.sort(key=lambda place: -_size(place.node))
    helpers = {function.name: function for function in functions(tree)}
    for place in places:
        for new in (*_inlined(place.node, helpers), *_operands(place.node)):
            yield from place.filled(new)
    for function in functions(tree):
        yield from _without_locals(function)
    for place in places:
        for new in _constants(place):
            yield from place.filled(new)


def rank(number: Any) -> int:
    """How plain a number is: 0 is the plainest."""
    return PLAIN.get(abs(number), 2) if isinstance(number, int | float) else 0


def _size(node: ast.AST) -> int:
    return sum(1 for _ in ast.walk(node))


def _places(node: ast.AST, counts: bool = False) -> Iterator[_Place]:
    """Expressions that are read below ``node``; what is called, types and targets are none.

    ``counts`` is whether whole numbers are wanted: in indices and in ranges.
    """
    inside = counts or (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range")
    for field, value in ast.iter_fields(node):
        if field in ("func", "keywords", "annotation", "returns", "decorator_list", "target", "targets"):
            continue  # another index in a target would have threads write to the same place: a fault of its own
        here = inside or (isinstance(node, ast.Subscript) and field == "slice")
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(child, ast.AST):
                continue
            read = isinstance(getattr(child, "ctx", ast.Load()), ast.Load)
            if isinstance(child, ast.expr) and read and field not in ("test", "iter"):
                yield _Place(child, node, field, index, here)
            yield from _places(child, here)


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


def _constants(place: _Place) -> list[ast.expr]:
    """A constant of the same look, or a plainer one instead of another."""
    match place.node:
        case ast.Constant(value) if isinstance(value, float):
            return [ast.Constant(plain) for plain in (1.0, 0.5) if rank(plain) < rank(value)]
        case ast.Constant(value) if type(value) is int:
            return [ast.Constant(2)] if rank(value) > rank(2) else []
        case ast.Constant() | ast.Tuple() | ast.Slice() | ast.Compare() | ast.BoolOp():
            return []
        case ast.Name() if isinstance(place.owner, ast.Subscript) and place.field == "value":
            return []
        case ast.Call(ast.Name("float" | "int"), [ast.Constant()]):
            return []
        case ast.Call(ast.Attribute(ast.Name("wp"), "tid")):
            return []
    return [ast.Constant(0 if place.counts else 1.0)]


def _inlined(node: ast.expr, helpers: dict[str, ast.FunctionDef]) -> list[ast.expr]:
    """What a call of a helper returns, where the helper does nothing but return it."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in helpers):
        return []
    helper = helpers[node.func.id]
    returned = helper.body[-1]
    if not isinstance(returned, ast.Return) or returned.value is None or not all(map(_is_text, helper.body[:-1])):
        return []
    parameters = [argument.arg for argument in helper.args.args]
    if len(parameters) != len(node.args) or node.keywords:
        return []
    given = dict(zip(parameters, node.args, strict=True))
    return [_Renamed(lambda name: given.get(name.id, name)).visit(copy.deepcopy(returned.value))]


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _without_locals(function: ast.FunctionDef) -> Iterator[None]:
    """Put the value of a local name that is given one value, and read once, where it is read."""
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
    place = next((place for place in _places(function) if isinstance(place.node, ast.Name) and place.node.id == name), None)
    if place is None:
        return
    statement = block.pop(number)
    yield from place.filled(value)
    block.insert(number, statement)


class _Renamed(ast.NodeTransformer):
    """Puts something else in the place of names."""

    def __init__(self, new: Callable[[ast.Name], ast.expr]) -> None:
        self._new = new

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Return what stands there instead."""
        return self._new(node)
