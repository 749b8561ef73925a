"""Forms of numbers that engineers write: multiples of pi, constant expressions, and masks in hexadecimal digits."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

import numpy as np

from warpsmith.core.records.syntax_walks import walk
from warpsmith.scoring.cuda_writer.code_pieces import PRODUCT, Code
from warpsmith.scoring.cuda_writer.cuda_types import FLOAT

_PI = np.float32(np.pi)

_FORMS: tuple[tuple[str, Callable[[np.float32], np.float32]], ...] = (
    ("PI", lambda pi: pi),
    ("2.0f * PI", lambda pi: np.float32(2.0) * pi),
    ("4.0f * PI", lambda pi: np.float32(4.0) * pi),
    ("0.5f * PI", lambda pi: np.float32(0.5) * pi),
    ("0.25f * PI", lambda pi: np.float32(0.25) * pi),
    ("PI / 3.0f", lambda pi: pi / np.float32(3.0)),
    ("2.0f * PI / 3.0f", lambda pi: np.float32(2.0) * pi / np.float32(3.0)),
    ("PI / 6.0f", lambda pi: pi / np.float32(6.0)),
    ("PI / 180.0f", lambda pi: pi / np.float32(180.0)),
    ("180.0f / PI", lambda pi: np.float32(180.0) / pi),
    ("1.0f / PI", lambda pi: np.float32(1.0) / pi),
)
"""Multiples of pi in single precision."""

_OF_PI = {form(_PI).tobytes(): text for text, form in _FORMS}

_CLOSE = 1e-5
"""The relative difference of a literal that is meant to be a multiple of pi."""

_FEWEST_DIGITS = 6
"""The fewest digits of a literal that stands for a multiple of pi."""

SMALLEST_MASK = 255
"""The smallest operand of a bit operation that has hexadecimal digits."""

_OPERATIONS: dict[type[ast.operator], Callable[[np.float32, np.float32], float]] = {
    ast.Add: lambda a, b: a + b, ast.Sub: lambda a, b: a - b, ast.Mult: lambda a, b: a * b, ast.Div: lambda a, b: a / b,
}  # fmt: skip


def multiple_of_pi(value: float, source: str) -> str:
    """Return the expression with ``PI`` that has exactly the value of a literal in single precision, or an empty string.

    Examples:
        >>> multiple_of_pi(6.2831855, "6.2831855"), multiple_of_pi(0.5, "0.5")
        ('2.0f * PI', '')
    """
    digits = re.sub(r"[eE].*|\D", "", source).lstrip("0")
    return _OF_PI.get(np.float32(value).tobytes(), "") if len(digits) >= _FEWEST_DIGITS else ""


def has_other_pi(tree: ast.Module) -> bool:
    """Return whether a file has a literal close to a multiple of pi that single precision tells from it."""
    literals = {node.value for node in walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, float)}
    exact = [float(form(_PI)) for _, form in _FORMS]
    return any(0.0 < abs(float(np.float32(value)) - number) < _CLOSE * number for value in literals for number in exact)


def of_pi(text: str, value: float, source: str) -> Code:
    """Return an expression with ``PI``, whose conversions to other types use the literal."""
    return Code(text, FLOAT, PRODUCT if " " in text else 16, value, source)


def product_of_literals(left: Code, operator: ast.operator, right: Code) -> float | None:
    """Return the product of two float literals if one of them is 1, or None."""
    if not isinstance(operator, ast.Mult) or not isinstance(left.number, float) or not isinstance(right.number, float):
        return None
    return left.number * right.number if 1.0 in (left.number, right.number) else None


def in_single(node: ast.expr, constant: Callable[[ast.expr], object]) -> np.float32 | None:
    """Return the value of an expression of constants that computes in single precision, or None if CUDA lacks one.

    Args:
        node: the expression.
        constant: returns the value of a name.
    """
    found: np.float32 | None = None
    match node:
        case ast.BinOp(left, operator, right) if type(operator) in _OPERATIONS:
            first, second = in_single(left, constant), in_single(right, constant)
            if first is not None and second is not None:
                with np.errstate(all="ignore"):
                    found = np.float32(_OPERATIONS[type(operator)](first, second))
        case ast.Constant(float(value)):
            found = np.float32(value)
        case ast.Name() | ast.Attribute():
            named = constant(node)
            found = np.float32(named) if isinstance(named, float) and not isinstance(named, np.generic) else None
    return found


def in_integers(node: ast.expr, constant: Callable[[ast.expr], object]) -> int | None:
    """Return the value of a sum or product of integer constants that are small and not negative, or None."""
    value: object = None
    match node:
        case ast.BinOp(left, ast.Add() | ast.Sub() | ast.Mult() as operator, right):
            first, second = in_integers(left, constant), in_integers(right, constant)
            if first is not None and second is not None:
                value = {ast.Add: first + second, ast.Sub: first - second, ast.Mult: first * second}[type(operator)]
        case ast.Constant(found):
            value = found
        case ast.Name() | ast.Attribute():
            value = constant(node)
    return value if type(value) is int and 0 <= value < 2**31 else None


def mask(value: Code) -> Code:
    """Return the operand of a bit operation: a large number has hexadecimal digits, in pairs.

    Examples:
        >>> from warpsmith.scoring.cuda_writer.cuda_types import INT
        >>> mask(Code("3855", INT, number=3855, source="3855")).text, mask(Code("7u", INT, number=7)).text
        ('0x0F0F', '7u')
    """
    number = value.number
    if type(number) is not int or number < SMALLEST_MASK or not re.fullmatch(r"\d+u?", value.text):
        return value
    digits = f"{number:X}"
    text = f"0x{digits.zfill(len(digits) + len(digits) % 2)}"
    suffix = "u" if value.text.endswith("u") else ""
    return Code(f"{text}{suffix}", value.kind, value.precedence, number, text)
