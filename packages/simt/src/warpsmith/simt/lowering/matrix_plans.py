"""Plans of instructions that a whole warp executes on matrices: mma, wmma, ldmatrix, stmatrix, movmatrix."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from warpsmith.simt.lowering.function_lowering import FunctionLowering, Plan
from warpsmith.simt.lowering.instruction_encoding import ELEMENTS, LAYOUTS, NONE, PRODUCTS
from warpsmith.simt.ptx.statements import members
from warpsmith.simt.ptx.syntax import UnsupportedPtx

LANES = 32
ALL_LANES = 0xFFFFFFFF

_BITS = {"b1": 1, "s4": 4, "u4": 4, "s8": 8, "u8": 8, "e4m3": 8, "e5m2": 8, "f16": 16, "bf16": 16, "f64": 64}
_SHAPE = re.compile(r"m(\d+)n(\d+)k(\d+)$")
_INTEGERS_OF_8, _INTEGERS_OF_4 = "m8n8k16 m16n8k16 m16n8k32", "m8n8k32 m16n8k32 m16n8k64"
_MMA_SHAPES = {
    "f16": "m16n8k8 m16n8k16", "bf16": "m16n8k8 m16n8k16", "tf32": "m16n8k4 m16n8k8",
    "f64": "m8n8k4 m16n8k4 m16n8k8 m16n8k16", "s8": _INTEGERS_OF_8, "u8": _INTEGERS_OF_8,
    "s4": _INTEGERS_OF_4, "u4": _INTEGERS_OF_4, "b1": "m8n8k128 m16n8k128 m16n8k256",
    "e4m3": "m16n8k16 m16n8k32", "e5m2": "m16n8k16 m16n8k32",
}  # fmt: skip
_HALF_SHAPES = "m16n16k16 m32n8k16 m8n32k16"
_WMMA_SHAPES = {
    **dict.fromkeys(("f16", "bf16", "s8", "u8"), _HALF_SHAPES),
    "tf32": "m16n16k8", "f64": "m8n8k4", "s4": "m8n8k32", "u4": "m8n8k32", "b1": "m8n8k128",
}  # fmt: skip
_MODIFIERS = {"b1": ("xor", "and", "popc"), "f64": ("rn",), **dict.fromkeys(("s8", "u8", "s4", "u4"), ("satfinite",))}
_FAMILIES = ({"s8", "u8"}, {"s4", "u4"}, {"e4m3", "e5m2"})
"""Types of factors that one product may mix."""

_SINGLE_LAYOUT = ("s4", "u4", "b1")
"""Factors of `wmma` whose first matrix is stored by rows and whose second one is stored by columns."""

_SUMS = {
    "f16": ("f16", "f32"), "e4m3": ("f16", "f32"), "e5m2": ("f16", "f32"), "bf16": ("f32",), "tf32": ("f32",), "f64": ("f64",),
    "s8": ("s32",), "u8": ("s32",), "s4": ("s32",), "u4": ("s32",), "b1": ("s32",),
}  # fmt: skip


@dataclass(frozen=True)
class Fragment:
    """The part of a matrix that each lane has in registers.

    Attributes:
        layout: one of `LAYOUTS`.
        element: one of `ELEMENTS`.
        rows: of the matrix.
        columns: of the matrix.
        is_factor: whether it is the first or second operand of a product.
    """

    layout: str
    element: str
    rows: int
    columns: int
    is_factor: bool

    @property
    def bits(self) -> int:
        """The bits of an element."""
        return _BITS.get(self.element, 32)

    @property
    def registers(self) -> int:
        """The number of registers of a lane. Factors of ``.f16`` of `wmma` have eight for all shapes."""
        if self.layout == "WMMA" and self.element == "f16" and self.is_factor:
            return 8
        return max(self.rows * self.columns * self.bits // (LANES * max(self.bits, 32)), 1)

    def words(self, slots: Sequence[int]) -> tuple[int, ...]:
        """Return the description for the machine."""
        head = (LAYOUTS.index(self.layout), ELEMENTS.index(self.element), self.bits, self.rows, self.columns, len(slots))
        return (*head, *slots)


def _table(lowering: FunctionLowering, fragments: Sequence[Fragment], operands: Sequence[str], written: int = 0) -> int:
    """Add the descriptions of operands to the tables and return where they start; the first ``written`` ones are results."""
    tables = lowering.layout.program.tables
    words: list[int] = []
    for index, (fragment, operand) in enumerate(zip(fragments, operands, strict=True)):
        slot_of = lowering.target if index < written else lowering.source
        slots = [slot_of(member) for member in members(operand)]
        if len(slots) != fragment.registers:
            raise ValueError
        words += fragment.words(slots)
    tables.extend(words)
    return len(tables) - len(words)


def _all_lanes(lowering: FunctionLowering) -> int:
    """Return the slot of the member mask of a whole warp."""
    return lowering.layout.constant(ALL_LANES)


def plan_product(opcode: str) -> Plan:
    """Return the plan of ``mma`` and ``wmma.mma``."""
    parts = opcode.split(".")
    is_wmma = parts[0] == "wmma"
    shape = next(found for part in parts if (found := _SHAPE.match(part)))
    rows, columns, depth = map(int, shape.groups())
    types = [part for part in parts if part in ELEMENTS]
    if is_wmma and len(types) == 2:  # of the sums; the factors are halves
        types = [types[0], "f16", "f16", types[1]]
    result, left, right, addend = types
    if not _supports(parts, shape[0], is_wmma, (result, left, right, addend)):
        raise UnsupportedPtx(opcode)
    layouts = ("WMMA",) * 3 if is_wmma else ("A", "B", "C")
    fragments = (
        Fragment(layouts[2], result, rows, columns, False),
        Fragment(layouts[0], left, rows, depth, True),
        Fragment(layouts[1], right, depth, columns, True),
        Fragment(layouts[2], addend, rows, columns, False),
    )
    mode = next((PRODUCTS.index(part) for part in parts if part in PRODUCTS), 0)

    def encode(lowering: FunctionLowering, operands: list[str]) -> None:
        table = _table(lowering, fragments, operands, written=1)
        slots = (NONE, NONE, NONE, NONE, NONE, _all_lanes(lowering), table)
        lowering.emit("mma", slots, "tensor", mode=mode, flags=int("satfinite" in parts))

    return encode


def _supports(parts: list[str], shape: str, is_wmma: bool, types: tuple[str, ...]) -> bool:
    """Return whether a product has a shape, types and modifiers that PTX has."""
    result, left, right, addend = types
    shapes = (_WMMA_SHAPES if is_wmma else _MMA_SHAPES)[left]
    modifiers = _MODIFIERS.get(left, ())
    named = [part for part in parts if part in ELEMENTS]
    by_rows_and_columns = not is_wmma or left in _SINGLE_LAYOUT
    layouts = [part for part in parts if part in ("row", "col")]
    return (
        shape in shapes.split()
        and (left == right or (not is_wmma and any({left, right} <= family for family in _FAMILIES)))
        and {result, addend} <= set(_SUMS[left])
        and (result == addend or is_wmma)
        and len(named) == (2 if is_wmma and left == "f16" else 4)
        and {"sync", "aligned"} <= set(parts[1:]) <= {"mma", "sync", "aligned", "row", "col", shape, *types, *modifiers}
        and (left != "b1" or len({"xor", "and"} & set(parts)) == 1)
        and (layouts == ["row", "col"] if by_rows_and_columns else len(layouts) == 2)
    )


def plan_fragment(opcode: str) -> Plan:
    """Return the plan of the instructions `wmma`: loads, stores and products."""
    parts = opcode.split(".")
    if parts[1] == "mma":
        return plan_product(opcode)
    operand, element = parts[2], parts[-1]
    shape = next(found for part in parts if (found := _SHAPE.match(part)))
    sizes = dict(zip("mnk", map(int, shape.groups()), strict=True))
    factors = [factor for factor, shapes in _WMMA_SHAPES.items() if shape[0] in shapes.split()]
    allowed = factors if operand in "ab" else [sums for factor in factors for sums in _SUMS[factor]]
    operands_of = {"load": ("a", "b", "c"), "store": ("d",)}
    stored_otherwise = element in _SINGLE_LAYOUT and {"a": "row", "b": "col"}.get(operand, "row") not in parts
    if element not in allowed or "sync" not in parts or operand not in operands_of[parts[1]] or stored_otherwise:
        raise UnsupportedPtx(opcode)
    rows, columns = {"a": ("m", "k"), "b": ("k", "n")}.get(operand, ("m", "n"))
    fragment = Fragment("WMMA", element, sizes[rows], sizes[columns], operand in "ab")
    stores, by_columns = parts[1] == "store", int("col" in parts)

    def encode(lowering: FunctionLowering, operands: list[str]) -> None:
        address, registers = operands[:2] if stores else operands[1::-1]
        slot, offset, space, _ = lowering.address(address, parts)
        table = _table(lowering, (fragment,), (registers,), written=0 if stores else 1)
        stride = lowering.source(operands[2]) if len(operands) > 2 else NONE
        slots = (NONE, NONE, NONE, stride, slot, _all_lanes(lowering), table)
        name = "fragment_store" if stores else "fragment_load"
        lowering.emit(name, slots, "tensor", offset, space=space, mode=by_columns)

    return encode


def plan_rows(opcode: str) -> Plan:
    """Return the plan of ``ldmatrix`` and ``stmatrix``."""
    parts = opcode.split(".")
    if "m8n8" not in parts or parts[-1] != "b16":
        raise UnsupportedPtx(opcode)
    stores, count = (
        parts[0] == "stmatrix",
        next({"x1": 1, "x2": 2, "x4": 4}[part] for part in parts if part in ("x1", "x2", "x4")),
    )
    name, transposed = "matrix_store" if stores else "matrix_load", int("trans" in parts)

    def encode(lowering: FunctionLowering, operands: list[str]) -> None:
        address, registers = operands if stores else operands[::-1]
        slot, offset, space, _ = lowering.address(address, parts)
        slot_of = lowering.source if stores else lowering.target
        matrices = tuple(slot_of(member) for member in members(registers))
        if len(matrices) != count:
            raise ValueError
        slots = (*matrices, *(NONE,) * (4 - count), slot, _all_lanes(lowering))
        lowering.emit(name, slots, "tensor", offset, count=count, space=space, mode=transposed)

    return encode


def plan_transposition(opcode: str) -> Plan:
    """Return the plan of ``movmatrix``."""
    if opcode != "movmatrix.sync.aligned.m8n8.trans.b16":
        raise UnsupportedPtx(opcode)

    def encode(lowering: FunctionLowering, operands: list[str]) -> None:
        slots = (lowering.target(operands[0]), NONE, lowering.source(operands[1]), NONE, NONE, _all_lanes(lowering))
        lowering.emit("matrix_move", slots, "tensor")

    return encode
