"""Syntax of statements -> closures. Running one returns None, or how the block is left: by break, continue or return."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from warpsmith.validation.oracle.errors import Undefined, Unsupported
from warpsmith.validation.oracle.expressions import Code, Expressions, Frame, integer
from warpsmith.validation.oracle.memory import Array
from warpsmith.validation.oracle.module import dotted
from warpsmith.validation.oracle.operators import truth
from warpsmith.validation.oracle.places import Element, Part, Place, Variable
from warpsmith.validation.oracle.types import Value, describe


@dataclass(frozen=True, slots=True)
class Left:
    """How a block was left, with the value that a function returns."""

    word: str
    value: Value = None


BREAK, CONTINUE = Left("break"), Left("continue")
Step: TypeAlias = Callable[[Frame], Left | None]


@dataclass(slots=True)
class Statements:
    """Compiles the statements of one function; ``loops`` counts those around the statement at hand."""

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
            Unsupported: naming what is not in the language.
        """
        steps, run, count = [self._statement(node) for node in nodes], self.expressions.run, len(nodes) or 1

        def go(frame: Frame) -> Left | None:
            run.spend(count)
            for step in steps:
                left = step(frame)
                if left is not None:
                    return left
            return None

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
            return _set(target.id, value)
        place = self._place(target)

        def store(frame: Frame) -> None:
            new = value(frame)
            place(frame).store(new)

        return store

    def _annotated(self, node: ast.AnnAssign) -> Step:
        if node.value is None or not isinstance(node.target, ast.Name):
            raise Unsupported("a declaration without a value")
        return _set(node.target.id, self.expressions.code(node.value))

    def _unpack(self, targets: list[ast.expr], node: ast.expr) -> Step:
        places, count = [self._place(target) for target in targets], len(targets)
        value = self._coordinates(count) if self._is_tid(node) else self.expressions.code(node)
        if isinstance(node, ast.Tuple):
            value = self._copied(node)

        def store(frame: Frame) -> None:
            values = value(frame)
            if not isinstance(values, tuple) or len(values) != count:
                raise Unsupported(f"{describe(values)} assigned to {count} names")
            for place, one in zip(places, values, strict=True):
                place(frame).store(one)

        return store

    def _copied(self, node: ast.Tuple) -> Code:
        """The values of a tuple that is assigned at once; Warp binds names to what is named there and does not copy."""
        if self.loops and any(isinstance(element, ast.Name) for element in node.elts):
            raise Unsupported("variables assigned from a tuple of variables in a loop")
        roots = {dotted(_root(element)) for element in node.elts if isinstance(element, (ast.Subscript, ast.Attribute))}
        value = self.expressions.code(node)

        def copied(frame: Frame) -> Value:
            if any(isinstance(frame.get(root), Array) for root in roots):
                raise Unsupported("variables assigned from a tuple of array elements")
            return value(frame)

        return copied

    def _is_tid(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Call) and self.expressions.module.member(node.func) == "tid" and not node.args

    def _coordinates(self, count: int) -> Code:
        run = self.expressions.run
        if count > 4:
            raise Unsupported(f"{count} thread coordinates")
        return lambda _: run.thread[:count]

    def _augmented(self, node: ast.AugAssign) -> Step:
        row, place, value = self.expressions.operator(node.op), self._place(node.target), self.expressions.code(node.value)

        def store(frame: Frame) -> None:
            target = place(frame)
            new = value(frame)
            target.store(row(target.load(), new))

        return store

    def _place(self, node: ast.expr) -> Callable[[Frame], Place]:
        """Compile a target, so that its indices are evaluated once."""
        if isinstance(node, ast.Name):
            name = node.id
            return lambda frame: Variable(frame, name)
        if isinstance(node, ast.Subscript):
            whole, key = self._place(node.value), self.expressions.key(node.slice)

            def subscript(frame: Frame) -> Place:
                base = whole(frame)
                value = base.load()
                return Element(value, key(frame)) if isinstance(value, Array) else Part(base, key(frame))

            return subscript
        if isinstance(node, ast.Attribute):
            whole, name = self._place(node.value), node.attr
            return lambda frame: Part(whole(frame), name)
        raise Unsupported(f"assignment to a {type(node).__name__}")

    # -------------------------------------------------------------------------------------------------------- control

    def _if(self, node: ast.If) -> Step:
        condition, body = self.expressions.code(node.test), self.block(node.body)
        orelse = self.block(node.orelse) if node.orelse else None

        def choose(frame: Frame) -> Left | None:
            if truth(condition(frame)):
                return body(frame)
            return orelse(frame) if orelse is not None else None

        return choose

    def _for(self, node: ast.For) -> Step:
        call = node.iter
        is_range = isinstance(call, ast.Call) and dotted(call.func) == "range" and not call.keywords
        if not isinstance(call, ast.Call) or not is_range or node.orelse or not isinstance(node.target, ast.Name):
            raise Unsupported("a for loop that is not over a range")
        if not 1 <= len(call.args) <= 3:
            raise Unsupported(f"range with {len(call.args)} arguments")
        bounds, name, body = [self.expressions.code(one) for one in call.args], node.target.id, self._body(node.body)

        def loop(frame: Frame) -> Left | None:
            values = [integer(bound(frame)) for bound in bounds]
            if len(values) == 3 and values[2] == 0:
                raise Undefined("a range with step zero")
            for counter in range(*values):
                frame[name] = np.int32(counter)
                left = body(frame)
                if left is BREAK:
                    break
                if left is not None and left is not CONTINUE:
                    return left
            return None

        return loop

    def _body(self, nodes: Sequence[ast.stmt]) -> Step:
        self.loops += 1
        body = self.block(nodes)
        self.loops -= 1
        return body

    def _while(self, node: ast.While) -> Step:
        if node.orelse:
            raise Unsupported("a while loop with else")
        condition, body = self.expressions.code(node.test), self._body(node.body)

        def loop(frame: Frame) -> Left | None:
            while truth(condition(frame)):
                left = body(frame)
                if left is BREAK:
                    break
                if left is not None and left is not CONTINUE:
                    return left
            return None

        return loop

    def _return(self, node: ast.Return) -> Step:
        if node.value is None:
            nothing = Left("return")
            return lambda _: nothing
        value = self.expressions.code(node.value)
        return lambda frame: Left("return", value(frame))

    def _expression(self, node: ast.Expr) -> Step:
        if isinstance(node.value, ast.Constant):  # a docstring
            return lambda _: None
        value = self.expressions.code(node.value)

        def evaluate(frame: Frame) -> None:
            value(frame)

        return evaluate

    def _assert(self, node: ast.Assert) -> Step:
        """Evaluate the condition and go on, as code that is not built for debugging does."""
        condition = self.expressions.code(node.test)

        def evaluate(frame: Frame) -> None:
            condition(frame)

        return evaluate


def _set(name: str, value: Code) -> Step:
    def store(frame: Frame) -> None:
        frame[name] = value(frame)

    return store


def _root(node: ast.expr) -> ast.expr:
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        node = node.value
    return node
