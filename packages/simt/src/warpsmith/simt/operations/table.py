"""The table of operations: every PTX instruction that the machine computes lane by lane, by its full opcode."""

from __future__ import annotations

import re
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

__all__ = ["HEADER", "Operation", "UnsupportedOperation", "common_statements", "number", "opcodes", "operation", "statements"]

HEADER = Path(__file__).parent / "native" / "arithmetic.h"
"""The functions that statements call."""


COMMON = re.compile(
    r"(add|sub|mul\.(lo|hi|wide)|mad\.(lo|wide)|div|rem|min|max|abs|neg)\.[us](32|64)|(add|sub|mul\.lo)\.[us]16"
    r"|(and|or|xor|not)\.(pred|b16|b32|b64)|(shl|shr)\.[bus](16|32|64)|shf\.[lr]\.(wrap|clamp)\.b32"
    r"|(lop3|prmt|popc|clz|brev|bfi)\.b(32|64)|bfe\.[us](32|64)|mov\..*|selp\..*|slct\..*"
    r"|(add|sub|mul|fma)(\.rn)?(\.ftz)?\.f(32|64)|(div|sqrt|rcp)\.rn\.f(32|64)|(abs|neg|min|max|copysign)(\.ftz)?\.f(32|64)"
    r"|(min|max)\.NaN\.f32|(rcp|sqrt|rsqrt|sin|cos|lg2|ex2|div|tanh)\.(approx|full)(\.ftz)?\.f32"
    r"|(add|sub|mul|fma)(\.rn)?\.b?f16(x2)?|cvt\.f32\.b?f16|cvt\.rn\.b?f16(x2)?\.f32"
    r"|setp\.[a-z]+(\.(and|or))?\.[bus](32|64)|setp\.[a-z]+\.[bus]16|setp\.[a-z]+(\.(and|or))?(\.ftz)?\.f(32|64)"
    r"|cvt\.[us](16|32|64)\.[us](8|16|32|64)|cvt\.[us]8\.[us](16|32)|cvt\.rn\.f(32|64)\.[us](32|64)"
    r"|cvt\.rzi(\.ftz)?\.[us](32|64)\.f(32|64)|cvt(\.rn)?(\.ftz)?\.f(32|64)\.f(32|64)"
)
"""Opcodes that NVRTC writes often: the machine has a loop over the lanes for each of their statements."""


@cache
def _table() -> dict[str, Operation]:
    return {row.opcode: row for row in registered()}


@cache
def _numbers() -> dict[str, int]:
    rows = list(_table().values())
    common = [row.statement for row in rows if COMMON.fullmatch(row.opcode)]
    return {statement: number for number, statement in enumerate(dict.fromkeys(common + [row.statement for row in rows]))}


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


@cache
def common_statements() -> int:
    """Return the number of statements of common opcodes, which are the first of `statements`."""
    return len({row.statement for row in _table().values() if COMMON.fullmatch(row.opcode)})


def number(opcode: str) -> int:
    """Return the place of the statement of an opcode in `statements`.

    Raises:
        UnsupportedOperation: if the table lacks the opcode.
    """
    return _numbers()[operation(opcode).statement]
