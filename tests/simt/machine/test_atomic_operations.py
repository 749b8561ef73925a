"""Atomic operations of all kinds and types against NumPy, in global and shared memory, in both orders."""

from __future__ import annotations

import numpy as np
import pytest

from simt.handwritten import kernel, run
from warpsmith.simt import Module, compile_ptx

RNG = np.random.default_rng(3)
TYPES = {"u32": np.uint32, "s32": np.int32, "b32": np.uint32, "u64": np.uint64, "s64": np.int64, "b64": np.uint64}
ACTIONS = {
    "add": np.add,
    "min": np.minimum,
    "max": np.maximum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}
CASES = [("add", name) for name in ("u32", "s32", "u64")]
CASES += [(action, name) for action in ("min", "max") for name in ("u32", "s32", "u64", "s64")]
CASES += [(action, name) for action in ("and", "or", "xor") for name in ("b32", "b64")]

LOAD = """
    ld.param.u64 %rd10, [values];
    mul.wide.u32 %rd11, %r0, SIZE;
    add.u64 %rd12, %rd10, %rd11;
    ld.global.TYPE REG, [%rd12];
"""
PARAMETERS = ".param .u64 out, .param .u64 values"


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("space", ["global", "shared", "generic"])
@pytest.mark.parametrize(("action", "name"), CASES)
def test_result(action: str, name: str, space: str, reverse: bool) -> None:
    kind = np.dtype(TYPES[name])
    values = RNG.integers(0, 2 ** (8 * kind.itemsize), 32, dtype=f"u{kind.itemsize}").view(kind)
    start = RNG.integers(0, 2 ** (8 * kind.itemsize), 1, dtype=f"u{kind.itemsize}").view(kind)
    register = "%rd20" if kind.itemsize == 8 else "%r20"
    old = "%rd21" if kind.itemsize == 8 else "%r21"
    load = LOAD.replace("SIZE", str(kind.itemsize)).replace("TYPE", name).replace("REG", register)
    if space == "shared":
        body = f"""
        ld.global.{name} {old}, [%rd0]; st.shared.{name} [0], {old}; bar.sync 0;
        atom.shared.{action}.{name} {old}, [0], {register};
        bar.sync 0; ld.shared.{name} {register}, [0]; setp.eq.u32 %p1, %r0, 0; @%p1 st.global.{name} [%rd0], {register};
        """
    else:
        suffix = ".global" if space == "global" else ""
        body = f"atom{suffix}.{action}.{name} {old}, [%rd0], {register}; st.global.{name} [%rd12], {old};"
    result = run(kernel(load + body, parameters=PARAMETERS), 32, [start, values], shared=8, reverse=reverse)
    assert [finding.kind for finding in result.findings] in ([], ["shared_race"], ["global_race"])
    order = values[::-1] if reverse else values
    olds = ACTIONS[action].accumulate(np.concatenate([start, order]), dtype=kind)
    assert result.arrays[0][0] == olds[-1]
    if space != "shared":
        np.testing.assert_array_equal(result.arrays[1], olds[:-1][::-1] if reverse else olds[:-1])


@pytest.mark.parametrize(("action", "limit"), [("inc", 5), ("dec", 5), ("inc", 0), ("dec", 0), ("inc", 100), ("dec", 100)])
def test_increments_wrap(action: str, limit: int) -> None:
    text = kernel(f"atom.global.{action}.u32 %r1, [%rd0], {limit};")
    value = 3
    for _ in range(32):
        after = {"inc": 0 if value >= limit else value + 1, "dec": limit if value == 0 or value > limit else value - 1}
        value = after[action]
    assert run(text, 32, [np.full(1, 3, np.uint32)]).arrays[0][0] == value


@pytest.mark.parametrize("bits", [16, 32, 64])
def test_compare_and_swap(bits: int) -> None:
    """Each lane stores its number if it finds the number before it."""
    register = {16: "%h", 32: "%r", 64: "%rd"}[bits]
    convert = f"cvt.u{bits}.u32" if bits != 32 else "mov.u32"
    body = f"""
    add.u32 %r10, %r0, 1; {convert} {register}5, %r0; {convert} {register}6, %r10;
    atom.global.cas.b{bits} {register}7, [%rd0], {register}5, {register}6;
    """
    start = np.array([0, 7], f"u{bits // 8}")
    assert list(run(kernel(body), 32, [start]).arrays[0]) == [32, 7]
    assert list(run(kernel(body), 32, [start], reverse=True).arrays[0]) == [1, 7]


@pytest.mark.parametrize("bits", [32, 64])
def test_exchange(bits: int) -> None:
    register = "%rd" if bits == 64 else "%r"
    convert = "cvt.u64.u32" if bits == 64 else "mov.u32"
    body = f"{convert} {register}5, %r0; atom.global.exch.b{bits} {register}6, [%rd0], {register}5;"
    start = np.array([99, 7], f"u{bits // 8}")
    assert list(run(kernel(body), 32, [start]).arrays[0]) == [31, 7]
    assert list(run(kernel(body), 32, [start], reverse=True).arrays[0]) == [0, 7]


@pytest.mark.parametrize(("name", "kind"), [("f32", np.float32), ("f64", np.float64), ("f16", np.float16)])
def test_sums_of_floats_are_rounded_after_each_term(name: str, kind: type) -> None:
    values = (RNG.standard_normal(32) * 100).astype(kind)
    size, register = np.dtype(kind).itemsize, {"f32": "%f", "f64": "%fd", "f16": "%h"}[name]
    load = LOAD.replace("SIZE", str(size)).replace("TYPE", "b16" if name == "f16" else name).replace("REG", f"{register}5")
    opcode = "red.global.add.noftz.f16" if name == "f16" else f"red.global.add.{name}"
    text = kernel(f"{load} {opcode} [%rd0], {register}5;", parameters=PARAMETERS)
    for reverse in (False, True):
        total = kind(1.5)
        for value in values[::-1] if reverse else values:
            total = kind(total + value)
        assert run(text, 32, [np.array([1.5], kind), values], reverse=reverse).arrays[0][0] == total


def test_conflicts_are_counted() -> None:
    assert run(kernel("red.global.add.u32 [%rd0], 1;")).counts.atomic_conflicts == 31
    assert run(kernel("red.global.add.u32 [%rd2], 1;")).counts.atomic_conflicts == 0


LOCAL_SUM = """
__global__ void k(const int* label, int* out) {
    int own[4] = {0, 0, 0, 0};
    atomicAdd(&own[label[threadIdx.x]], 1);
    out[threadIdx.x] = own[1];
}
"""


def test_nvrtc_compiles_an_atomic_operation_on_local_memory_to_a_trap() -> None:
    """So does ``own[label] += 1`` of a Warp kernel on an array that the thread creates with ``wp.zeros``."""
    arrays = [np.ones(32, np.int32), np.zeros(32, np.int32)]
    run = Module(compile_ptx(LOCAL_SUM)).launch("k", 1, 32, arrays)
    assert [finding.kind for finding in run.findings] == ["trap"]
