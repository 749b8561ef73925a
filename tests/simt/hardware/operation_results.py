"""Results of every operation on the same elements, by the machine, by a CUDA device, and as an H200 recorded them."""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from expected_bits import accepts
from number_formats import FORMATS
from operation_kernels import BLOCK, elements, module_text
from operation_truths import truth
from warpsmith.gpu_checks.cuda_driver import DeviceModule
from warpsmith.simt.machine.evaluation import NUMPY_TYPES, evaluate
from warpsmith.simt.operations import table

RECORD = Path(__file__).parent / "h200.json"
COUNT = 256

MOST_NEGATIVE = 0x80000000
Array = np.ndarray[Any, Any]
Results = dict[str, Array]
"""The bits of the results by opcode: an array of shape (results and the carry, elements)."""


def by_machine(opcode: str) -> Array:
    """Return the results of the machine."""
    row, (sources, carries) = table.operation(opcode), elements(opcode, COUNT)
    typed = [low_bytes(bits, NUMPY_TYPES[kind]) for bits, kind in zip(sources, row.source_types, strict=True)]
    evaluation = evaluate(opcode, *typed, carry=carries)
    results = [result.view(f"u{result.dtype.itemsize}").astype(np.uint64) for result in evaluation.results]
    return np.array([*results, evaluation.carries.astype(np.uint64)])


def by_device(opcodes: Sequence[str]) -> Results:
    """Return the results of the first CUDA device."""
    module, found = DeviceModule(module_text(opcodes)), {}
    for number, opcode in enumerate(opcodes):
        row, (sources, carries) = table.operation(opcode), elements(opcode, COUNT)
        space, count = np.zeros((len(row.result_types), COUNT), np.uint64), np.uint32(COUNT).tobytes()
        arrays = module.launch(f"k{number}", -(-COUNT // BLOCK), BLOCK, [sources, space, carries, count])
        results = [low_bits(words, kind).astype(np.uint64) for words, kind in zip(arrays[1], row.result_types, strict=True)]
        found[opcode] = np.array([*results, arrays[2].astype(np.uint64)])
    return found


def low_bytes(bits: Array, kind: Any) -> Array:
    """Return the values of a type in the low bytes of each element."""
    size = np.dtype(kind).itemsize
    values: Array = bits.view(np.uint8).reshape(-1, 8)[:, :size].copy().view(kind)[:, 0]
    return values


def low_bits(bits: Array, kind: str) -> Array:
    """Return the bits of a PTX type in the low bytes of each element."""
    return low_bytes(bits, f"u{np.dtype(NUMPY_TYPES[kind]).itemsize}")


def comparable(opcode: str, results: Array) -> Array:
    """Return results with one NaN for each type and zeros where PTX leaves the result open."""
    row, (sources, _) = table.operation(opcode), elements(opcode, COUNT)
    kinds = ["f32" if "tf32" in opcode else kind for kind in row.result_types]
    kept = np.array([*(one_nan(bits, kind) for bits, kind in zip(results, kinds, strict=False)), results[-1]])
    kept[:, is_open(opcode, sources)] = 0
    return kept


def one_nan(bits: Array, kind: str) -> Array:
    """Return the bits of numbers with one NaN."""
    if kind.endswith("x2"):
        low, high = (one_nan(half, kind[:-2]) for half in (bits & np.uint64(0xFFFF), bits >> np.uint64(16)))
        return low | high << np.uint64(16)
    if kind not in FORMATS:
        return bits
    form = FORMATS[kind]
    return np.where((bits & np.uint64(form.sign - 1)) > np.uint64(form.largest + 1), np.uint64(form.nan), bits)


def is_open(opcode: str, sources: Array) -> Array:
    """Return for which elements PTX, or NVIDIA's document of it, does not say what the result is."""
    base = opcode.partition(".")[0]
    if base in ("div", "rem") and opcode[-3] in "us":  # by zero
        return low_bytes(sources[1], f"u{int(opcode[-2:]) // 8}") == 0
    if base == "fns":  # the opposite of this number does not exist
        return low_bytes(sources[2], np.uint32) == MOST_NEGATIVE
    if "rna" in opcode:  # of NaN, infinity or a finite number, if the upper bits of its payload are zero
        return one_nan(sources[0] & np.uint64(0xFFFFFFFF), "f32") == FORMATS["f32"].nan
    return np.zeros(COUNT, bool)


def unexpected(opcode: str, results: Array) -> Iterator[str]:
    """Yield each result that its truth does not accept."""
    row, (sources, carries) = table.operation(opcode), elements(opcode, COUNT)
    columns = [low_bits(words, kind) for words, kind in zip(sources, row.source_types, strict=True)]
    expected = truth(opcode)
    for place in np.flatnonzero(~is_open(opcode, sources)):
        lane = [
            int(column[place]) & (1 if kind == "pred" else -1) for column, kind in zip(columns, row.source_types, strict=True)
        ]
        values, _ = expected(lane, int(carries[place]))
        bits = [int(result[place]) for result in results[:-1]]
        if not all(accepts(value, found) for value, found in zip(values, bits, strict=True)):
            yield f"{opcode} of {[*map(hex, lane)]} is {[*map(hex, bits)]}"


def digest(opcode: str, results: Array) -> str:
    """Return a short digest of comparable results."""
    return hashlib.sha256(comparable(opcode, results).tobytes()).hexdigest()[:16]


def packed(results: Array) -> str:
    """Return results as a text."""
    return base64.b85encode(zlib.compress(np.ascontiguousarray(results).tobytes(), 9)).decode()


def unpacked(text: str) -> Array:
    """Return the results of a text."""
    results: Array = np.frombuffer(zlib.decompress(base64.b85decode(text)), np.uint64).reshape(-1, COUNT)
    return results


@cache
def record() -> dict[str, Any]:
    """Return the record of an H200.

    Keys: ``device``, ``driver``, ``digests`` by opcode, and ``approximate``: the results where the machine has others.
    """
    content: dict[str, Any] = json.loads(RECORD.read_text())
    return content
