"""Matrix instructions: the fragments of mma follow the tables of the PTX ISA, products are those of NumPy."""

from __future__ import annotations

import itertools
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from warpsmith.simt import Module, Run, UnsupportedPtx, compile_ptx
from warpsmith.simt.lowering.plans import plan

Place = Callable[[int, int, int], tuple[int, int]]
"""Row and column of element i of a lane, from its group (lane / 4), its number in the group, and i."""


def sums_of_16_rows(g: int, t: int, i: int) -> tuple[int, int]:
    return g if i < 2 else g + 8, t * 2 + (i & 1)


def sums_of_8_rows(g: int, t: int, i: int) -> tuple[int, int]:
    return g, t * 2 + i


# Section "Matrix Fragments for mma" of the PTX ISA: operands A and B and the sums, for each shape and size of elements.
FRAGMENTS: dict[tuple[str, int], tuple[Place, Place, Place]] = {
    ("m16n8k8", 16): (
        lambda g, t, i: (g if i < 2 else g + 8, t * 2 + (i & 1)),
        lambda g, t, i: (t * 2 + i, g),
        sums_of_16_rows,
    ),
    ("m16n8k16", 16): (
        lambda g, t, i: (g if i < 2 or 4 <= i < 6 else g + 8, t * 2 + (i & 1) + (8 if i >= 4 else 0)),
        lambda g, t, i: (t * 2 + (i & 1) + (8 if i >= 2 else 0), g),
        sums_of_16_rows,
    ),
    ("m16n8k4", 32): (lambda g, t, i: (g if i == 0 else g + 8, t), lambda g, t, _: (t, g), sums_of_16_rows),
    ("m16n8k8", 32): (
        lambda g, t, i: (g if i in (0, 2) else g + 8, t if i < 2 else t + 4),
        lambda g, t, i: (t if i == 0 else t + 4, g),
        sums_of_16_rows,
    ),
    ("m8n8k4", 64): (lambda g, t, _: (g, t), lambda g, t, _: (t, g), sums_of_8_rows),
    ("m16n8k4", 64): (lambda g, t, i: (g if i == 0 else g + 8, t), lambda g, t, _: (t, g), sums_of_16_rows),
    ("m16n8k8", 64): (
        lambda g, t, i: (g if i in (0, 2) else g + 8, t if i < 2 else t + 4),
        lambda g, t, i: (t if i == 0 else t + 4, g),
        sums_of_16_rows,
    ),
    ("m16n8k16", 64): (
        lambda g, t, i: (g, i * 2 + t) if i % 2 == 0 else (g + 8, i * 2 - 2 + t),
        lambda g, t, i: (t + i * 4, g),
        sums_of_16_rows,
    ),
    ("m8n8k16", 8): (lambda g, t, i: (g, t * 4 + i), lambda g, t, i: (t * 4 + i, g), sums_of_8_rows),
    ("m16n8k16", 8): (
        lambda g, t, i: (g if i < 4 else g + 8, t * 4 + (i & 3)),
        lambda g, t, i: (t * 4 + i, g),
        sums_of_16_rows,
    ),
    ("m16n8k32", 8): (
        lambda g, t, i: (g if i < 4 or 8 <= i < 12 else g + 8, t * 4 + (i & 3) + (16 if i >= 8 else 0)),
        lambda g, t, i: (t * 4 + (i & 3) + (16 if i >= 4 else 0), g),
        sums_of_16_rows,
    ),
    ("m16n8k64", 4): (
        lambda g, t, i: (g if i < 8 or 16 <= i < 24 else g + 8, t * 8 + (i & 7) + (32 if i >= 16 else 0)),
        lambda g, t, i: (t * 8 + (i & 7) + (32 if i >= 8 else 0), g),
        sums_of_16_rows,
    ),
    ("m16n8k256", 1): (
        lambda g, t, i: (g if i < 32 or 64 <= i < 96 else g + 8, t * 32 + (i & 31) + (128 if i >= 64 else 0)),
        lambda g, t, i: (t * 32 + (i & 31) + (128 if i >= 32 else 0), g),
        sums_of_16_rows,
    ),
}
BITS = {"b1": 1, "s4": 4, "u4": 4, "s8": 8, "u8": 8, "f16": 16, "bf16": 16, "tf32": 32, "f32": 32, "s32": 32, "f64": 64}
REGISTER_TYPES = {"f32": "f", "f64": "d"}


