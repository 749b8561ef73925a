"""The statements of the table as native functions, in units that are compiled when a kernel needs one of their operations.

Clang takes about 20 ms to optimize a statement and there are two thousand, so that a single unit would take most of a minute.
Unit ``common`` contains the operations of most kernels. The other units contain the remaining operations, by base instruction,
and are not optimized.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from functools import cache

from warpsmith.simt.lowering.instruction_encoding import FIRST_OPERATION
from warpsmith.simt.machine.native_code import load
from warpsmith.simt.machine.source_files import instruction_text
from warpsmith.simt.operations.table import common_statements, number, opcodes, statements

LARGEST_UNIT = 150
"""Statements of a unit; the common ones are in one."""


@cache
def _units() -> dict[str, list[int]]:
    """Return the numbers of the statements of each unit."""
    units = {"common": list(range(common_statements()))}
    for opcode in opcodes():
        statement, base = number(opcode), opcode.partition(".")[0]
        numbers = units.setdefault(base, [])
        if statement not in numbers and statement >= common_statements():
            numbers.append(statement)
    return {
        f"{name}_{start // LARGEST_UNIT}": numbers[start : start + size]
        for name, numbers in units.items()
        for size in [len(numbers) if name == "common" else LARGEST_UNIT]
        for start in range(0, len(numbers), size or 1)
    }


@cache
def _unit_by_statement() -> dict[int, str]:
    return {statement: name for name, numbers in _units().items() for statement in numbers}


SCALAR = ("D2", "DIVIDED_BY_ZERO", "half", "bfloat", "sin(", "cos(", "log2(", "exp2(", "tanh(", "clz", "popcount")
"""Parts of statements that are no faster in vectors: with two results, or with calls."""


def _macro(index: int) -> str:
    """Return the macro of ``operation.h`` for the statement with a number."""
    if index >= common_statements():
        return "RARE"
    return "COMMON" if any(part in statements()[index] for part in SCALAR) else "VECTOR"


def unit_text(numbers: Iterable[int]) -> str:
    """Return the C++ of the statements with some numbers: a function for each, and their table."""
    texts = statements()
    functions = [f"{_macro(index)}(operation_{index}, {texts[index]})" for index in numbers]
    names = ", ".join(f"operation_{index}" for index in numbers)
    return f"{instruction_text()}\n" + "\n".join(functions) + f'\nextern "C" Operation simt_operations[] = {{{names}}};\n'


@cache
def _table() -> ctypes.Array[ctypes.c_void_p]:
    """Return the addresses of the functions of this process by the number of the statement; null where none is loaded."""
    return (ctypes.c_void_p * len(statements()))()


_loaded: set[str] = set()


def operation_table(used: Iterable[int]) -> ctypes.Array[ctypes.c_void_p]:
    """Return the addresses of the native functions by the number of the statement; at least those in ``used`` are there.

    Args:
        used: numbers of instructions of the machine that are operations of the table.

    Raises:
        NativeCodeError: if Warp's clang does not compile a unit.
    """
    table, by_statement = _table(), _unit_by_statement()
    for name in sorted({by_statement[instruction - FIRST_OPERATION] for instruction in used} - _loaded):
        numbers = _units()[name]
        code = load(unit_text(numbers), (), f"simt_{name}", optimization=2 if name.startswith("common") else 0)
        functions = (ctypes.c_void_p * len(numbers)).from_address(code.address("simt_operations"))
        for statement, function in zip(numbers, functions, strict=True):
            table[statement] = function
        _loaded.add(name)
    return table
