"""Predicates about branches, loops and tests."""

from __future__ import annotations

import ast

from warpsmith.validation.statistics.realism.facts import Facts
from warpsmith.validation.statistics.realism.simple_expressions import integer_literal
from warpsmith.validation.statistics.syntax_counts import depth

_SENTINELS: dict[int, tuple[type[ast.cmpop], ...]] = {
    -1: (ast.Eq, ast.NotEq, ast.Gt, ast.LtE),
    0: (ast.Eq, ast.NotEq, ast.Lt, ast.GtE),
}
"""The comparisons that distinguish valid indices from others; ``> 0`` is a test of a count or a sign."""

_MIRRORED: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}


def long_branch(facts: Facts) -> bool:
    """A branch of three statements or more."""
    return any(len(block) >= 3 for node in facts.branches for block in (node.body, node.orelse))


def nested_twice(facts: Facts) -> bool:
    """A statement within two branches or loops."""
    return depth(facts.node) >= 2


def nested_three_times(facts: Facts) -> bool:
    """A statement within three branches or loops."""
    return depth(facts.node) >= 3


def several_returns(facts: Facts) -> bool:
    """Two ``return`` or more."""
    return sum(isinstance(node, ast.Return) for node in facts.nodes) >= 2


def leaves_loop(facts: Facts) -> bool:
    """``break`` or ``continue``."""
    return any(isinstance(node, ast.Break | ast.Continue) for node in facts.nodes)


def while_loop(facts: Facts) -> bool:
    """A ``while`` loop."""
    return any(isinstance(node, ast.While) for node in facts.nodes)


def range_with_start(facts: Facts) -> bool:
    """``range(a, b)``, with a step or without."""
    return any(isinstance(call.func, ast.Name) and call.func.id == "range" and len(call.args) >= 2 for call in facts.calls)


def equality(facts: Facts) -> bool:
    """``==`` or ``!=``."""
    return any(isinstance(comparison.operator, ast.Eq | ast.NotEq) for comparison in facts.comparisons)


def sentinel(facts: Facts) -> bool:
    """A comparison with the integer -1 or 0 that distinguishes valid indices from others, see `_SENTINELS`."""
    for comparison in facts.comparisons:
        operator = type(comparison.operator)
        if _is_sentinel(comparison.right, operator) or _is_sentinel(comparison.left, _MIRRORED.get(operator, operator)):
            return True
    return False


def _is_sentinel(side: ast.expr, operator: type[ast.cmpop]) -> bool:
    value = integer_literal(side)
    return value is not None and operator in _SENTINELS.get(value, ())


def same_test_twice(facts: Facts) -> bool:
    """Two branches that test the same condition, nested or one after the other."""
    tests = [ast.unparse(node.test) for node in facts.branches]
    return len(set(tests)) < len(tests)
