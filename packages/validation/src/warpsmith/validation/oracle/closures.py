"""The closures that syntax is compiled to, and the state that they share."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from warpsmith.validation.oracle.module import Module
from warpsmith.validation.oracle.types import Value

Frame: TypeAlias = dict[str, Value]
"""The variables of a function call by name."""

Code: TypeAlias = Callable[[Frame], Value]
"""A compiled expression."""


@dataclass(slots=True)
class Run:
    """The state that all code shares: the thread, the size of a block, the remaining steps and the depth of calls."""

    steps: int
    thread: tuple[Value, ...] = ()
    depth: int = 0
    block: int = 1


class ExpressionCompiler(Protocol):
    """A compiler of expressions, as calls use it for their arguments; `expressions.Expressions` implements it."""

    module: Module
    run: Run
    local: frozenset[str]

    @property
    def call(self) -> Callable[[str, list[Code], dict[str, Code]], Code]:
        """The compiler of calls of helper functions, from a name and arguments."""

    def code(self, node: ast.expr) -> Code:
        """Return a closure that evaluates ``node``."""

    def plain(self, node: ast.expr) -> Any:
        """Return the untyped number of a literal or module constant, or None for any other expression."""
