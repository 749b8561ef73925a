"""The interface of the writer of statements, for the modules that write some kinds of them."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Protocol

from warpsmith.scoring.cuda_writer.code_pieces import Code
from warpsmith.scoring.cuda_writer.expression_code import Expressions
from warpsmith.scoring.cuda_writer.function_scope import Scope
from warpsmith.scoring.cuda_writer.syntax.counted_loops import Counter


class BlockWriter(Protocol):
    """Writes the statements of one function.

    Attributes:
        scope: the function.
        expressions: writes its expressions.
        end: the last line that may have a comment of the current statement.
        counters: the counters of ``while`` loops that count, by the identity of the loop.
    """

    scope: Scope
    expressions: Expressions
    end: int
    counters: dict[int, Counter]

    def inner(self, body: Sequence[ast.stmt], end: int) -> None:
        """Write the statements of an inner block."""

    def header_remark(self, statement: ast.If | ast.For | ast.While) -> None:
        """Write the comment behind the first line of a compound statement above the statement."""

    def store(self, node: ast.stmt, target: ast.expr, value: Code) -> None:
        """Write the assignment of a value."""

    def integer(self, node: ast.expr) -> Code:
        """Return an integer expression."""
