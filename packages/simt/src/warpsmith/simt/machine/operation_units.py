"""The statements of the table as native functions, in units that are compiled when a kernel needs one of their operations.

Clang takes about 20 ms for a statement and there are two thousand, so that one unit of all would take most of a minute. The unit
``common`` contains what most kernels consist of; the other units contain what is left, by base instruction.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from functools import cache

from warpsmith.simt.lowering.encoding import FIRST_OPERATION
from warpsmith.simt.machine.native_code import load
from warpsmith.simt.machine.source_files import instruction_text
from warpsmith.simt.operations.table import number, opcodes, statements

_COMMON = set(
    "mov add sub mul mad fma neg abs min max and or xor not shl shr selp setp cvt div rem sqrt rcp ex2 lg2 rsqrt shf lop3 prmt bfe bfi "
    "popc clz".split()
)
_COMMON_TYPES = set("b16 b32 b64 u8 u16 s16 u32 s32 u64 s64 f32 f64 pred".split())
_RARE = set("sat ftz cc and or xor rz rm rp NaN xorsign full rna rni2".split())
_LARGEST_UNIT = 150


def _unit_of(opcode: str) -> str:
    base, *modifiers = opcode.split(".")
    types = [modifier for modifier in modifiers if modifier[0] in "busf" and modifier[-1].isdigit()]
    common = base in _COMMON and not _RARE & set(modifiers) and set(types) <= _COMMON_TYPES
    return "common" if common or opcode == "not.pred" else base


@cache
def _units() -> dict[str, list[int]]:
    """Return the numbers of the statements of each unit."""
    units: dict[str, list[int]] = {}
    placed: set[int] = set()
    for opcode in sorted(opcodes(), key=lambda opcode: _unit_of(opcode) != "common"):
        statement = number(opcode)
        if statement not in placed:
            placed.add(statement)
            units.setdefault(_unit_of(opcode), []).append(statement)
    result = {}
    for name, numbers in units.items():
        for start in range(0, len(numbers), _LARGEST_UNIT if name != "common" else len(numbers)):
            result[f"{name}_{start // _LARGEST_UNIT}"] = numbers[
                start : start + (_LARGEST_UNIT if name != "common" else len(numbers))
            ]
    return result


@cache
def _unit_by_statement() -> dict[int, str]:
    return {statement: name for name, numbers in _units().items() for statement in numbers}


def unit_text(numbers: Iterable[int]) -> str:
    """Return the C++ of the statements with some numbers: a function for each, and their table."""
    texts = statements()
    functions = [f"OPERATION(operation_{number}, {texts[number]})" for number in numbers]
    names = ", ".join(f"operation_{number}" for number in numbers)
    return f"{instruction_text()}\n" + "\n".join(functions) + f'\nextern "C" Operation simt_operations[] = {{{names}}};\n'


_table = (ctypes.c_void_p * 0)()
_loaded: set[str] = set()


def operation_table(used: Iterable[int]) -> ctypes.Array[ctypes.c_void_p]:
    """Return the addresses of the native functions by the number of the statement; at least those in ``used`` are there.

    Args:
        used: numbers of instructions of the machine that are operations of the table.

    Raises:
        NativeCodeError: if Warp's clang does not compile a unit.
    """
    global _table  # noqa: PLW0603 - the functions of a process are loaded once
    if len(_table) == 0:
        _table = (ctypes.c_void_p * len(statements()))()
    by_statement = _unit_by_statement()
    for name in sorted({by_statement[number - FIRST_OPERATION] for number in used} - _loaded):
        numbers = _units()[name]
        code = load(unit_text(numbers), (), f"simt_{name}")
        functions = (ctypes.c_void_p * len(numbers)).from_address(code.address("simt_operations"))
        for statement, function in zip(numbers, functions, strict=True):
            _table[statement] = function
        _loaded.add(name)
    return _table
