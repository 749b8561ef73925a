"""Compiles calls of helper functions, constructors and builtins to closures; names are looked up in tables."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Sequence
from dataclasses import dataclass

from warpsmith.core.records.syntax_walks import walk
from warpsmith.validation.oracle.builtins.builtin_table import NAMED, ROWS
from warpsmith.validation.oracle.interpreter.closures import Code, ExpressionCompiler
from warpsmith.validation.oracle.interpreter.module_values import dotted
from warpsmith.validation.oracle.interpreter.named_call_closures import NamedCalls
from warpsmith.validation.oracle.interpreter.typed_call_closures import TYPED, TypedCalls
from warpsmith.validation.oracle.values.conversions import literal, make
from warpsmith.validation.oracle.values.frames import Frame
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.items import with_item
from warpsmith.validation.oracle.values.kernel_arrays import Array, Record, Struct
from warpsmith.validation.oracle.values.moving_values import value_of
from warpsmith.validation.oracle.values.operand_distances import CHOICES
from warpsmith.validation.oracle.values.operators import Row
from warpsmith.validation.oracle.values.value_types import Type, Value, describe, of

_PYTHON_NAMES = {"min": "min", "max": "max", "abs": "abs", "round": "round", "len": "len", "print": "print", "pow": "pow"}
_MATH_NAMES = frozenset({"sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sqrt", "exp", "log", "floor", "ceil", "pow"})


@dataclass(frozen=True, slots=True)
class Calls:
    """Compiles the calls of one function; ``expressions`` compiles their arguments."""

    expressions: ExpressionCompiler

    def code(self, node: ast.Call) -> Code:
        """Return a closure that evaluates a call.

        Raises:
            Unsupported: naming the first construct that is not supported.
        """
        if not node.keywords and (made := self._of_type(node)) is not None:
            return made
        name = dotted(node.func) or self.expressions.module.chosen(node.func)
        root = name.partition(".")[0]
        if not name or root in self.expressions.local or any(isinstance(argument, ast.Starred) for argument in node.args):
            raise Unsupported(f"a call of {name or 'an expression'}")
        if isinstance(reason := self.expressions.module.constants.get(name), Unsupported):
            raise reason
        if name in self.expressions.module.functions:
            named_arguments = {keyword.arg or "": self.expressions.code(keyword.value) for keyword in node.keywords}
            return self.expressions.call(name, [self.expressions.code(argument) for argument in node.args], named_arguments)
        constructed = self.expressions.module.type_of(node.func)
        if isinstance(constructed, Struct):
            return self._struct(constructed, node)
        if constructed is not None and not node.keywords:
            return self._construct(constructed, node.args)
        return self._builtin(self._builtin_name(name, node.func), node)

    def _builtin_name(self, name: str, func: ast.expr) -> str:
        if member := self.expressions.module.member(func):
            return member
        root, _, rest = name.partition(".")
        if root in self.expressions.module.math and rest in _MATH_NAMES:
            return rest
        if name in _PYTHON_NAMES:
            return _PYTHON_NAMES[name]
        if name in ROWS or name in NAMED:
            return name  # Warp also accepts builtins without a prefix
        raise Unsupported(f"a call of {name!r}")

    def _builtin(self, name: str, node: ast.Call) -> Code:
        if name in TYPED:
            return TypedCalls(self.expressions).code(name, node)
        if name == "static":
            return self._static(node)
        if name in NAMED:
            return NamedCalls(self.expressions).code(name, node)
        row = ROWS.get(name)
        if row is None:
            raise Unsupported(f"the builtin {name!r}")
        if node.keywords:
            raise Unsupported(f"named arguments of {name!r}")
        nodes = node.args
        if row is ROWS["print"]:  # a string is not a value, and nothing is printed
            nodes = [part for part in nodes if not (isinstance(part, ast.Constant) and isinstance(part.value, str))]
        arguments = [self.expressions.code(argument) for argument in nodes]
        try:
            inspect.signature(row).bind(*arguments)
        except TypeError:
            raise Unsupported(f"{name!r} with {len(arguments)} arguments") from None
        row = self.expressions.run.row(name, row)
        if name in CHOICES:
            row = self._choice(CHOICES[name], row, node.args)
        if len(arguments) == 1:
            (only,) = arguments
            return lambda frame: row(only(frame))
        if len(arguments) == 2:
            first, second = arguments
            return lambda frame: row(first(frame), second(frame))
        return lambda frame: row(*[argument(frame) for argument in arguments])

    def _choice(self, compared: Sequence[tuple[int, int]], row: Row, nodes: Sequence[ast.expr]) -> Row:
        """Return a row that notes which of its arguments it compares."""
        run = self.expressions.run

        def choose(*values: Value) -> Value:
            if run.watch is not None and len(values) == len(nodes) > 1:
                for left, right in compared:
                    run.compared(nodes[right], values[left], values[right])
            return row(*values)

        return choose

    def _static(self, node: ast.Call) -> Code:
        """Compile ``wp.static``, whose value Python computes before the kernel exists."""
        names = {part.id for argument in node.args for part in walk(argument) if isinstance(part, ast.Name)}
        if len(node.args) != 1 or node.keywords or names & self.expressions.local:
            raise Unsupported("static with such arguments")
        value = literal(self.expressions.module.constant(node.args[0]))
        if isinstance(value, (Type, Struct, tuple)):
            raise Unsupported("a static value that is no number")
        return lambda _: value

    def _of_type(self, node: ast.Call) -> Code | None:
        """Compile ``x.dtype(…)`` and ``type(x)(…)``, which have the type of a value, or return None for other calls."""
        match node.func:
            case ast.Attribute(ast.Name(name) as source, "dtype") if name in self.expressions.local:
                inner = True
            case ast.Call(ast.Name("type"), [source], []):
                inner = False
            case _:
                return None
        value, arguments = self.expressions.code(source), [self.expressions.component(argument) for argument in node.args]

        def construct(frame: Frame) -> Value:
            return make(_type_of(value_of(value(frame)), inner=inner), [argument(frame) for argument in arguments])

        return construct

    def _construct(self, target: Type, nodes: list[ast.expr]) -> Code:
        numbers = [self.expressions.constants.converted(node) for node in nodes]
        if nodes and all(number is not None for number in numbers):
            value = make(target, numbers)
            return lambda _: value
        arguments = [self.expressions.component(node, target.scalar) for node in nodes]
        return lambda frame: make(target, [argument(frame) for argument in arguments])

    def _struct(self, struct: Struct, node: ast.Call) -> Code:
        members = dict(zip(struct.members, [self.expressions.code(argument) for argument in node.args], strict=False))
        members |= {keyword.arg or "": self.expressions.code(keyword.value) for keyword in node.keywords}
        if len(node.args) > len(struct.members) or not members.keys() <= struct.members.keys():
            raise Unsupported(f"{struct} made of members that it does not have")

        def construct(frame: Frame) -> Record:
            record = struct.zero()
            for name, argument in members.items():
                record = with_item(record, name, argument(frame))
            return record

        return construct


def _type_of(value: Value, *, inner: bool) -> Type:
    """Return the type of a value, or of its elements or components."""
    kind = value.element if inner and isinstance(value, Array) else of(value)
    if inner and isinstance(kind, Type) and kind.shape and not isinstance(value, Array):
        kind = Type(kind.scalar)
    if not isinstance(kind, Type):
        raise Unsupported(f"the type of {describe(value)}")
    return kind
