"""Assignments that change a variable by an operation: ``x = x + e`` is ``x += e``."""

from __future__ import annotations

import ast

from warpsmith.scoring.cuda_writer.code_pieces import Code
from warpsmith.scoring.cuda_writer.cuda_types import Kind, is_integer, is_number
from warpsmith.scoring.cuda_writer.device_library import Library
from warpsmith.scoring.cuda_writer.operator_calls import SIGNS, add_assignment, operate
from warpsmith.validation.oracle.values.value_types import Type

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


def commutes(operator: ast.operator, left: Kind, right: Kind) -> bool:
    """Return whether operands may change places: numbers, terms of a sum, and a factor of a vector."""
    both = is_number(left) and is_number(right)
    return both or (isinstance(operator, ast.Add) and left == right) or (isinstance(operator, ast.Mult) and is_number(right))


def step(library: Library, operator: ast.operator, left: Code, value: Code) -> str:
    """Return the statement ``x += e``, or an empty string if neither C++ nor the text has it for such values."""
    sign = SIGNS.get(type(operator), ("", 0))[0]
    if not sign:
        return ""
    if is_number(left.kind) and is_number(value.kind):
        result = operate(library, operator, left, value)
        if result.kind != left.kind or f" {sign} " not in result.text:
            return ""
        return step_text(left.text, sign, value.text, left.kind)
    known = isinstance(left.kind, Type) and isinstance(value.kind, Type)
    if known and add_assignment(library, sign, left.kind, value.kind):  # type: ignore[arg-type]
        return f"{left.text} {sign}= {value.text};"
    return ""


def step_text(place: str, sign: str, value: str, kind: Kind) -> str:
    """Return the statement that changes a number by an operation.

    Examples:
        >>> from warpsmith.scoring.cuda_writer.cuda_types import FLOAT, INT
        >>> step_text("n", "+", "1", INT), step_text("n", "-", "2", INT), step_text("x", "+", "1.0f", FLOAT)
        ('++n;', 'n -= 2;', 'x += 1.0f;')
    """
    if sign in ("+", "-") and value in ("1", "1u") and is_integer(kind):
        return f"{sign}{sign}{place};"
    return f"{place} {sign}= {value};"
