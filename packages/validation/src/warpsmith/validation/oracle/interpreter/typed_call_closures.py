"""Compiles calls of builtins whose value depends on the thread or on a type."""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace

import numpy as np

from warpsmith.validation.oracle.builtins.bits import reinterpreted
from warpsmith.validation.oracle.builtins.builtin_table import IDENTITIES
from warpsmith.validation.oracle.interpreter.closures import Code, ExpressionCompiler
from warpsmith.validation.oracle.values.conversions import literal, make
from warpsmith.validation.oracle.values.frames import Frame
from warpsmith.validation.oracle.values.interpretation_errors import Apart, Unsupported
from warpsmith.validation.oracle.values.kernel_arrays import Array
from warpsmith.validation.oracle.values.moving_values import paired
from warpsmith.validation.oracle.values.value_types import LARGEST, Type, Value, describe, named, of, sized

TYPED = frozenset({"tid", "vector", "vec", "matrix", "mat", "identity", "cast", "zeros", *IDENTITIES})
"""The builtins that are compiled here."""


@dataclass(frozen=True, slots=True)
class TypedCalls:
    """Compiles such calls of one function; ``expressions`` compiles their arguments."""

    expressions: ExpressionCompiler

    def code(self, name: str, node: ast.Call) -> Code:
        """Return a closure that evaluates a builtin of `TYPED`.

        Raises:
            Unsupported: if the arguments are not supported.
        """
        run = self.expressions.run
        if name == "tid":
            if node.args or node.keywords:
                raise Unsupported("tid with arguments")
            return lambda _: run.coordinate(
                0
            )  # several coordinates only in an assignment to several names, see `statement_closures`
        if name in ("cast", "zeros"):
            return self._cast(node) if name == "cast" else self._zeros(node)
        named_arguments = {keyword.arg: keyword.value for keyword in node.keywords}
        scalar = self._scalar(named_arguments.pop("dtype", None))
        if name in IDENTITIES:
            scalar = self._scalar(node.args[0]) if node.args else scalar
            identity = named(name.removesuffix("_identity"))
            if named_arguments or len(node.args) > 1 or identity is None:
                raise Unsupported(f"{name!r} with such arguments")
            values = np.zeros(identity.shape, (scalar or identity).scalar)
            values[-1] = 1
            identity_value = values.view(IDENTITIES[name])
            return lambda _: identity_value
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
        arguments = [self.expressions.component(node, scalar and scalar.scalar) for node in nodes]

        def construct(frame: Frame) -> Value:
            values = [argument(frame) for argument in arguments]
            element = scalar or of(literal(values[0]))
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
        if not all(type(size) is int for size in lengths):
            raise Unsupported("a shape that is not made of integers")
        return lengths

    def _scalar(self, node: ast.expr | None) -> Type | None:
        dtype = self.expressions.module.type_of(node)
        if node is not None and (not isinstance(dtype, Type) or dtype.shape):
            raise Unsupported("a dtype that is no scalar")
        return dtype if isinstance(dtype, Type) else None

    def _arguments(self, node: ast.Call, *names: str) -> list[ast.expr]:
        arguments = dict(zip(names, node.args, strict=False)) | {keyword.arg or "": keyword.value for keyword in node.keywords}
        if len(node.args) > len(names) or arguments.keys() != set(names):
            raise Unsupported(f"a builtin with other arguments than {', '.join(names)}")
        return [arguments[name] for name in names]

    def _cast(self, node: ast.Call) -> Code:
        value, dtype = self._arguments(node, "a", "dtype")
        code, target = self.expressions.code(value), self.expressions.module.type_of(dtype)
        if not isinstance(target, Type):
            raise Unsupported("a cast to a type that is no number")
        return lambda frame: reinterpreted(code(frame), target)

    def _zeros(self, node: ast.Call) -> Code:
        """Compile an array that belongs to one thread."""
        shape, dtype = self._arguments(node, "shape", "dtype")
        lengths, element = self._shape({"shape": shape}, "length"), self.expressions.module.type_of(dtype)
        if not isinstance(element, Type) or not lengths or not all(0 < length <= LARGEST for length in lengths):
            raise Unsupported("zeros with such arguments")
        kind = element

        run = self.expressions.run

        def make_array(_: Frame) -> Value:
            if run.accesses is not None:
                raise Apart("an array that belongs to one thread")
            array = Array(np.zeros((*lengths, *kind.shape), kind.scalar), lengths, kind)
            return array if run.moving is None else paired(array, replace(array, data=np.zeros_like(array.data)))

        return make_array
