"""The closures that syntax is compiled to, and the state that they share."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np

from warpsmith.validation.oracle.interpreter.constants import Constants
from warpsmith.validation.oracle.interpreter.module_values import Module
from warpsmith.validation.oracle.values.frames import Frame, Part
from warpsmith.validation.oracle.values.interpretation_errors import Apart
from warpsmith.validation.oracle.values.lanes import lifted
from warpsmith.validation.oracle.values.operand_distances import Watch
from warpsmith.validation.oracle.values.operators import Row
from warpsmith.validation.oracle.values.thread_accesses import Accesses
from warpsmith.validation.oracle.values.value_types import Components, Lanes, Value

Code: TypeAlias = Callable[[Frame], Value]
"""A compiled expression."""


@dataclass(slots=True)
class Run:
    """The state that all code shares.

    Attributes:
        steps: the remaining steps.
        thread: the coordinates of the thread.
        depth: the depth of calls.
        block: the number of threads in a block.
        accesses: the threads that run together and their accesses to arrays; None where one thread runs.
        dim: the shape of the launch in four dimensions.
        watch: notes the comparisons of floats of threads that run together; None if nobody asks for them.
        moving: makes rows that accept values which move, from their names; None for runs without derivatives.
    """

    steps: int
    thread: tuple[Value, ...] = ()
    depth: int = 0
    block: int = 1
    accesses: Accesses | None = None
    dim: tuple[int, ...] = ()
    watch: Watch | None = None
    moving: Callable[[str, Row], Row] | None = None

    def row(self, name: str, row: Row) -> Row:
        """Return the row of a builtin or operator for threads that may run together, and for values that may move."""
        row = lifted(row, self.is_apart)
        return row if self.moving is None else self.moving(name, row)

    def is_apart(self) -> bool:
        """Return whether one thread runs after another."""
        return self.accesses is None

    @property
    def width(self) -> int:
        """The number of threads that run."""
        return 1 if self.accesses is None else len(self.accesses.threads)

    def coordinate(self, dimension: int) -> Value:
        """Return a coordinate of the threads that run."""
        if self.accesses is None:
            return self.thread[dimension]
        if not self.dim:
            raise Apart("the number of a thread in a function of tiles")
        numbers = self.accesses.threads // math.prod(self.dim[dimension + 1 :]) % self.dim[dimension]
        return Lanes(numbers.astype(np.int32))

    def compared(self, node: ast.expr, left: Value, right: Value) -> None:
        """Note the operands of a comparison if somebody watches; ``node`` has its place in the source."""
        if self.watch is not None and self.accesses is not None:
            self.watch.note((node.lineno, node.col_offset), left, right, self.accesses.threads)

    def as_threads(self, width: int, code: Code, frame: Frame) -> Value:
        """Evaluate code for the elements of tiles as if each had a thread.

        Raises:
            Exception: whatever the code raises; then the elements have to be evaluated one after another.
        """
        before = (self.steps, self.depth, self.accesses, self.dim)
        self.accesses, self.dim = Accesses(np.arange(width)), ()
        try:
            value = code(frame)
        except Exception:
            self.steps = before[0]
            raise
        finally:
            _, self.depth, self.accesses, self.dim = before
        return value

    def enter(self, frame: Frame, places: Components) -> Part:
        """Run some of the threads of a frame, until `leave`."""
        accesses = self.accesses
        if accesses is None:
            raise AssertionError("one thread cannot be split")
        part = Part(frame, places, accesses.threads)
        accesses.threads = accesses.threads[places]
        return part

    def leave(self, part: Part) -> None:
        """Run all threads of a frame again."""
        part.leave()
        if self.accesses is not None:
            self.accesses.threads = part.threads


class ExpressionCompiler(Protocol):
    """A compiler of expressions, as calls use it for their arguments; `expression_closures.Expressions` implements it."""

    module: Module
    constants: Constants
    run: Run
    local: frozenset[str]

    @property
    def call(self) -> Callable[[str, list[Code], dict[str, Code]], Code]:
        """The compiler of calls of helper functions, from a name and arguments."""

    def code(self, node: ast.expr) -> Code:
        """Return a closure that evaluates ``node``."""

    def component(self, node: ast.expr, scalar: Any = None) -> Code:
        """Return a closure that evaluates an argument of a constructor, whose constants have its type."""
