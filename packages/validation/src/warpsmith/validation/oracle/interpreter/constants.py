"""Expressions with the value of an untyped number, which keeps its precision until a constructor gives it a type."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from warpsmith.core.records.syntax_walks import walk
from warpsmith.validation.oracle.interpreter.module_values import Module
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported


@dataclass(frozen=True, slots=True)
class Constants:
    """The constants that the expressions of one function can name.

    Attributes:
        module: the definitions of the file.
        local: the names that the function binds.
        literals: the literals of variables that the function binds once, to a literal.
    """

    module: Module
    local: frozenset[str]
    literals: Mapping[str, ast.expr]

    def number(self, node: ast.expr) -> Any:
        """Return the untyped number of a literal, of a name with the value of one, or of ``wp.static``, otherwise None."""
        if isinstance(node, ast.Name) and node.id in self.literals:
            node = self.literals[node.id]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Name):
            number = self.number(node.operand)
            return None if number is None else -number
        if isinstance(node, ast.Call) and self.module.member(node.func) == "static" and len(node.args) == 1:
            return self._evaluated(node.args[0])
        return None if isinstance(node, (ast.Call, ast.BinOp, ast.Tuple)) else self._evaluated(node)

    def converted(self, node: ast.expr) -> Any:
        """Return the untyped number that a constructor receives: for a typed constant the number that it is made from."""
        if isinstance(node, ast.Name) and node.id in self.module.untyped and node.id not in self.local:
            return self.module.untyped[node.id]
        return self.number(node)

    def _evaluated(self, node: ast.expr) -> Any:
        names = {part.id for part in walk(node) if isinstance(part, ast.Name)}
        if names & self.local:
            return None
        try:
            value = self.module.constant(node)
        except Unsupported:
            return None
        return value if isinstance(value, (bool, int, float)) and not isinstance(value, np.generic) else None


def constants_of(module: Module, node: ast.FunctionDef) -> Constants:
    """Return the constants of a function."""
    parts = walk(node)
    bound = [argument.arg for argument in node.args.args]
    bound += [part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]
    literals = {name: value for name, value in _assigned_literals(parts) if bound.count(name) == 1}
    return Constants(module, frozenset(bound), literals)


def _assigned_literals(parts: Iterable[ast.AST]) -> Iterator[tuple[str, ast.expr]]:
    """Yield each variable that is assigned a literal, and the literal."""
    for part in parts:
        match part:
            case ast.Assign([ast.Name(name)], ast.Constant() | ast.UnaryOp(ast.USub(), ast.Constant()) as value):
                yield name, value
