"""PTX types of operands: width, member of ``union V``, and C++ type."""

from __future__ import annotations

import re

MEMBERS = {
    "pred": "b", "b8": "b", "u8": "b", "s8": "c",
    "b16": "h", "u16": "h", "s16": "k", "f16": "h", "bf16": "h",
    "b32": "w", "u32": "w", "s32": "i", "f32": "f", "f16x2": "w", "bf16x2": "w", "u16x2": "w", "s16x2": "w",
    "b64": "u", "u64": "u", "s64": "s", "f64": "d",
}  # fmt: skip
"""The member of ``union V`` (see ``arithmetic.h``) that has a value of each type."""

C_TYPES = {
    "b": "u8", "c": "s8", "h": "u16", "k": "s16", "w": "u32", "i": "s32", "u": "u64", "s": "s64", "f": "float", "d": "double",
}  # fmt: skip

UNSIGNED = ("u16", "u32", "u64")
SIGNED = ("s16", "s32", "s64")
INTEGERS = UNSIGNED + SIGNED
WORDS = ("u32", "u64", "s32", "s64")
BITS = ("b16", "b32", "b64")
FLOATS = ("f32", "f64")
HALVES = ("f16", "bf16")

DIRECTIONS = {"rz": "TOWARD_ZERO", "rm": "DOWN", "rp": "UP"}
"""The modes of ``arithmetic.h`` for all modifiers of rounding but ``rn``."""

ROUNDINGS = ("rn", *DIRECTIONS)


def width(kind: str) -> int:
    """Return the number of bits of a type; 8 for predicates, 32 for packed types.

    Examples:
        >>> width("s64"), width("f16x2"), width("bf16")
        (64, 32, 16)
    """
    if kind == "pred":
        return 8
    size, packed = re.fullmatch(r"[a-z]+(\d+)(x2)?", kind).groups()  # type: ignore[union-attr]
    return int(size) * (2 if packed else 1)


def read(source: str, kind: str) -> str:
    """Return the expression of a source of a type."""
    return f"{source}.{MEMBERS[kind]}"


def c_type(kind: str) -> str:
    """Return the C++ type of a value of a PTX type."""
    return C_TYPES[MEMBERS[kind]]


def assign(kind: str, expression: str, result: str = "D") -> str:
    """Return the statement that writes a result of a type.

    Results of 32 bits and less are written with zeros above them, because stores of all bytes of a lane become vector stores.
    """
    value = f"({c_type(kind)})({expression})"
    if kind in ("f32", "f64") or width(kind) == 64:
        return f"{result}.{MEMBERS[kind]}={value};"
    return f"{result}.u={value};" if not is_signed(kind) else f"{result}.u=({c_type(unsigned(kind))}){value};"


def unsigned(kind: str, bits: int | None = None) -> str:
    """Return the unsigned integer type of the same width as ``kind``, or of ``bits`` bits."""
    return f"u{bits or width(kind)}"


def is_signed(kind: str) -> bool:
    """Whether ``kind`` is a signed integer type."""
    return kind[0] == "s"
