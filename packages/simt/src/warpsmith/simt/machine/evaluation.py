"""Evaluation of single operations on NumPy arrays, by the code that the machine runs."""

from __future__ import annotations

import ctypes
from typing import Any, NamedTuple

import numpy as np

from warpsmith.simt.lowering.instruction_encoding import FIRST_OPERATION
from warpsmith.simt.lowering.instruction_encoding import row as encode_row
from warpsmith.simt.machine.operation_units import operation_table
from warpsmith.simt.operations import table

LANES = 32
FULL_MASK = 0xFFFFFFFF

NUMPY_TYPES = {
    "pred": np.uint8, "b8": np.uint8, "u8": np.uint8, "s8": np.int8,
    "b16": np.uint16, "u16": np.uint16, "s16": np.int16, "f16": np.uint16, "bf16": np.uint16,
    "b32": np.uint32, "u32": np.uint32, "s32": np.int32, "f32": np.float32,
    "f16x2": np.uint32, "bf16x2": np.uint32, "u16x2": np.uint32, "s16x2": np.uint32,
    "b64": np.uint64, "u64": np.uint64, "s64": np.int64, "f64": np.float64,
}  # fmt: skip
"""The NumPy types of operands; halves and packed types are bits."""


class Evaluation(NamedTuple):
    """Results of an operation: an array each, the carries, and which elements divided an integer by zero."""

    results: tuple[np.ndarray[Any, Any], ...]
    carries: np.ndarray[Any, Any]
    divided_by_zero: np.ndarray[Any, Any]


def evaluate(opcode: str, *sources: Any, carry: Any = 0, mask: int = FULL_MASK) -> Evaluation:
    """Evaluate an operation on arrays.

    Args:
        opcode: the full opcode.
        sources: an array or a number for each source; arrays have one length.
        carry: the carry flags.
        mask: the lanes of each warp of 32 elements that run; results of the others are zero.

    Raises:
        UnsupportedOperation: if the table lacks the opcode.
    """
    row, number = table.operation(opcode), table.number(opcode)
    length = max(np.size(source) for source in sources)
    warps = -(-length // LANES)
    slots = [np.zeros(warps * LANES, np.uint64) for _ in range(6)]
    for index, (source, kind) in enumerate(zip(sources, row.source_types, strict=True)):
        slots[2 + index] = _lanes(source, NUMPY_TYPES[kind], length, warps)
    registers = np.stack([slot.reshape(warps, LANES) for slot in slots], axis=1).copy()
    carries = np.zeros(warps * LANES, np.uint32)
    carries[:length] = carry
    encoded = np.array(encode_row(FIRST_OPERATION + number, slots=tuple(range(6))), np.int32)
    address = operation_table([FIRST_OPERATION + number])[number]
    function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 2, ctypes.c_uint32, *[ctypes.c_void_p] * 2)(address or 0)
    divided = np.zeros(warps, "<u4")
    for warp in range(warps):
        lanes = registers[warp].ctypes.data, encoded.ctypes.data
        function(*lanes, mask, carries[warp * LANES :].ctypes.data, divided[warp:].ctypes.data)
    results = [registers[:, index].reshape(-1).copy() for index in range(len(row.result_types))]
    members = (
        result.view(np.uint8)
        .reshape(-1, 8)[:length, : np.dtype(NUMPY_TYPES[kind]).itemsize]
        .copy()
        .view(NUMPY_TYPES[kind])[:, 0]
        for result, kind in zip(results, row.result_types, strict=True)
    )
    bits = np.unpackbits(divided.view(np.uint8), bitorder="little")[:length].astype(bool)
    return Evaluation(tuple(members), carries[:length], bits)


def _lanes(values: Any, kind: Any, length: int, warps: int) -> np.ndarray[Any, Any]:
    """Return the values as lanes of 8 bytes; bytes above the type are noise, which no operation may read."""
    lanes = np.full((warps * LANES, 8), 0xA5, np.uint8)
    typed = np.broadcast_to(np.asarray(values, kind), length).copy()
    lanes[:length, : typed.itemsize] = typed.view(np.uint8).reshape(length, -1)
    return lanes.reshape(-1).view(np.uint64)
