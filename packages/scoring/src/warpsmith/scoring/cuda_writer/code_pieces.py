"""Pieces of CUDA: the text of an expression with its precedence and type."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from warpsmith.scoring.cuda_writer.cuda_types import BOOL, FLOAT, HALF, INT, Kind, is_float, type_name
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported
from warpsmith.validation.oracle.values.value_types import Type

PRIMARY, UNARY, PRODUCT, SUM, SHIFT, ORDER, EQUALITY, AND_BITS, XOR_BITS, OR_BITS, AND, OR, CHOICE = (
    16, 15, 13, 12, 11, 9, 8, 7, 6, 5, 4, 3, 2,
)  # fmt: skip
"""Precedences of C++: a larger one binds more tightly."""

_NUMBER = re.compile(r"0[xX][0-9a-fA-F]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?")


@dataclass(frozen=True, slots=True)
class Code:
    """An expression.

    Attributes:
        text: its text.
        kind: its type.
        precedence: how tightly its outermost operator binds.
        number: its value if it is a number that takes the type of its use; None for other expressions.
        source: how the Python writes this number; empty if it does not.
    """

    text: str
    kind: Kind
    precedence: int = PRIMARY
    number: bool | int | float | None = None
    source: str = ""

    def within(self, precedence: int, *, right: bool = False) -> str:
        """Return the text as an operand of an operator, in parentheses if it needs them."""
        needs = self.precedence < precedence or (right and self.precedence == precedence)
        mixed = precedence in _UNFAMILIAR and self.precedence not in (precedence, PRIMARY, UNARY)
        return f"({self.text})" if needs or mixed else self.text


_UNFAMILIAR = (SHIFT, AND_BITS, XOR_BITS, OR_BITS)
"""Operators whose precedence readers look up: other operators next to them are in parentheses."""


def call(name: str, arguments: Sequence[Code], kind: Kind) -> Code:
    """Return a call."""
    return Code(f"{name}({', '.join(argument.text for argument in arguments)})", kind)


def binary(operator: str, precedence: int, left: Code, right: Code, kind: Kind) -> Code:
    """Return an operation with two operands; the grouping of the Python stays."""
    return Code(f"{left.within(precedence)} {operator} {right.within(precedence, right=True)}", kind, precedence)


def number(value: bool | int | float, kind: Type, source: str = "") -> str:
    """Return the text of a number of a type.

    Args:
        value: the value.
        kind: the type of a number.
        source: how the Python writes it, which the text keeps.

    Examples:
        >>> number(0.5, FLOAT), number(1e-06, FLOAT, "1.0e-6"), number(3, FLOAT), number(2.5, INT)
        ('0.5f', '1.0e-6f', '3.0f', '2')
    """
    if kind == BOOL:
        return "true" if value else "false"
    if kind == HALF:
        return f"__float2half({number(value, FLOAT, source)})"
    if not is_float(kind):
        return _integer(int(value), kind, source)
    value = float(value)
    if not np.isfinite(value):
        name = "NAN" if np.isnan(value) else "INFINITY"
        return f"-{name}" if value < 0.0 else name
    text = source if _NUMBER.fullmatch(source) and float(source) == value else repr(value)
    if text.lower().startswith("0x"):
        text = repr(value)
    if text == repr(value) and kind.scalar is np.float32 and np.float32(value) == value:
        text = str(np.float32(value))  # the shortest one: 0.02 for the float that is nearest to it
    if not any(letter in text for letter in ".eE"):
        text += ".0"
    return f"{text}f" if kind.scalar is np.float32 else text


def _integer(value: int, kind: Type, source: str) -> str:
    text = source.lower() if _NUMBER.fullmatch(source) and "." not in source and "e" not in source.lower() else str(value)
    if source.lower().startswith("0x"):
        text = source
    if kind.scalar is np.uint32:
        return f"{text}u"
    if kind.scalar is np.int64:
        return f"{text}ll" if abs(value) > 2**31 - 1 else text
    if kind.scalar is np.uint64:
        return f"{text}ull"
    return "(-2147483647 - 1)" if value == -(2**31) else text


def number_type(value: bool | int | float) -> Type:
    """Return the type that a number of the Python has unless its use implies another one."""
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, float):
        return FLOAT
    return INT if -(2**31) <= value < 2**31 else Type(np.int64)


def literal(value: bool | int | float, source: str = "") -> Code:
    """Return a number of the Python: a float has single precision unless its use implies another type."""
    kind = number_type(value)
    text = number(value, kind, source.replace("_", ""))
    return Code(text, kind, UNARY if text.startswith("-") else PRIMARY, value, source.replace("_", ""))


def converted(value: Code, kind: Type) -> Code:
    """Return a value as a number of another type."""
    if not isinstance(value.kind, Type) or value.kind.shape:
        raise Unsupported(f"a conversion of {value.kind} to {kind}")
    if value.kind == kind:
        return value
    is_name = value.text.isidentifier() and value.kind in (INT, FLOAT) and kind in (INT, FLOAT)
    if value.number is not None and kind != BOOL and not is_name:
        text = number(value.number, kind, value.source)
        return Code(text, kind, UNARY if text.startswith("-") else PRIMARY, value.number, value.source)
    if kind == BOOL:
        return Code(f"{value.within(EQUALITY)} != 0", kind, EQUALITY)
    if kind == HALF:
        return Code(f"__float2half({converted(value, FLOAT).text})", HALF)
    if value.kind == HALF:
        return converted(Code(f"__half2float({value.text})", FLOAT), kind)
    name = type_name(kind)
    return Code(f"({name}){value.within(UNARY)}", kind, UNARY)


def negative(value: Code) -> Code:
    """Return the negative of a value."""
    if value.number is not None and value.precedence >= UNARY:
        made = literal(-value.number, f"-{value.source}" if value.source else "")
        text = value.text[1:] if value.text.startswith("-") else f"-{value.text}"
        return Code(text, value.kind, UNARY if text.startswith("-") else PRIMARY, made.number, made.source)
    text = value.within(UNARY)
    return Code(f"-({text})" if text.startswith("-") else f"-{text}", value.kind, UNARY)
