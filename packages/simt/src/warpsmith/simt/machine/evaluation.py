"""Evaluation of single operations on NumPy arrays, by the code that the machine runs."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from warpsmith.simt.machine.lane_operations import load_operations
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


@cache
def _run_operation() -> Any:
    pointers = [ctypes.c_void_p] * 7
    function = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_uint32, *pointers, ctypes.c_uint32)
    return function(load_operations().address("run_operation"))


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
    row, number, run = table.operation(opcode), table.number(opcode), _run_operation()
    length = max(np.size(source) for source in sources)
    warps = -(-length // LANES)
    lanes = [_lanes(source, NUMPY_TYPES[kind], length, warps) for source, kind in zip(sources, row.source_types, strict=True)]
    results = [np.zeros(warps * LANES, np.uint64) for _ in row.result_types]
    carries = np.zeros(warps * LANES, np.uint32)
    carries[:length] = carry
    arrays = [*_padded(results, 2), *_padded(lanes, 4), carries]
    steps = [LANES * array.itemsize if array is not None else 0 for array in arrays]
    starts = [array.ctypes.data if array is not None else 0 for array in arrays]
    divided = [
        run(number, *(start + warp * step for start, step in zip(starts, steps, strict=True)), mask) for warp in range(warps)
    ]
    members = (
        result.view(np.uint8)
        .reshape(-1, 8)[:length, : np.dtype(NUMPY_TYPES[kind]).itemsize]
        .copy()
        .view(NUMPY_TYPES[kind])[:, 0]
        for result, kind in zip(results, row.result_types, strict=True)
    )
    bits = np.unpackbits(np.array(divided, "<u4").view(np.uint8), bitorder="little")[:length].astype(bool)
    return Evaluation(tuple(members), carries[:length], bits)


def _lanes(values: Any, kind: Any, length: int, warps: int) -> np.ndarray[Any, Any]:
    """Return the values as lanes of 8 bytes; bytes above the type are noise, which no operation may read."""
    lanes = np.full((warps * LANES, 8), 0xA5, np.uint8)
    typed = np.broadcast_to(np.asarray(values, kind), length).copy()
    lanes[:length, : typed.itemsize] = typed.view(np.uint8).reshape(length, -1)
    return lanes.reshape(-1).view(np.uint64)


def _padded(arrays: list[np.ndarray[Any, Any]], count: int) -> list[np.ndarray[Any, Any] | None]:
    return [*arrays, *[None] * (count - len(arrays))]
