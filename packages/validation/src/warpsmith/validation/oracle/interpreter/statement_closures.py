"""Compiles statements to closures, which return None or the jump that leaves a block: break, continue or return."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from warpsmith.validation.oracle.interpreter.assignment_targets import ElementTarget, ItemTarget, Target, VariableTarget
from warpsmith.validation.oracle.interpreter.closures import Code
from warpsmith.validation.oracle.interpreter.expression_closures import Expressions
from warpsmith.validation.oracle.interpreter.jumps import BREAK, CONTINUE, Jump, Jumps, Outcome, Step
from warpsmith.validation.oracle.interpreter.loop_closures import branch, for_each, for_range, while_loop
from warpsmith.validation.oracle.interpreter.module_values import dotted
from warpsmith.validation.oracle.values.frames import Frame
from warpsmith.validation.oracle.values.interpretation_errors import Exhausted, Unsupported
from warpsmith.validation.oracle.values.kernel_arrays import Array
from warpsmith.validation.oracle.values.moving_values import is_tile, overwrite
from warpsmith.validation.oracle.values.tile_values import Tile
from warpsmith.validation.oracle.values.value_types import Moving, Value, describe

_IN_PLACE = (ast.Add, ast.Sub, ast.BitAnd, ast.BitOr, ast.BitXor)
"""The operators whose augmented assignment changes the memory of a tile."""


@dataclass(slots=True)
class Statements:
    """Compiles the statements of one function; ``loops`` counts the loops around the current statement."""

    expressions: Expressions
    loops: int = 0
    table: dict[type[ast.stmt], Callable[[Any], Step]] = field(init=False)

    def __post_init__(self) -> None:
        self.table = {
            ast.Assign: self._assign,
            ast.AnnAssign: self._annotated,
            ast.AugAssign: self._augmented,
            ast.If: self._if,
            ast.For: self._for,
            ast.While: self._while,
            ast.Return: self._return,
            ast.Expr: self._expression,
            ast.Assert: self._assert,
            ast.Pass: lambda _: lambda _: None,
            ast.Break: lambda _: lambda _: BREAK,
            ast.Continue: lambda _: lambda _: CONTINUE,
        }

    def block(self, nodes: Sequence[ast.stmt]) -> Step:
        """Return a closure that runs ``nodes`` in order.

        Raises:
            Unsupported: naming the first construct that is not supported.
        """
        steps, run, count = [self._statement(node) for node in nodes], self.expressions.run, len(nodes) or 1

        def go(frame: Frame) -> Outcome:
            run.steps -= count * run.width
            if run.steps < 0:
                raise Exhausted("more steps than allowed")
            return each(frame, steps)

        def each(frame: Frame, following: Sequence[Step]) -> Outcome:
            for place, step in enumerate(following):
                outcome = step(frame)
                if outcome is not None:
                    return outcome if isinstance(outcome, Jump) else rest(frame, outcome, following[place + 1 :])
            return None

        def rest(frame: Frame, jumps: Jumps, following: Sequence[Step]) -> Outcome:
            places = jumps.remaining_places()
            if following and len(places):
                part = run.enter(frame, places)
                jumps.add(places, each(part, following))
                run.leave(part)
            return jumps.outcome()

        return go

    def _statement(self, node: ast.stmt) -> Step:
        compiler = self.table.get(type(node))
        if compiler is None:
            raise Unsupported(f"a {type(node).__name__} statement")
        return compiler(node)

    # ----------------------------------------------------------------------------------------------------- assignment

    def _assign(self, node: ast.Assign) -> Step:
        if len(node.targets) != 1:
            raise Unsupported("an assignment to several targets")
        (target,) = node.targets
        if isinstance(target, ast.Tuple):
            return self._unpack(target.elts, node.value)
        value = self.expressions.code(node.value)
        if isinstance(target, ast.Name):
            return _set(target.id, value) if not isinstance(node.value, ast.Name) else _set_copy(target.id, value)
        compiled = self._target(target)

        def store(frame: Frame) -> None:
            new = value(frame)
            compiled(frame).store(new)

        return store

    def _annotated(self, node: ast.AnnAssign) -> Step:
        if node.value is None or not isinstance(node.target, ast.Name):
            raise Unsupported("a declaration without a value")
        return _set(node.target.id, self.expressions.code(node.value))

    def _unpack(self, targets: list[ast.expr], node: ast.expr) -> Step:
        compiled, count = [self._target(target) for target in targets], len(targets)
        value = self._coordinates(count) if self._is_tid(node) else self.expressions.code(node)
        if isinstance(node, ast.Tuple):
            value = self._copied(node)

        def store(frame: Frame) -> None:
            values = value(frame)
            if not isinstance(values, tuple) or len(values) != count:
                raise Unsupported(f"{describe(values)} assigned to {count} names")
            for target, element in zip(compiled, values, strict=True):
                target(frame).store(element)

        return store

    def _copied(self, node: ast.Tuple) -> Code:
        """Compile the values of an assigned tuple; Warp binds the new names to the named values without copying them."""
        if self.loops and any(isinstance(element, ast.Name) for element in node.elts):
            raise Unsupported("variables assigned from a tuple of variables in a loop")
        roots = {dotted(_root(element)) for element in node.elts if isinstance(element, (ast.Subscript, ast.Attribute))}
        value = self.expressions.code(node)

        def copied(frame: Frame) -> Value:
            if any(isinstance(_variable(frame, root), Array) for root in roots):
                raise Unsupported("variables assigned from a tuple of array elements")
            return value(frame)

        return copied

    def _is_tid(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Call) and self.expressions.module.member(node.func) == "tid" and not node.args

    def _coordinates(self, count: int) -> Code:
        run = self.expressions.run
        if count > 4:
            raise Unsupported(f"{count} thread coordinates")
        return lambda _: tuple([run.coordinate(dimension) for dimension in range(count)])

    def _augmented(self, node: ast.AugAssign) -> Step:
        row, value = self.expressions.operator(node.op), self.expressions.code(node.value)
        compiled, in_place = self._target(node.target), isinstance(node.op, _IN_PLACE)

        def store(frame: Frame) -> None:
            target = compiled(frame)
            new = value(frame)
            if isinstance(target, ElementTarget) and target.shared:
                target.update(row, new)
                return
            old = target.load()
            if in_place and is_tile(old):
                overwrite(old, row(old, new))
            else:
                target.store(row(old, new))

        return store

    def _target(self, node: ast.expr) -> Callable[[Frame], Target]:
        """Compile a target whose indices are evaluated once."""
        if isinstance(node, ast.Name):
            name = node.id
            return lambda frame: VariableTarget(frame, name)
        if isinstance(node, ast.Subscript):
            container, key = self._target(node.value), self.expressions.key(node.slice)

            def subscript(frame: Frame) -> Target:
                base = container(frame)
                value = base.load()
                return ElementTarget(value, key(frame)) if isinstance(value, Array) else ItemTarget(base, key(frame))

            return subscript
        if isinstance(node, ast.Attribute):
            container, name = self._target(node.value), node.attr
            return lambda frame: ItemTarget(container(frame), name)
        raise Unsupported(f"assignment to a {type(node).__name__}")

    # -------------------------------------------------------------------------------------------------------- control

    def _if(self, node: ast.If) -> Step:
        condition, body = self.expressions.code(node.test), self.block(node.body)
        return branch(self.expressions.run, condition, body, self.block(node.orelse) if node.orelse else None)

    def _for(self, node: ast.For) -> Step:
        call = node.iter
        if not isinstance(node.target, ast.Name) or node.orelse:
            raise Unsupported("a for loop with else, or with several variables")
        if not isinstance(call, ast.Call) or dotted(call.func) != "range":
            return for_each(self.expressions.run, node.target.id, self.expressions.code(call), self._body(node.body))
        if call.keywords or not 1 <= len(call.args) <= 3:
            raise Unsupported(f"range with {len(call.args)} arguments")
        bounds = [self.expressions.code(argument) for argument in call.args]
        return for_range(self.expressions.run, node.target.id, bounds, self._body(node.body))

    def _body(self, nodes: Sequence[ast.stmt]) -> Step:
        self.loops += 1
        body = self.block(nodes)
        self.loops -= 1
        return body

    def _while(self, node: ast.While) -> Step:
        if node.orelse:
            raise Unsupported("a while loop with else")
        return while_loop(self.expressions.run, self.expressions.code(node.test), self._body(node.body))

    def _return(self, node: ast.Return) -> Step:
        if node.value is None:
            nothing = Jump("return")
            return lambda _: nothing
        value = self.expressions.code(node.value)
        return lambda frame: Jump("return", value(frame))

    def _expression(self, node: ast.Expr) -> Step:
        if isinstance(node.value, ast.Constant):  # a docstring
            return lambda _: None
        value = self.expressions.code(node.value)

        def evaluate(frame: Frame) -> None:
            value(frame)

        return evaluate

    def _assert(self, node: ast.Assert) -> Step:
        """Compile an assertion, which evaluates its condition without effect, as in release builds."""
        condition = self.expressions.code(node.test)

        def evaluate(frame: Frame) -> None:
            condition(frame)

        return evaluate


def _set(name: str, value: Code) -> Step:
    def store(frame: Frame) -> None:
        frame[name] = value(frame)

    return store


def _set_copy(name: str, value: Code) -> Step:
    def store(frame: Frame) -> None:
        new = value(frame)
        if type(new) is Moving and is_tile(new):
            new = new.mapped(Tile.copy)
        frame[name] = new.copy() if isinstance(new, Tile) else new

    return store


def _variable(frame: Frame, name: str) -> Value:
    """Return a variable, or None for those without a value."""
    try:
        return frame[name]
    except KeyError:
        return None


def _root(node: ast.expr) -> ast.expr:
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return node
