"""Assignments that change a variable by an operation: ``x = x + e`` is ``x += e``."""

from __future__ import annotations

import ast

COMMUTATIVE = (ast.Add, ast.Mult)
"""Operators whose operands may change places without a change of the result, if they are numbers."""


def operand(target: ast.expr, value: ast.expr) -> tuple[ast.operator, ast.expr, bool] | None:
    """Return the operation that an assignment applies to its own target, or None if it is none.

    Returns:
        The operator, the other operand, and whether this is the left one.

    Examples:
        >>> statement = ast.parse("x = 2.0 * x").body[0]
        >>> found = operand(statement.targets[0], statement.value)
        >>> found is not None and (type(found[0]).__name__, ast.unparse(found[1]), found[2])
        ('Mult', '2.0', True)
    """
    if not isinstance(value, ast.BinOp) or not _is_plain(target):
        return None
    place = ast.unparse(target)
    if ast.unparse(value.left) == place:
        return value.op, value.right, False
    if isinstance(value.op, COMMUTATIVE) and ast.unparse(value.right) == place:
        return value.op, value.left, True
    return None


def _is_plain(target: ast.expr) -> bool:
    """Return whether the evaluation of a target has no effect and costs no call."""
    return isinstance(target, ast.expr) and not any(isinstance(part, ast.Call) for part in ast.walk(target))