def encode(values: np.ndarray, element: str) -> np.ndarray:
    """Return the bits of the elements of a matrix."""
    if element == "f16":
        return values.astype(np.float16).view(np.uint16).astype(np.uint64)
    if element in ("bf16", "tf32", "f32"):
        return (values.astype(np.float32).view(np.uint32) >> (16 if element == "bf16" else 0)).astype(np.uint64)
    if element == "f64":
        return values.astype(np.float64).view(np.uint64)
    return values.astype(np.int64).view(np.uint64) & np.uint64((1 << BITS[element]) - 1)


def decode(bits: np.ndarray, element: str) -> np.ndarray:
    kinds = {"f16": np.float16, "f32": np.float32, "f64": np.float64, "s32": np.int32}
    kind = np.dtype(kinds[element])
    return bits.astype(f"u{kind.itemsize}").view(kind)


def pack(matrix: np.ndarray, place: Place, element: str) -> np.ndarray:
    """Return the registers of all lanes for a matrix of bits."""
    bits = BITS[element]
    each = max(32 // bits, 1)
    count = max(matrix.size // 32, each)
    registers = np.zeros((32, count // each), np.uint64)
    for lane in range(32):
        for i in range(count):
            registers[lane, i // each] |= matrix[place(lane // 4, lane % 4, i)] << np.uint64(i % each * bits)
    return registers.astype(np.uint64 if bits == 64 else np.uint32)


def unpack(registers: np.ndarray, place: Place, element: str, rows: int) -> np.ndarray:
    bits = BITS[element]
    each = max(32 // bits, 1)
    matrix = np.zeros((rows, 8), np.uint64)
    for lane in range(32):
        for i in range(registers.shape[1] * each):
            word = registers[lane, i // each].astype(np.uint64)
            matrix[place(lane // 4, lane % 4, i)] = word >> np.uint64(i % each * bits) & np.uint64((1 << bits) - 1)
    return matrix


def product_kernel(opcode: str, counts: list[int], types: list[str]) -> str:
    """Return a kernel whose threads load the registers of three operands, and store those of the result."""
    lines, operands = [], []
    for index, (count, element) in enumerate(zip(counts, types, strict=True)):
        letter = REGISTER_TYPES.get(element, "r")
        size = BITS[element] if element == "f64" else 32
        kind = {"f": "f32", "d": "f64", "r": "b32"}[letter]
        names = [f"%{letter}{index}_{k}" for k in range(count)]
        lines.append(f".reg .{kind} {', '.join(names)};")
        operands.append("{" + ", ".join(names) + "}")
        lines.append(f"ld.param.u64 %p{index}, [p{index}]; mad.wide.u32 %p{index}, %t, {count * size // 8}, %p{index};")
        if index:
            lines += [f"ld.global.{kind} {name}, [%p{index}+{k * size // 8}];" for k, name in enumerate(names)]
        else:
            stores = [f"st.global.{kind} [%p{index}+{k * size // 8}], {name};" for k, name in enumerate(names)]
    parameters = ", ".join(f".param .u64 p{index}" for index in range(4))
    body = "\n".join([*lines, f"{opcode} {', '.join(operands)};", *stores])
    head = ".version 8.7\n.target sm_90\n.address_size 64\n"
    return (
        f"{head}.visible .entry product({parameters}) {{\n.reg .u64 %p<4>; .reg .u32 %t; mov.u32 %t, %tid.x;\n{body}\nret; }}"
    )


def multiply(
    opcode: str, left: np.ndarray, right: np.ndarray, addend: np.ndarray, element: str, sums: str, other: str = ""
) -> np.ndarray:
    """Run an mma and return the matrix that it computes."""
    shape = next(part for part in opcode.split(".") if part.startswith("m") and part[1].isdigit())
    places = FRAGMENTS[shape, BITS[element]]
    other = other or element
    words = [
        pack(encode(left, element), places[0], element),
        pack(encode(right, other), places[1], other),
        pack(encode(addend, sums), places[2], sums),
    ]
    counts = [word.shape[1] for word in words]
    kernel = product_kernel(opcode, [counts[2], *counts], [sums, element, other, sums])
    result = np.zeros_like(words[2])
    run = Module(kernel).launch("product", 1, 32, [result, *words])
    assert not run.findings
    return decode(unpack(run.arrays[0], places[2], sums, left.shape[0]), sums)


def sizes(shape: str) -> tuple[int, int, int]:
    rows, rest = shape[1:].split("n")
    columns, depth = rest.split("k")
    return int(rows), int(columns), int(depth)


@pytest.mark.parametrize(
    ("shape", "types"),
    [
        ("m16n8k8", "f32.f16.f16.f32"),
        ("m16n8k16", "f32.f16.f16.f32"),
        ("m16n8k16", "f16.f16.f16.f16"),
        ("m16n8k8", "f32.bf16.bf16.f32"),
        ("m16n8k16", "f32.bf16.bf16.f32"),
        ("m16n8k4", "f32.tf32.tf32.f32"),
        ("m16n8k8", "f32.tf32.tf32.f32"),
        ("m8n8k4", "f64.f64.f64.f64"),
        ("m16n8k4", "f64.f64.f64.f64"),
        ("m16n8k8", "f64.f64.f64.f64"),
        ("m16n8k16", "f64.f64.f64.f64"),
    ],
)
def test_float_products(shape: str, types: str) -> None:
    sums, element = types.split(".")[:2]
    rows, columns, depth = sizes(shape)
    rng = np.random.default_rng(1)
    left, right, addend = (rng.normal(size=size) for size in ((rows, depth), (depth, columns), (rows, columns)))
    if element != "f64":  # values that all types have
        left, right = (np.round(values * 32) / 32 for values in (left, right))
        addend = addend.astype(np.float16).astype(float)
    result = multiply(f"mma.sync.aligned.{shape}.row.col.{types}", left, right, addend, element, sums)
    if element == "bf16":
        left, right = ((encode(x, "bf16").astype(np.uint32) << 16).view(np.float32).astype(float) for x in (left, right))
    magnitude = np.abs(left) @ np.abs(right) + np.abs(addend)
    unit = {"f16": 2.0**-11, "f32": 2.0**-24, "f64": 2.0**-53}[sums]
    assert (np.abs(result - (left @ right + addend)) <= (depth + 1) * unit * magnitude).all()


def test_float_sums_are_rounded_once() -> None:
    left, right, addend = np.zeros((16, 8)), np.zeros((8, 8)), np.zeros((16, 8))
    left[0, :3], right[:3, 0] = (1, 1, -1), (2.0**14, 2.0**-11, 2.0**14)
    addend[0, 0] = 1
    result = multiply("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", left, right, addend, "f16", "f32")
    assert result[0, 0] == 1 + 2.0**-11
    left[1, 0], right[0, 1] = np.inf, 0
    result = multiply("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16", left, right, addend, "f16", "f16")
    assert np.isinf(result[1, 0])
    assert result.view(np.uint16)[1, 1] == 0x7FFF


def test_low_bits_of_tf32_do_not_count() -> None:
    left, right = np.zeros((16, 4), np.float32), np.zeros((4, 8))
    left[0, 0], right[0, 0] = np.nextafter(np.float32(1.5), np.float32(2)), 1
    result = multiply("mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", left, right, np.zeros((16, 8)), "tf32", "f32")
    assert result[0, 0] == 1.5


@pytest.mark.parametrize(
    ("shape", "left_type", "right_type"),
    [
        ("m8n8k16", "s8", "s8"),
        ("m16n8k16", "s8", "u8"),
        ("m16n8k16", "u8", "u8"),
        ("m16n8k32", "u8", "s8"),
        ("m16n8k64", "s4", "u4"),
    ],
)
def test_integer_products_are_exact(shape: str, left_type: str, right_type: str) -> None:
    rows, columns, depth = sizes(shape)
    rng = np.random.default_rng(2)
    bounds = {"s8": (-128, 128), "u8": (0, 256), "s4": (-8, 8), "u4": (0, 16)}
    left = rng.integers(*bounds[left_type], (rows, depth))
    right = rng.integers(*bounds[right_type], (depth, columns))
    addend = rng.integers(-(1 << 31), 1 << 31, (rows, columns))
    expected = left @ right + addend
    opcode = f"mma.sync.aligned.{shape}.row.col.s32.{left_type}.{right_type}.s32"
    result = multiply(opcode, left, right, addend, left_type, "s32", right_type)
    np.testing.assert_array_equal(result, expected.astype(np.int64).astype(np.int32))
    addend[0, 0], addend[1, 1] = (1 << 31) - 1, -(1 << 31)
    expected = np.clip(left @ right + addend, -(1 << 31), (1 << 31) - 1)
    result = multiply(opcode.replace(".col.", ".col.satfinite."), left, right, addend, left_type, "s32", right_type)
    np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize("action", ["xor", "and"])
def test_products_of_bits(action: str) -> None:
    rng = np.random.default_rng(3)
    left, right = rng.integers(0, 2, (16, 256)), rng.integers(0, 2, (256, 8))
    combined = (left[:, :, None] ^ right[None]) if action == "xor" else (left[:, :, None] & right[None])
    addend = rng.integers(-9, 9, (16, 8))
    opcode = f"mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.{action}.popc"
    np.testing.assert_array_equal(multiply(opcode, left, right, addend, "b1", "s32"), combined.sum(1) + addend)


ROWS = """
__global__ void rows(const unsigned short* x, unsigned* loaded, unsigned short* stored)
{{
    __shared__ __align__(16) unsigned short tile[{count} * 64];
    int lane = threadIdx.x;
    for (int k = lane; k < {count} * 64; k += 32)
        tile[k] = x[k];
    __syncwarp();
    unsigned r[4] = {{}};
    unsigned at = (unsigned)__cvta_generic_to_shared(tile + lane % ({count} * 8) * 8);
    asm volatile("ldmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 {{{names}}}, [%{count}];"
                 : {outputs} : "r"(at) : "memory");
    for (int k = 0; k < {count}; k++)
        loaded[k * 32 + lane] = r[k];
    __syncwarp();
    asm volatile("stmatrix.sync.aligned.m8n8.x{count}{trans}.shared.b16 [%0], {{{moved}}};" :: "r"(at), {inputs} : "memory");
    __syncwarp();
    for (int k = lane; k < {count} * 64; k += 32)
        stored[k] = tile[k];
}}
"""


@pytest.mark.parametrize("trans", ["", ".trans"])
@pytest.mark.parametrize("count", [1, 2, 4])
def test_rows_of_matrices(count: int, trans: str) -> None:
    source = ROWS.format(
        count=count,
        trans=trans,
        names=", ".join(f"%{k}" for k in range(count)),
        moved=", ".join(f"%{k + 1}" for k in range(count)),
        outputs=", ".join(f'"=r"(r[{k}])' for k in range(count)),
        inputs=", ".join(f'"r"(r[{k}])' for k in range(count)),
    )
    x = np.random.default_rng(4).integers(0, 1 << 16, (count, 8, 8)).astype(np.uint16)
    run = Module(compile_ptx(source)).launch("rows", 1, 32, [x, np.zeros((count, 32), np.uint32), np.zeros_like(x)])
    assert not run.findings
    seen = x.transpose(0, 2, 1) if trans else x
    expected = [
        [int(m[lane // 4, lane % 4 * 2]) | int(m[lane // 4, lane % 4 * 2 + 1]) << 16 for lane in range(32)] for m in seen
    ]
    np.testing.assert_array_equal(run.arrays[1], np.array(expected, np.uint32))
    np.testing.assert_array_equal(run.arrays[2], x)


def test_requests_of_rows_count_bank_conflicts() -> None:
    kernel = """
    __global__ void columns(unsigned* y) {
        __shared__ __align__(16) unsigned short tile[8 * PITCH];
        for (int k = threadIdx.x; k < 8 * PITCH; k += 32) tile[k] = k;
        __syncwarp();
        unsigned r, at = (unsigned)__cvta_generic_to_shared(tile + threadIdx.x % 8 * PITCH);
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(at) : "memory");
        y[threadIdx.x] = r;
    }"""
    passes = []
    for pitch in (64, 72):
        module = Module(compile_ptx(kernel, options=[f"-DPITCH={pitch}"]))
        counts = module.launch("columns", 1, 32, [np.zeros(32, np.uint32)]).counts
        stores = pitch * 8 // 32
        passes.append((counts.shared_requests - stores, counts.shared_passes - stores, counts.instructions["tensor"]))
    assert passes == [(1, 8, 1), (1, 1, 1)]


def test_transposition_in_registers() -> None:
    source = """
    __global__ void turn(unsigned* x) {
        unsigned r = x[threadIdx.x];
        asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r) : "r"(r));
        x[threadIdx.x] = r;
    }"""
    x = np.random.default_rng(5).integers(0, 1 << 16, (8, 8)).astype(np.uint16)
    run = Module(compile_ptx(source)).launch("turn", 1, 32, [x.view(np.uint32)])
    np.testing.assert_array_equal(run.arrays[0].view(np.uint16).reshape(8, 8), x.T)


WMMA = """
#include <mma.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
using namespace nvcuda;
__global__ void product(const STORED* a, const STORED* b, const SUM* c, SUM* d, int lda, int ldb, int ldc)
{
    wmma::fragment<wmma::matrix_a, M, N, K, ELEMENT, wmma::A_LAYOUT> left;
    wmma::fragment<wmma::matrix_b, M, N, K, ELEMENT, wmma::B_LAYOUT> right;
    wmma::fragment<wmma::accumulator, M, N, K, SUM> sums;
    wmma::load_matrix_sync(left, a, lda);
    wmma::load_matrix_sync(right, b, ldb);
    wmma::load_matrix_sync(sums, c, ldc, wmma::C_LAYOUT);
    wmma::mma_sync(sums, left, right, sums);
    wmma::store_matrix_sync(d, sums, ldc, wmma::C_LAYOUT);
}
"""


def run_wmma(
    element: str, shape: tuple[int, int, int], layouts: str, sums: str, stored: str = ""
) -> tuple[Run, list[np.ndarray]]:
    """Run a product of matrices with padded rows or columns; the letters of ``layouts`` are r or c for A, B and C."""
    rows, columns, depth = shape
    names = ["row_major" if letter == "r" else "col_major" for letter in layouts]
    macros = {"M": rows, "N": columns, "K": depth, "ELEMENT": element, "SUM": sums, "STORED": stored or element}
    macros |= {"A_LAYOUT": names[0], "B_LAYOUT": names[1], "C_LAYOUT": f"mem_{names[2]}"}
    options = [f"-D{name}={value}" for name, value in macros.items()]
    rng = np.random.default_rng(6)
    kinds = {"half": np.float16, "float": np.float32, "double": np.float64, "int": np.int32}
    kinds |= {"signed char": np.int8, "unsigned char": np.uint8, "__nv_bfloat16": np.uint16}
    arrays, matrices, strides = [], [], []
    sizes_of = ((rows, depth), (depth, columns), (rows, columns))
    for size, letter, name in zip(sizes_of, layouts, [stored or element, stored or element, sums], strict=True):
        low = 0 if name == "unsigned char" else -9
        values = rng.integers(low, 10, size)
        lines = values if letter == "r" else values.T
        padded = np.zeros((lines.shape[0], lines.shape[1] + 32))
        padded[:, : lines.shape[1]] = lines
        is_bfloat = name == "__nv_bfloat16"
        arrays.append(
            (padded.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16) if is_bfloat else padded.astype(kinds[name])
        )
        matrices.append(values)
        strides.append(padded.shape[1])
    module = Module(compile_ptx(WMMA, options=options, headers=True))
    return module.launch("product", 1, 32, [*arrays, np.zeros_like(arrays[2]), *strides]), matrices


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("element", "shape", "layouts", "sums", "stored"),
    [
        ("half", (16, 16, 16), "rrr", "float", ""),
        ("half", (32, 8, 16), "crc", "half", ""),
        ("half", (8, 32, 16), "rcr", "float", ""),
        ("__nv_bfloat16", (16, 16, 16), "rcc", "float", ""),
        ("__nv_bfloat16", (32, 8, 16), "rrr", "float", ""),
        ("__nv_bfloat16", (8, 32, 16), "ccr", "float", ""),
        ("signed char", (16, 16, 16), "rcr", "int", ""),
        ("unsigned char", (32, 8, 16), "crc", "int", ""),
        ("signed char", (8, 32, 16), "ccr", "int", ""),
        ("wmma::precision::tf32", (16, 16, 8), "rcc", "float", "float"),
        ("double", (8, 8, 4), "rcr", "double", ""),
    ],
)
def test_wmma(element: str, shape: tuple[int, int, int], layouts: str, sums: str, stored: str) -> None:
    """The values are small integers, so that all types have them and their sums."""
    run, (left, right, addend) = run_wmma(element, shape, layouts, sums, stored)
    assert not run.findings
    result = run.arrays[3][:, :-32]
    np.testing.assert_array_equal(result if layouts[2] == "r" else result.T, left @ right + addend)
    assert run.counts.instructions["tensor"] == 5


BRANCH = """
__global__ void part(unsigned* x, int threads)
{
    unsigned r = x[threadIdx.x];
    if (threadIdx.x < threads)
        asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(r) : "r"(r));
    x[threadIdx.x] = r;
}
"""


def test_a_whole_warp_is_needed() -> None:
    module = Module(compile_ptx(BRANCH))
    words = np.arange(32, dtype=np.uint32)
    assert not module.launch("part", 1, 32, [words, 32]).findings
    (finding,) = module.launch("part", 1, 32, [words, 20]).findings
    assert (finding.kind, finding.line) == ("absent_lane", 6)
    (finding,) = module.launch("part", 1, 20, [words, 32]).findings
    assert (finding.kind, finding.line) == ("absent_lane", 6)


def finding_of(run: Run) -> tuple[str, int, int]:
    (finding,) = run.findings
    return finding.kind, finding.argument, finding.element


def test_memory_of_matrices_is_checked() -> None:
    source = """
    __global__ void load(const float* x, float* y, int first, int stride) {
        float r[8];
        asm volatile("wmma.load.c.sync.aligned.row.m16n16k16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
            : "=f"(r[0]), "=f"(r[1]), "=f"(r[2]), "=f"(r[3]), "=f"(r[4]), "=f"(r[5]), "=f"(r[6]), "=f"(r[7])
            : "l"(x + first), "r"(stride) : "memory");
        for (int k = 0; k < 8; k++) y[threadIdx.x * 8 + k] = r[k];
    }"""
    module = Module(compile_ptx(source))
    x, y = np.arange(16 * 20, dtype=np.float32), np.zeros(256, np.float32)
    run = module.launch("load", 1, 32, [x, y, 0, 20])
    assert not run.findings
    assert sorted(run.arrays[1]) == sorted(x.reshape(16, 20)[:, :16].reshape(-1))
    assert run.counts.global_requests == 2 + 8
    assert finding_of(module.launch("load", 1, 32, [x, y, 8, 20])) == ("out_of_bounds", 0, 320)
    assert finding_of(module.launch("load", 1, 32, [x, y, 4, 16])) == ("misaligned", 0, 4)
    assert finding_of(module.launch("load", 1, 32, [x, y, 0, 18])) == ("misaligned", 0, 18)


def test_races_of_matrices() -> None:
    source = """
    __global__ void load(unsigned* y) {
        __shared__ __align__(16) unsigned tile[32];
        tile[threadIdx.x] = threadIdx.x;
    #ifdef ORDERED
        __syncwarp();
    #endif
        unsigned r, at = (unsigned)__cvta_generic_to_shared(tile + threadIdx.x % 8 * 4);
        asm volatile("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(at) : "memory");
        y[threadIdx.x] = r;
    }"""
    y = np.zeros(32, np.uint32)
    assert not Module(compile_ptx(source, options=["-DORDERED"])).launch("load", 1, 32, [y]).findings
    assert [finding.kind for finding in Module(compile_ptx(source)).launch("load", 1, 32, [y]).findings] == ["shared_race"]


@pytest.mark.parametrize(
    "opcode",
    [
        "mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32",
        "mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32",
        "mma.sync.aligned.m16n8k16.row.col.s32.f16.f16.s32",
        "mma.sync.aligned.m16n8k16.row.col.satfinite.f32.f16.f16.f32",
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f16",
        "wmma.mma.sync.aligned.row.row.m8n8k32.s32.s4.s4.s32",
        "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
    ],
)
def test_other_products_are_not_supported(opcode: str) -> None:
    with pytest.raises(UnsupportedPtx, match="mma"):
        Module(product_kernel(opcode, [4, 4, 2, 4], ["f32", "f16", "f16", "f32"])).program("product")


def products() -> Iterator[str]:
    """Yield the opcodes of products, most of which do not exist."""
    types = "b1 s4 u4 s8 u8 f16 bf16 tf32 f64 e4m3 e5m2".split()
    depths = (4, 8, 16, 32, 64, 128, 256)
    for left, right, depth, rows, sums in itertools.product(types, types, depths, (8, 16), ("f16", "f32", "f64", "s32")):
        for modifier, action in itertools.product(("", ".satfinite"), ("", ".xor.popc", ".and.popc")):
            yield f"mma.sync.aligned.m{rows}n8k{depth}.row.col{modifier}.{sums}.{left}.{right}.{sums}{action}"


def is_supported(opcode: str) -> bool:
    try:
        plan(opcode)
    except UnsupportedPtx:
        return False
    return True


@pytest.mark.skipif(shutil.which("ptxas") is None, reason="needs ptxas, from the wheel nvidia-cuda-nvcc")
def test_ptxas_accepts_each_product(tmp_path: Path) -> None:
    lines = []
    for opcode in filter(is_supported, products()):
        rows, columns, depth = sizes(opcode.split(".")[3])
        sums, left, right = [part for part in opcode.split(".") if part in (*BITS, "e4m3", "e5m2")][:3]
        counts = []
        for element, count in ((sums, rows * columns), (left, rows * depth), (right, depth * columns), (sums, rows * columns)):
            bits = BITS.get(element, 8)
            letter = REGISTER_TYPES.get(element, "r")
            counts.append("{" + ", ".join(f"%{letter}{k}" for k in range(count * bits // (32 * max(bits, 32)))) + "}")
        lines.append(f"{opcode} {', '.join(counts)};")
    assert len(lines) > 40
    head = ".version 8.7\n.target sm_90\n.address_size 64\n.visible .entry k() {\n"
    path = tmp_path / "products.ptx"
    path.write_text(head + ".reg .b32 %r<9>; .reg .f32 %f<9>; .reg .f64 %d<9>;\n" + "\n".join(lines) + "\nret; }\n")
    done = subprocess.run(["ptxas", "-arch=sm_90", str(path), "-o", "/dev/null"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
