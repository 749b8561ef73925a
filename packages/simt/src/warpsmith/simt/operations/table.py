"""The table of operations: every PTX instruction that the machine computes lane by lane, by its full opcode."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from warpsmith.simt.operations import (  # noqa: F401 - each module registers its instructions
    approximate_operations,
    bit_operations,
    carry_operations,
    comparison_operations,
    conversion_operations,
    float_operations,
    half_operations,
    integer_operations,
    packed_operations,
)
from warpsmith.simt.operations.operation import Operation, UnsupportedOperation, registered

__all__ = ["HEADER", "Operation", "UnsupportedOperation", "number", "opcodes", "operation", "statements"]

HEADER = Path(__file__).parent / "native" / "arithmetic.h"
"""The functions that statements call."""


@cache
def _table() -> dict[str, Operation]:
    return {row.opcode: row for row in registered()}


@cache
def _numbers() -> dict[str, int]:
    return {statement: number for number, statement in enumerate(dict.fromkeys(row.statement for row in _table().values()))}


def operation(opcode: str) -> Operation:
    """Return the operation of a full opcode, such as ``"fma.rn.ftz.f32"``.

    Raises:
        UnsupportedOperation: if the table lacks the opcode.
    """
    found = _table().get(opcode)
    if found is None:
        raise UnsupportedOperation(opcode)
    return found


def opcodes() -> list[str]:
    """Return all supported opcodes, always in the same order."""
    return list(_table())


def statements() -> list[str]:
    """Return the distinct statements of all operations; the place of each is its `number`."""
    return list(_numbers())


def number(opcode: str) -> int:
    """Return the place of the statement of an opcode in `statements`.

    Raises:
        UnsupportedOperation: if the table lacks the opcode.
    """
    return _numbers()[operation(opcode).statement]
