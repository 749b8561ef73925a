"""Compiles expressions to closures, once each; every thread calls them with its variables."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from warpsmith.validation.oracle.builtins.builtin_table import COMPARISONS, OPERATORS, ROWS, UNARY
from warpsmith.validation.oracle.interpreter.call_closures import Calls
from warpsmith.validation.oracle.interpreter.closures import Code, Run
from warpsmith.validation.oracle.interpreter.constants import Constants
from warpsmith.validation.oracle.interpreter.module_values import Module, dotted
from warpsmith.validation.oracle.values.conversions import cast, literal
from warpsmith.validation.oracle.values.frames import Frame
from warpsmith.validation.oracle.values.interpretation_errors import Misuse, Unsupported
from warpsmith.validation.oracle.values.items import get_item
from warpsmith.validation.oracle.values.kernel_arrays import Array, Struct
from warpsmith.validation.oracle.values.lanes import with_lane_axis
from warpsmith.validation.oracle.values.operators import COMPARISONS as COMPARE
from warpsmith.validation.oracle.values.operators import QUICK, Row, truths
from warpsmith.validation.oracle.values.value_types import INTEGERS, Components, Lanes, Type, Value, describe


@dataclass(slots=True)
class Expressions:
    """Compiles the expressions of one function.

    Attributes:
        constants: the constants of the function.
        run: the state of the launch.
        call: compiles a call of a helper function, from its name and arguments.
        table: the method for each type of syntax node.
    """

    constants: Constants
    run: Run
    call: Callable[[str, list[Code], dict[str, Code]], Code]
    module: Module = field(init=False)
    local: frozenset[str] = field(init=False)
    table: dict[type[ast.expr], Callable[[Any], Code]] = field(init=False)

    def __post_init__(self) -> None:
        self.module, self.local = self.constants.module, self.constants.local
        calls = Calls(self)
        self.table = {
            ast.Constant: self._literal,
            ast.Name: self._name,
            ast.Attribute: self._attribute,
            ast.Subscript: self._subscript,
            ast.BinOp: self._binary,
            ast.UnaryOp: self._unary,
            ast.BoolOp: self._logic,
            ast.Compare: self._comparison,
            ast.IfExp: self._ternary,
            ast.Tuple: self._tuple,
            ast.Call: calls.code,
        }

    def code(self, node: ast.expr) -> Code:
        """Return a closure that evaluates ``node``.

        Raises:
            Unsupported: naming the first construct that is not supported.
        """
        compiler = self.table.get(type(node))
        if compiler is None:
            raise Unsupported(f"a {type(node).__name__} expression")
        return compiler(node)

    def key(self, node: ast.expr) -> Callable[[Frame], tuple[Value, ...]]:
        """Return a closure for the indices between brackets."""
        parts = [self._index(part) for part in (node.elts if isinstance(node, ast.Tuple) else [node])]
        if len(parts) == 1:
            (only,) = parts
            return lambda frame: (only(frame),)
        return lambda frame: tuple([part(frame) for part in parts])

    def _index(self, node: ast.expr) -> Code:
        if not isinstance(node, ast.Slice):
            return self.code(node)
        bounds = [None if bound is None else self.module.constant(bound) for bound in (node.lower, node.upper, node.step)]
        if not all(bound is None or type(bound) is int for bound in bounds):
            raise Unsupported("a slice with bounds that are no integers")
        key = slice(*bounds)
        return lambda _: key

    # ---------------------------------------------------------------------------------------------------------- atoms

    def component(self, node: ast.expr, scalar: Any = None) -> Code:
        """Return a closure that evaluates an argument of a constructor.

        Args:
            node: the argument.
            scalar: the type that constants receive; without one they stay numbers in double precision.
        """
        if (number := self.constants.converted(node)) is None:
            return self.code(node)
        value = number if scalar is None else cast(number, scalar)
        return lambda _: value

    def _literal(self, node: ast.Constant) -> Code:
        if not isinstance(node.value, (bool, int, float)):
            raise Unsupported(f"the literal {node.value!r}"[:80])
        value = literal(node.value)
        return lambda _: value

    def _name(self, node: ast.Name) -> Code:
        name = node.id
        if name in self.local or not name.isidentifier():  # variables for tiles have no names of Python, see `block_threads`

            def read(frame: Frame) -> Value:
                try:
                    return frame[name]
                except KeyError:
                    raise Misuse(f"{name!r} read before it has a value") from None

            return read
        value = literal(self._value(node))
        return lambda _: value

    def _value(self, node: ast.expr) -> Value:
        value = self.module.constant(node)
        if isinstance(value, (Type, Struct, tuple)):
            raise Unsupported(f"{dotted(node)!r} as a value")
        return value

    def _attribute(self, node: ast.Attribute) -> Code:
        root = dotted(node).partition(".")[0]
        if root and root not in self.local:
            value = literal(self._value(node))
            return lambda _: value
        base, name = self.code(node.value), node.attr
        return lambda frame: get_item(base(frame), name)

    def _subscript(self, node: ast.Subscript) -> Code:
        base, key = self.code(node.value), self.key(node.slice)
        if isinstance(node.slice, (ast.Tuple, ast.Slice)):
            return lambda frame: get_item(base(frame), key(frame))
        only = self.code(node.slice)

        def item(frame: Frame) -> Value:
            value, index = base(frame), only(frame)
            if type(value) is Array and (row := value.row) is not None and type(index) is np.int32:
                place = int(index)
                if 0 <= place < len(row):
                    return row[place]
            return get_item(value, (index,))

        return item

    def _tuple(self, node: ast.Tuple) -> Code:
        parts = [self.code(element) for element in node.elts]
        return lambda frame: tuple([part(frame) for part in parts])

    # ------------------------------------------------------------------------------------------------------ operators

    def _binary(self, node: ast.BinOp) -> Code:
        row = self.operator(node.op)
        left, right = self.code(node.left), self.code(node.right)
        quick = QUICK.get(OPERATORS[type(node.op)])
        return _two(row, quick, left, right) if quick else lambda frame: row(left(frame), right(frame))

    def operator(self, node: ast.operator) -> Callable[[Value, Value], Value]:
        """Return the row of an operator.

        Raises:
            Unsupported: if a helper function of the file has the name of the operator, because Warp calls the function instead.
        """
        name = OPERATORS[type(node)]
        if name in self.module.functions:
            raise Unsupported(f"an operator and a function {name!r}")
        return self.run.row(name, ROWS[name])

    def _unary(self, node: ast.UnaryOp) -> Code:
        if (value := self.constants.number(node)) is not None:
            typed = literal(value)
            return lambda _: typed
        name, operand = UNARY[type(node.op)], self.code(node.operand)
        row = self.run.row(name, ROWS[name])
        return lambda frame: row(operand(frame))

    def _logic(self, node: ast.BoolOp) -> Code:
        parts, either, run = [self.code(value) for value in node.values], isinstance(node.op, ast.Or), self.run

        def decide(frame: Frame, following: Sequence[Code]) -> Value:
            for place, part in enumerate(following):
                holds = truths(part(frame))
                if isinstance(holds, np.ndarray):
                    return each(frame, holds, following[place + 1 :])
                if holds is either:
                    return np.bool_(either)
            return np.bool_(not either)

        def each(frame: Frame, holds: Components, following: Sequence[Code]) -> Value:
            places = np.flatnonzero(holds != either)
            if not following or not len(places):
                return Lanes(holds)
            holds = holds.copy()
            part = run.enter(frame, places)
            holds[places] = with_lane_axis(decide(part, following))
            run.leave(part)
            return Lanes(holds)

        return lambda frame: decide(frame, parts)

    def _comparison(self, node: ast.Compare) -> Code:
        if unknown := [type(comparison).__name__ for comparison in node.ops if type(comparison) not in COMPARISONS]:
            raise Unsupported(f"the comparison {unknown[0]}")
        names = [COMPARISONS[type(comparison)] for comparison in node.ops]
        rows = [self.run.row(name, COMPARE[name]) for name in names]
        operands = [self.code(operand) for operand in (node.left, *node.comparators)]
        if len(rows) == 1:
            (row,), (left, right) = rows, operands
            return self._test(node, row, _two(row, QUICK[names[0]], left, right), left, right)
        run = self.run

        def chain(frame: Frame) -> Value:
            values = [operand(frame) for operand in operands]  # Warp evaluates all operands
            for comparator, a, b in zip(node.comparators, values, values[1:], strict=False):
                run.compared(comparator, a, b)
            found = [row(a, b) for row, a, b in zip(rows, values, values[1:], strict=False)]
            if any(type(result) is Lanes for result in found):
                return Lanes(np.logical_and.reduce(np.broadcast_arrays(*map(with_lane_axis, found))))
            return np.bool_(all(found))

        return chain

    def _test(self, node: ast.expr, row: Row, quick: Code, left: Code, right: Code) -> Code:
        """Compile a comparison of two operands."""
        run = self.run

        def test(frame: Frame) -> Value:
            if run.watch is None:
                return quick(frame)
            a, b = left(frame), right(frame)
            run.compared(node, a, b)
            return row(a, b)

        return test

    def _ternary(self, node: ast.IfExp) -> Code:
        condition, then, other = self.code(node.test), self.code(node.body), self.code(node.orelse)
        run = self.run

        def choose(frame: Frame) -> Value:
            holds = truths(condition(frame))
            if isinstance(holds, np.ndarray):
                count = np.count_nonzero(holds)
                if 0 < count < len(holds):
                    return each(frame, holds)
                holds = count > 0
            return then(frame) if holds else other(frame)

        def each(frame: Frame, holds: Components) -> Value:
            values = Frame()
            for places, code in ((np.flatnonzero(holds), then), (np.flatnonzero(~holds), other)):
                part = run.enter(frame, places)
                values.assign("value", code(part), places, len(holds))
                run.leave(part)
            return values["value"]

        return choose


def _two(row: Row, quick: Row, left: Code, right: Code) -> Code:
    """Return a closure of an operation; two numbers of a frequent type skip the checks of the row."""

    def operate(frame: Frame) -> Value:
        a, b = left(frame), right(frame)
        kind = type(a)
        if kind is type(b):
            if kind is np.float32 or kind is np.int32:
                return quick(a, b)
            if kind is Lanes and a.data.ndim == b.data.ndim == 1 and a.data.dtype == b.data.dtype:
                return Lanes(quick(a.data, b.data))
        return row(a, b)

    return operate


def integer(value: Value) -> int:
    """Return an integer value as a Python integer.

    Raises:
        Unsupported: if the value is not an integer.
    """
    if type(value) not in INTEGERS:
        raise Unsupported(f"{describe(value)} where an integer is expected")
    return int(value)
