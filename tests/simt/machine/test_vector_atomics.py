"""Atomic operations on vectors and on 16 bytes."""

from __future__ import annotations

import numpy as np
import pytest

from warpsmith.simt import Module, Run, UnsupportedPtx, compile_ptx

SUMS = """
__global__ void sums(float2* pairs, float4* fours, float2* old)
{
    old[threadIdx.x] = atomicAdd(pairs + threadIdx.x / 8, make_float2(threadIdx.x, 1.0f));
    atomicAdd(fours, make_float4(1.0f, 2.0f, 3.0f, threadIdx.x));
}
"""


@pytest.mark.parametrize("reverse", [False, True])
def test_vectors(reverse: bool) -> None:
    module = Module(compile_ptx(SUMS))
    arrays = [np.zeros((4, 2), np.float32), np.ones(4, np.float32), np.zeros((32, 2), np.float32)]
    run = module.launch("sums", 1, 32, arrays, reverse=reverse)
    assert not run.findings
    assert run.arrays[0].tolist() == [[28 + 64 * k, 8] for k in range(4)]
    assert run.arrays[1].tolist() == [33, 65, 97, 497]
    assert run.arrays[2][:8, 1].tolist() == (list(range(8))[::-1] if reverse else list(range(8)))
    assert run.counts.atomic_requests == 2
    assert run.counts.atomic_conflicts == 28 + 31


def test_vectors_are_aligned() -> None:
    source = "__global__ void add(float* x) { atomicAdd((float4*)(x + 2), make_float4(1, 1, 1, 1)); }"
    (finding,) = Module(compile_ptx(source)).launch("add", 1, 1, [np.zeros(8, np.float32)]).findings
    assert (finding.kind, finding.element) == ("misaligned", 2)


def run_body(body: str, *arrays: np.ndarray) -> Run:
    """Run PTX with the addresses of arrays in %p0, %p1, ... and the thread in %t."""
    parameters = ", ".join(f".param .u64 a{k}" for k in range(len(arrays)))
    loads = "".join(f"ld.param.u64 %p{k}, [a{k}];\n" for k in range(len(arrays)))
    text = f""".version 8.7\n.target sm_90\n.address_size 64
    .visible .entry k({parameters}) {{ .reg .u64 %p<4>; .reg .u32 %t; .reg .b32 %r<8>; .reg .b64 %d<8>; .reg .b128 %q<4>;
    mov.u32 %t, %tid.x;\n{loads}{body}\nret; }}"""
    return Module(text).launch("k", 1, 32, list(arrays))


def test_vectors_of_halves() -> None:
    run = run_body(
        "mov.b32 %r0, 0x40003c00; mov.b32 %r1, 0x44004200; red.global.add.noftz.v2.f16x2 [%p0], {%r0, %r1};",
        np.zeros(4, np.float16),
    )
    assert run.arrays[0].tolist() == [32, 64, 96, 128]


def test_sixteen_bytes_are_exchanged() -> None:
    """Each lane compares with the value that the lane before has stored; both halves count."""
    body = """
        cvt.u64.u32 %d0, %t; add.u64 %d1, %d0, 1; mov.u64 %d2, 7;
        mov.b128 %q0, {%d0, %d2}; mov.b128 %q1, {%d1, %d2};
        atom.global.cas.b128 %q2, [%p0], %q0, %q1;
        mad.wide.u32 %p1, %t, 16, %p1;
        st.global.b128 [%p1], %q2;"""
    run = run_body(body, np.array([0, 7], np.uint64), np.zeros((32, 2), np.uint64))
    assert run.arrays[0].tolist() == [32, 7]
    assert run.arrays[1].tolist() == [[k, 7] for k in range(32)]
    run = run_body(body, np.array([0, 8], np.uint64), np.zeros((32, 2), np.uint64))
    assert run.arrays[0].tolist() == [0, 8]


def test_registers_of_sixteen_bytes() -> None:
    body = """
        .reg .pred p; setp.ne.u32 p, %t, 0; @p ret;
        ld.global.b128 %q0, [%p0]; mov.b128 %q1, %q0; mov.b128 {%d0, %d1}, %q1; mov.b128 %q2, {%d1, %d0};
        atom.global.exch.b128 %q3, [%p1], %q2; st.global.b128 [%p0], %q3;"""
    run = run_body(body, *np.arange(4, dtype=np.uint64).reshape(2, 2))
    assert not run.findings
    assert [array.tolist() for array in run.arrays] == [[2, 3], [1, 0]]


def test_int128_of_cuda() -> None:
    source = """
    typedef unsigned __int128 u128;
    __global__ void k(u128* x, u128* y) { *y = atomicCAS(x, (u128)5, (u128)9 << 64); }"""
    module = Module(compile_ptx(source, options=["--device-int128"]))
    run = module.launch("k", 1, 1, [np.array([5, 0], np.uint64), np.ones(2, np.uint64)])
    assert [array.tolist() for array in run.arrays] == [[0, 9], [5, 0]]


@pytest.mark.parametrize(
    "opcode", ["red.global.add.v2.f64", "atom.global.add.v8.f32", "atom.global.min.v2.f32", "atom.global.add.b128"]
)
def test_other_vectors_are_not_supported(opcode: str) -> None:
    with pytest.raises(UnsupportedPtx, match=opcode.replace(".", r"\.")):
        run_body(f"{opcode} [%p0], {{%r0, %r1}};", np.zeros(4))
