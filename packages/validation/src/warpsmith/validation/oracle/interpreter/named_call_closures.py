"""Compiles calls of builtins with named parameters."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass

from warpsmith.validation.oracle.builtins.builtin_table import NAMED, ROWS
from warpsmith.validation.oracle.interpreter.closures import Code, ExpressionCompiler
from warpsmith.validation.oracle.interpreter.module_values import dotted
from warpsmith.validation.oracle.values.frames import Frame
from warpsmith.validation.oracle.values.interpretation_errors import Apart, Unsupported
from warpsmith.validation.oracle.values.lanes import count_of, lifted
from warpsmith.validation.oracle.values.operators import Row
from warpsmith.validation.oracle.values.value_types import Value

_TEXTS = frozenset({"storage", "fill_mode", "precision"})
"""The parameters whose argument is a string."""


@dataclass(frozen=True, slots=True)
class NamedCalls:
    """Compiles such calls of one function; ``expressions`` compiles their arguments."""

    expressions: ExpressionCompiler

    def code(self, name: str, node: ast.Call) -> Code:
        """Return a closure that evaluates a builtin of `NAMED`.

        Raises:
            Unsupported: if the arguments are not supported.
        """
        builtin = NAMED[name]
        bound = builtin.bound(name, node)
        row, arguments = (
            self.expressions.run.row(name, builtin.row),
            [self.argument(parameter, argument) for parameter, argument in bound],
        )
        if builtin.ordered:
            return self._ordered(name, row, arguments)
        if not builtin.writes:
            return lambda frame: row(*[argument(frame) for argument in arguments])
        targets = [self._target(name, argument) for parameter, argument in bound if parameter in builtin.writes]

        def assign(frame: Frame) -> Value:
            result, *new = row(*[argument(frame) for argument in arguments])
            frame.update(zip(targets, new, strict=True))
            return result

        return assign

    def _ordered(self, name: str, row: Row, arguments: list[Code]) -> Code:
        """Compile a call that threads make one after another."""
        run = self.expressions.run

        def call(frame: Frame) -> Value:
            if run.accesses is not None:
                raise Apart(f"{name!r} called by threads that run together")
            return row(*[argument(frame) for argument in arguments])

        return call

    def _target(self, name: str, node: ast.expr | None) -> str:
        if isinstance(node, ast.Name) and node.id in self.expressions.local:
            return node.id
        raise Unsupported(f"{name!r} that assigns something else than a variable")

    def argument(self, parameter: str, node: ast.expr | None) -> Code:
        """Return a closure that evaluates the argument for a parameter; types, functions and texts are constants.

        Raises:
            Unsupported: if the argument is not supported.
        """
        if parameter == "&block":
            run = self.expressions.run
            return lambda _: run.block
        if parameter == "&accesses":
            run = self.expressions.run
            return lambda _: run.accesses
        if node is None:
            return lambda _: None
        if parameter == "dtype":
            dtype = self.expressions.module.type_of(node)
            if dtype is None:
                raise Unsupported("a dtype that is no known type")
            return lambda _: dtype
        if parameter == "op":
            function = self._function(node)
            return lambda _: function
        if parameter in _TEXTS and isinstance(node, ast.Constant) and isinstance(node.value, str):
            text = node.value
            return lambda _: text
        return self.expressions.code(node)

    def _function(self, node: ast.expr) -> Callable[..., Value]:
        """Return a helper function or a builtin as a Python function of values."""
        name = dotted(node)
        if name in self.expressions.module.functions:
            compiled: dict[int, Code] = {}

            def call(*values: Value) -> Value:
                count = len(values)
                if count not in compiled:
                    compiled[count] = self.expressions.call(name, [_element(index) for index in range(count)], {})
                frame = Frame({str(index): value for index, value in enumerate(values)})
                width = count_of(values)
                return compiled[count](frame) if not width else self.expressions.run.as_threads(width, compiled[count], frame)

            return call
        row = ROWS.get(self.expressions.module.member(node))
        if row is None or name.partition(".")[0] in self.expressions.local:
            raise Unsupported(f"the function {name or 'of an expression'!r}")
        row, moving = lifted(row, lambda: False), self.expressions.run.moving
        return row if moving is None else moving(name.rpartition(".")[2], row)


def _element(index: int) -> Code:
    key = str(index)
    return lambda frame: frame[key]
