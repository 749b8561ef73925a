"""A kernel's Python, run thread by thread in thread order by closures over NumPy scalars.

It knows Warp's language from its documentation and behaviour and shares nothing with Warp's generator, so that what the two
agree on is right twice. The source is only ever read as a syntax tree: names are looked up in tables and never in Python's
objects, and an endless loop ends with the last of the allowed steps.

Knowingly left out: Warp reads an array element named in an expression only when the operation happens, so that a later operand
that writes the same element is seen; here operands are read from left to right.
"""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Launch
from warpsmith.validation.oracle.arguments import arrays, given
from warpsmith.validation.oracle.errors import Exhausted, Unsupported
from warpsmith.validation.oracle.expressions import Code, Expressions, Frame, Run
from warpsmith.validation.oracle.module import Module, read
from warpsmith.validation.oracle.statements import Statements, Step
from warpsmith.validation.oracle.types import Value

STEPS = 2_000_000
"""Statements that a launch may run, some seconds of work."""

DEPTH = 32
"""Helper functions that may be inside one another; Warp knows no recursion."""


def interpret(
    source: str, kernel_name: str, how: Launch, values: Mapping[str, Values], steps: int = STEPS
) -> dict[str, Values]:
    """Run a kernel forward and return every array argument by name as the kernel leaves it.

    Args:
        source: a whole Python file that defines the kernel; it is read and never executed.
        kernel_name: which kernel.
        how: launch shape and arguments, as a pair's ``launch`` has them.
        values: of every argument by name, arrays with the argument's shape and then the element's, as
            `warpsmith.core.inputs.values.make_inputs` returns them: those of structs by leaf, such as ``body.mass``. Where a
            launch does not say what a struct's members are, it is a structured array. They are not changed.
        steps: how many statements all threads together may run.

    Raises:
        Unsupported: naming the first construct or builtin that is not in this oracle's language.
        Undefined: if the kernel does what C leaves undefined, such as reading beyond an array or dividing by zero.
        Exhausted: after ``steps`` statements.
    """
    try:
        with np.errstate(all="ignore"):
            return _interpret(source, kernel_name, how, values, steps)
    except RecursionError:
        raise Exhausted("calls too deep inside one another") from None


def _interpret(source: str, kernel_name: str, how: Launch, values: Mapping[str, Values], steps: int) -> dict[str, Values]:
    module = read(source)
    node = module.kernels.get(kernel_name)
    if node is None:
        raise Unsupported(f"a source without a kernel {kernel_name!r}")
    if _parameters(node) != [argument.name for argument in how.args]:
        raise Unsupported("a launch whose arguments are not those of the kernel")
    if not 1 <= len(how.dim) <= 4 or math.prod(how.dim) > steps:
        raise Exhausted(f"a launch of shape {how.dim}")
    arguments = {argument.name: given(argument, argument.name, values, module) for argument in how.args}
    run = Run(steps)
    body = Compiler(module, run).body(node)
    for coordinates in itertools.product(*(range(length) for length in how.dim)):
        run.thread = tuple([np.int32(coordinate) for coordinate in (*coordinates, 0, 0, 0)[:4]])
        body(dict(arguments))
    return {name: left for argument in how.args for name, left in arrays(argument, argument.name, arguments[argument.name])}


@dataclass(slots=True)
class Compiler:
    """Compiles functions, each once."""

    module: Module
    run: Run
    compiled: dict[ast.FunctionDef, Step] = field(default_factory=dict)

    def body(self, node: ast.FunctionDef) -> Step:
        """Return a closure that runs the body of ``node`` in a frame that holds its arguments."""
        if node not in self.compiled:
            local = {argument.arg for argument in node.args.args}
            local |= {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
            expressions = Expressions(self.module, self.run, frozenset(local), self.call)
            self.compiled[node] = Statements(expressions).block(node.body)
        return self.compiled[node]

    def call(self, name: str, arguments: list[Code], named_arguments: dict[str, Code]) -> Code:
        """Return a closure that calls the helper function ``name``."""
        candidates = [
            (node, order)
            for node in self.module.functions[name]
            if (order := self._bound(node, arguments, named_arguments)) is not None
        ]
        if not candidates:
            raise Unsupported(f"{name!r} with {len(arguments) + len(named_arguments)} arguments")
        run = self.run

        def go(frame: Frame) -> Value:
            evaluated: dict[Code, Value] = {}  # once, though several candidates ask for them
            for node, order in candidates:
                names = _parameters(node)
                for code in order:
                    if code not in evaluated:
                        evaluated[code] = code(frame)
                values = [evaluated[code] for code in order]
                if len(candidates) > 1 and not self._takes(node, values):
                    continue
                if run.depth >= DEPTH:
                    raise Exhausted("calls too deep inside one another")
                run.depth += 1
                left = self.body(node)(dict(zip(names, values, strict=True)))
                run.depth -= 1
                if left is None and _returns(node):
                    raise Unsupported(f"{name!r} that ends without its value")
                return left.value if left is not None else None
            raise Unsupported(f"{name!r} for these types")

        return go

    def _bound(self, node: ast.FunctionDef, arguments: list[Code], named_arguments: dict[str, Code]) -> list[Code] | None:
        """Put arguments in the order of parameters, defaults included; None if they do not fit."""
        names = _parameters(node)
        given = dict(zip(names, arguments, strict=False))
        if len(arguments) > len(names) or given.keys() & named_arguments.keys():
            return None
        defaults = node.args.defaults
        constant = Expressions(self.module, self.run, frozenset(), self.call)
        filled = {
            name: constant.code(default) for name, default in zip(names[len(names) - len(defaults) :], defaults, strict=True)
        }
        filled |= given | named_arguments
        return [filled[name] for name in names] if filled.keys() == set(names) else None

    def _takes(self, node: ast.FunctionDef, values: list[Value]) -> bool:
        kinds = [self.module.type_of(argument.annotation) for argument in node.args.args]
        return all(kind is None or kind.holds(value) for kind, value in zip(kinds, values, strict=True))


def _parameters(node: ast.FunctionDef) -> list[str]:
    own = node.args
    if own.posonlyargs or own.kwonlyargs or own.vararg or own.kwarg:
        raise Unsupported(f"{node.name!r} with parameters that are not plain")
    return [argument.arg for argument in own.args]


def _returns(node: ast.FunctionDef) -> bool:
    return any(isinstance(part, ast.Return) and part.value is not None for part in ast.walk(node))
