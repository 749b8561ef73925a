"""Random numbers that one statement draws several of: each gets a variable, because C++ evaluates arguments in any order."""

from __future__ import annotations

import ast
import copy
from collections.abc import Sequence

from warpsmith.core.records.syntax_walks import walk

_DRAWS = frozenset("randf randi randu randn".split())
"""The builtins that change the state that they receive."""

_CONDITIONAL = (ast.IfExp, ast.BoolOp)


def with_ordered_draws(function: ast.FunctionDef) -> ast.FunctionDef:
    """Return a function whose statements draw one random number each, unless they draw several on a condition.

    Warp draws them from left to right.
    """
    parts = walk(function)
    if sum(map(_is_draw, parts)) < 2:
        return function
    taken = {part.id for part in parts if isinstance(part, ast.Name)} | {each.arg for each in function.args.args}
    found = copy.deepcopy(function)
    found.body = _block(found.body, taken)
    return found


def _block(body: Sequence[ast.stmt], taken: set[str]) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for statement in body:
        for name in ("body", "orelse"):
            if isinstance(statement, ast.If | ast.For | ast.While) and (inner := getattr(statement, name)):
                setattr(statement, name, _block(inner, taken))
        if isinstance(statement, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Expr | ast.Return) and _is_unordered(
            statement
        ):
            draws = _Draws(taken)
            changed = draws.visit(statement)
            found += [*draws.new, changed]
        else:
            found.append(statement)
    return found


def _is_unordered(statement: ast.stmt) -> bool:
    parts = walk(statement)
    return sum(map(_is_draw, parts)) > 1 and not any(isinstance(part, _CONDITIONAL) for part in parts)


def _is_draw(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _DRAWS


class _Draws(ast.NodeTransformer):
    def __init__(self, taken: set[str]) -> None:
        self._taken = taken
        self.new: list[ast.stmt] = []

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        if not _is_draw(node):
            return node
        name = next(name for number in range(1, 1000) if (name := f"u{number}") not in self._taken)
        self._taken.add(name)
        target = ast.Name(name, ast.Store())
        self.new.append(ast.fix_missing_locations(ast.copy_location(ast.Assign([target], node), node)))
        return ast.copy_location(ast.Name(name, ast.Load()), node)
