"""Evaluation of single operations on NumPy arrays, by the code that the machine runs."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

import numpy as np

from warpsmith.simt.lowering.instruction_encoding import FIRST_OPERATION, NONE, ROW
from warpsmith.simt.machine.operation_units import operation_table
from warpsmith.simt.operations import table

LANES = 32
RESULTS = 2
SLOTS = 6
"""Slots of an instruction: two results, then four sources."""

FULL_MASK = 0xFFFFFFFF

NUMPY_TYPES = {
    "pred": np.uint8, "b8": np.uint8, "u8": np.uint8, "s8": np.int8,
    "b16": np.uint16, "u16": np.uint16, "s16": np.int16, "f16": np.uint16, "bf16": np.uint16,
    "b32": np.uint32, "u32": np.uint32, "s32": np.int32, "f32": np.float32,
    "f16x2": np.uint32, "bf16x2": np.uint32, "u16x2": np.uint32, "s16x2": np.uint32,
    "b64": np.uint64, "u64": np.uint64, "s64": np.int64, "f64": np.float64,
}  # fmt: skip
"""The NumPy types of operands; halves and packed types are bits."""


Array = np.ndarray[Any, Any]

_SIGNATURE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_void_p, ctypes.c_void_p)


class Evaluation(NamedTuple):
    """Results of an operation: an array each, the carries, and which elements divided an integer by zero."""

    results: tuple[np.ndarray[Any, Any], ...]
    carries: np.ndarray[Any, Any]
    divided_by_zero: np.ndarray[Any, Any]


def evaluate(opcode: str, *sources: Any, carry: Any = 0, mask: int = FULL_MASK, in_place: int | None = None) -> Evaluation:
    """Evaluate an operation on arrays.

    Args:
        opcode: the full opcode.
        sources: an array or a number for each source; arrays have one length.
        carry: the carry flags.
        mask: the lanes of each warp of 32 elements that run; results of the others are zero, or the source they replace.
        in_place: the place of the source that the first result replaces, if it replaces a source.

    Raises:
        UnsupportedOperation: if the table lacks the opcode.
    """
    row = table.operation(opcode)
    length = max(np.size(source) for source in sources)
    warps = -(-length // LANES)
    registers = np.zeros((warps, SLOTS, LANES), np.uint64)
    for index, (source, kind) in enumerate(zip(sources, row.source_types, strict=True)):
        registers[:, RESULTS + index] = _lanes(source, NUMPY_TYPES[kind], length, warps)
    carries = np.zeros((warps, LANES), np.uint32)
    carries.reshape(-1)[:length] = carry
    slots = (0 if in_place is None else RESULTS + in_place, *range(1, SLOTS))
    divided = _run(table.number(opcode), slots, registers, carries, mask)
    results = (
        _members(registers[:, slot].reshape(-1)[:length], NUMPY_TYPES[kind])
        for slot, kind in zip(slots, row.result_types, strict=False)
    )
    bits = np.unpackbits(divided.view(np.uint8), bitorder="little")[:length].astype(bool)
    return Evaluation(tuple(results), carries.reshape(-1)[:length], bits)


def _run(number: int, slots: tuple[int, ...], registers: Array, carries: Array, mask: int) -> Array:
    """Run the operation with a number for each warp, and return the masks of lanes that divided by zero."""
    words = (FIRST_OPERATION + number, NONE, 0, 0, *slots, *(NONE,) * (ROW - 4 - len(slots)))
    instruction = np.array(words, np.int32)
    function = _SIGNATURE(operation_table([FIRST_OPERATION + number])[number] or 0)
    divided = np.zeros(len(registers), "<u4")
    for warp in range(len(registers)):
        arrays = registers[warp], carries[warp], divided[warp : warp + 1]
        lanes, flags, zeros = (array.ctypes.data for array in arrays)
        function(lanes, instruction.ctypes.data, mask, flags, zeros)
    return divided


def _members(lanes: Array, kind: Any) -> Array:
    """Return the values of a type that are the low bytes of lanes."""
    size = np.dtype(kind).itemsize
    values: Array = lanes.copy().view(np.uint8).reshape(-1, 8)[:, :size].copy().view(kind)[:, 0]
    return values


def _lanes(values: Any, kind: Any, length: int, warps: int) -> Array:
    """Return the values as lanes of 8 bytes; bytes above the type are noise, which no operation may read."""
    lanes = np.full((warps * LANES, 8), 0xA5, np.uint8)
    typed = np.broadcast_to(np.asarray(values, kind), length).copy()
    lanes[:length, : typed.itemsize] = typed.view(np.uint8).reshape(length, -1)
    return lanes.view(np.uint64).reshape(warps, LANES)
