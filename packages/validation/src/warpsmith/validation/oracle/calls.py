"""Compiles calls of helper functions, constructors and builtins to closures; names are looked up in tables."""

from __future__ import annotations

import ast
import inspect
from dataclasses import dataclass

import numpy as np

from warpsmith.validation.oracle.builtins import IDENTITIES, ROWS, WRITING
from warpsmith.validation.oracle.closures import Code, ExpressionCompiler, Frame
from warpsmith.validation.oracle.errors import Unsupported
from warpsmith.validation.oracle.memory import Record, Struct, with_item
from warpsmith.validation.oracle.module import dotted
from warpsmith.validation.oracle.types import Type, Value, describe, make, named, of, sized

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
        name = dotted(node.func)
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
        if name in ROWS or name in WRITING:
            return name  # Warp also accepts builtins without a prefix
        raise Unsupported(f"a call of {name!r}")

    def _builtin(self, name: str, node: ast.Call) -> Code:
        if name in ("tid", "vector", "vec", "matrix", "mat", "identity") or name in IDENTITIES:
            return self._typed_builtin(name, node)
        if name in WRITING:
            return self._writing(name, node)
        row = ROWS.get(name)
        if row is None:
            raise Unsupported(f"the builtin {name!r}")
        if node.keywords:
            raise Unsupported(f"named arguments of {name!r}")
        nodes = node.args
        if row is ROWS["print"]:  # a string is not a value, and nothing is printed
            nodes = [one for one in nodes if not (isinstance(one, ast.Constant) and isinstance(one.value, str))]
        arguments = [self.expressions.code(argument) for argument in nodes]
        try:
            inspect.signature(row).bind(*arguments)
        except TypeError:
            raise Unsupported(f"{name!r} with {len(arguments)} arguments") from None
        if len(arguments) == 1:
            (only,) = arguments
            return lambda frame: row(only(frame))
        if len(arguments) == 2:
            first, second = arguments
            return lambda frame: row(first(frame), second(frame))
        return lambda frame: row(*[argument(frame) for argument in arguments])

    def _writing(self, name: str, node: ast.Call) -> Code:
        """Compile a builtin that assigns some of its arguments, which are variables of the function."""
        row, positions = WRITING[name]
        if node.keywords or len(node.args) <= max(positions):
            raise Unsupported(f"{name!r} with such arguments")
        written = [node.args[position] for position in positions]
        names = [one.id for one in written if isinstance(one, ast.Name) and one.id in self.expressions.local]
        if len(names) != len(written):
            raise Unsupported(f"{name!r} that assigns something else than a variable")
        arguments = [self.expressions.code(argument) for argument in node.args]

        def call(frame: Frame) -> Value:
            result, *new = row(*[argument(frame) for argument in arguments])
            frame.update(zip(names, new, strict=True))
            return result

        return call

    def _typed_builtin(self, name: str, node: ast.Call) -> Code:
        """Compile a builtin whose value depends on the thread or on a type."""
        run = self.expressions.run
        if name == "tid":
            if node.args or node.keywords:
                raise Unsupported("tid with arguments")
            return lambda _: run.thread[0]  # several coordinates only in an assignment to several names, see `statements`
        named_arguments = {keyword.arg: keyword.value for keyword in node.keywords}
        scalar = self._scalar(named_arguments.pop("dtype", None))
        if name in IDENTITIES:
            scalar = self._scalar(node.args[0]) if node.args else scalar
            identity = named(name.removesuffix("_identity"))
            if named_arguments or len(node.args) > 1 or identity is None:
                raise Unsupported(f"{name!r} with such arguments")
            values = np.zeros(identity.shape, (scalar or identity).scalar)
            values[-1] = 1
            whole = values.view(IDENTITIES[name])
            return lambda _: whole
        shape = self._shape(named_arguments, "n" if name == "identity" else "length")
        if named_arguments or (scalar is None and not node.args):
            raise Unsupported(f"{name!r} with such arguments")
        if name == "identity":
            if len(shape) != 1 or scalar is None or node.args:
                raise Unsupported("identity with such arguments")
            eye = np.eye(sized(scalar, shape[0], shape[0]).shape[0], dtype=scalar.scalar)
            return lambda _: eye
        return self._sized(scalar, shape, node.args)

    def _sized(self, scalar: Type | None, shape: tuple[int, ...], nodes: list[ast.expr]) -> Code:
        """Compile ``wp.vector(a, b, c)`` or ``wp.matrix(…, shape=(2, 3), dtype=float)``; the values imply what is omitted."""
        arguments = [self.expressions.code(node) for node in nodes]

        def construct(frame: Frame) -> Value:
            values = [argument(frame) for argument in arguments]
            element = scalar or of(values[0])
            if element is None:
                raise Unsupported(f"components that are {describe(values[0])}")
            return make(sized(element, *(shape or (len(values),))), values)

        return construct

    def _shape(self, named_arguments: dict[str | None, ast.expr], length: str) -> tuple[int, ...]:
        node = named_arguments.pop(length, None) or named_arguments.pop("shape", None)
        if node is None:
            return ()
        shape = self.expressions.module.constant(node)
        lengths = shape if isinstance(shape, tuple) else (shape,)
        if not all(type(one) is int for one in lengths):
            raise Unsupported("a shape that is not made of integers")
        return lengths

    def _scalar(self, node: ast.expr | None) -> Type | None:
        dtype = self.expressions.module.type_of(node)
        if node is not None and (not isinstance(dtype, Type) or dtype.shape):
            raise Unsupported("a dtype that is no scalar")
        return dtype if isinstance(dtype, Type) else None

    def _construct(self, target: Type, nodes: list[ast.expr]) -> Code:
        if len(nodes) == 1 and not target.shape and (number := self.expressions.plain(nodes[0])) is not None:
            value = make(target, [number])
            return lambda _: value
        arguments = [self.expressions.code(node) for node in nodes]
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
