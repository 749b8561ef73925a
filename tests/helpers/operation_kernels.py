"""Kernels of PTX that apply one operation of the table to many elements, for the machine and for devices."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from operand_bits import corners, draw, width
from warpsmith.simt.operations import table
from warpsmith.simt.operations.operand_types import MEMBERS
from warpsmith.simt.operations.operation import Operation

LUT = 0x96
"""The immediate table of ``lop3``."""

BLOCK = 128

REGISTERS = {"pred": "p", "f32": "f", "f64": "d"}
SIXTEEN_BITS = "bhkc"
"""The members of ``union V`` whose values are in registers of 16 bits."""

DECLARATIONS = """
    .reg .pred %p<12>; .reg .b16 %h<12>; .reg .b32 %r<12>; .reg .b64 %l<12>; .reg .f32 %f<12>; .reg .f64 %d<12>;
    .reg .b32 %i, %n, %t, %c; .reg .b64 %a, %b, %v, %s, %o, %x; .reg .pred %q;
"""
START = """
    ld.param.u64 %s, [sources]; ld.param.u64 %o, [results]; ld.param.u64 %x, [carries]; ld.param.u32 %n, [count];
    mov.u32 %i, %ctaid.x; mov.u32 %t, %ntid.x; mov.u32 %c, %tid.x; mad.lo.u32 %i, %i, %t, %c;
    setp.ge.u32 %q, %i, %n;
    @%q ret;
    mul.wide.u32 %a, %i, 4; add.u64 %x, %x, %a; ld.global.u32 %c, [%x];
"""
LOADS = {"h": "cvt.u16.u64 {}, %v;", "r": "cvt.u32.u64 {}, %v;", "l": "mov.b64 {}, %v;", "d": "mov.b64 {}, %v;",
         "f": "cvt.u32.u64 %t, %v; mov.b32 {}, %t;", "p": "and.b64 %v, %v, 1; setp.ne.u64 {}, %v, 0;"}  # fmt: skip
STORES = {"h": "cvt.u64.u16 %v, {};", "r": "cvt.u64.u32 %v, {};", "l": "mov.b64 %v, {};", "d": "mov.b64 %v, {};",
          "f": "mov.b32 %t, {}; cvt.u64.u32 %v, %t;", "p": "selp.u64 %v, 1, 0, {};"}  # fmt: skip


def register(kind: str, place: int) -> str:
    """Return the name of a register for a type."""
    bits = {"w": "r", "i": "r", "u": "l", "s": "l"} | dict.fromkeys(SIXTEEN_BITS, "h")
    return f"%{REGISTERS.get(kind) or bits[MEMBERS[kind]]}{place}"


def ptx_line(opcode: str) -> str:
    """Return an instruction with registers of the types that its row states: sources from 0, results from 8."""
    row = table.operation(opcode)
    sources = [register(kind, place) for place, kind in enumerate(row.source_types)]
    if opcode.startswith("lop3"):
        sources[3] = hex(LUT)  # has to be an immediate
    results = [register(kind, place) for place, kind in enumerate(row.result_types, 8)]
    return f"{opcode} {'|'.join(results)}, {', '.join(sources)};"


def kernel_text(name: str, opcode: str) -> str:
    """Return the kernel that applies an operation to each element.

    Its parameters: sources and results as rows of 8 bytes for each element, the carries before and after, and the number of
    elements.
    """
    row = table.operation(opcode)
    lines = [DECLARATIONS, START]
    for place, kind in enumerate(row.source_types):
        lines += [f"    mad.lo.u32 %t, %n, {place}, %i; mul.wide.u32 %a, %t, 8; add.u64 %b, %s, %a; ld.global.u64 %v, [%b];"]
        lines += ["    " + _form(LOADS, register(kind, place))]
    lines += [*_carry_in(row), f"    {ptx_line(opcode)}", *_carry_out(row)]
    for place, kind in enumerate(row.result_types):
        lines += ["    " + _form(STORES, register(kind, 8 + place))]
        lines += [f"    mad.lo.u32 %t, %n, {place}, %i; mul.wide.u32 %a, %t, 8; add.u64 %b, %o, %a; st.global.u64 [%b], %v;"]
    parameters = ".param .u64 sources, .param .u64 results, .param .u64 carries, .param .u32 count"
    return "\n".join([f".visible .entry {name}({parameters})", "{", *lines, "    ret;", "}", ""])


def module_text(opcodes: Sequence[str]) -> str:
    """Return a module with the kernel ``k0`` for the first operation, and so on."""
    kernels = (kernel_text(f"k{number}", opcode) for number, opcode in enumerate(opcodes))
    return "\n".join([".version 8.1\n.target sm_90\n.address_size 64\n", *kernels])


@lru_cache(maxsize=1)
def elements(opcode: str, count: int) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Return sources and carries for an operation, always the same: combinations of corners, then drawn values.

    Returns:
        sources of shape (sources, elements) as bits, whose bytes above the type are noise; carries of shape (elements,).
    """
    kinds = table.operation(opcode).source_types
    stream = random.Random(opcode)  # noqa: S311 - not for secrets
    lanes = [[first, *(stream.choice(corners(kind)) for kind in kinds[1:])] for first in corners(kinds[0]) for _ in range(8)]
    lanes += [[draw(stream, kind) for kind in kinds] for _ in range(count - len(lanes))]
    if opcode.startswith("lop3"):
        lanes = [[*lane[:3], LUT, *lane[4:]] for lane in lanes]
    noise = [0xA5A5A5A5A5A5A5A5 >> size << size for size in (max(width(kind), 8) for kind in kinds)]
    rows = [[bits | above for bits in column] for column, above in zip(zip(*lanes, strict=True), noise, strict=True)]
    carries = [stream.getrandbits(1) for _ in lanes]
    return np.array(rows, np.uint64), np.array(carries, np.uint32)


def _form(forms: dict[str, str], name: str) -> str:
    return forms[name[1]].format(name)


def _carry_in(row: Operation) -> list[str]:
    base = row.opcode.partition(".")[0]
    if base == "subc":
        return ["    sub.cc.u32 %t, 0, %c;"]
    return ["    add.cc.u32 %t, %c, 0xffffffff;"] if base in ("addc", "madc") else []


def _carry_out(row: Operation) -> list[str]:
    if ".cc." not in row.opcode:
        return []
    borrows = row.opcode.startswith("sub")
    read = "subc.u32 %c, 0, 0; neg.s32 %c, %c;" if borrows else "addc.u32 %c, 0, 0;"
    return [f"    {read} st.global.u32 [%x], %c;"]
