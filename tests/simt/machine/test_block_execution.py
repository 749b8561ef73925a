"""Blocks and grids: barriers, threads that wait for each other, special registers, orders of execution, and equal runs."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from simt.handwritten import HEAD, REGISTERS, kernel, kinds, line_of, output, run
from warpsmith.simt import Check, Module, compile_ptx

SPIN = r"""
__device__ int turn, lock;
__global__ void lanes_in_turn(int* y) {
    volatile int* now = &turn;
    while (*now != threadIdx.x) { }
    y[threadIdx.x] = *now * 3;
    *now = threadIdx.x + 1;
}
__global__ void lanes_with_lock(int* y) {
    bool done = false;
    while (!done) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            __threadfence();
            *(volatile int*)y = *(volatile int*)y + threadIdx.x;
            __threadfence();
            atomicExch(&lock, 0);
            done = true;
        }
    }
}
__global__ void blocks_in_turn(int* y) {
    volatile int* now = &turn;
    if (threadIdx.x == 0) {
        while (*now != gridDim.x - 1 - blockIdx.x) { }
        __threadfence();
    }
    __syncthreads();
    y[blockIdx.x * blockDim.x + threadIdx.x] = *now;
    __syncthreads();
    if (threadIdx.x == 0) { __threadfence(); *now = *now + 1; }
}
__global__ void coordinates(int* y) {
    int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    int* p = y + 8 * (block * blockDim.x * blockDim.y * blockDim.z + thread);
    p[0] = threadIdx.x; p[1] = threadIdx.y; p[2] = threadIdx.z;
    p[3] = blockIdx.x; p[4] = blockIdx.y; p[5] = blockIdx.z;
    p[6] = gridDim.x * 10000 + gridDim.y * 100 + gridDim.z;
    p[7] = blockDim.x * 10000 + blockDim.y * 100 + blockDim.z;
}
"""


@pytest.fixture(scope="module")
def module() -> Module:
    return Module(compile_ptx(SPIN))


@pytest.mark.parametrize("reverse", [False, True])
def test_lanes_that_wait_for_each_other(module: Module, reverse: bool) -> None:
    result = module.launch("lanes_in_turn", 1, 32, [np.zeros(32, np.int32)], reverse=reverse, limit=20_000_000)
    assert result.completed
    assert list(result.arrays[0]) == [3 * i for i in range(32)]


@pytest.mark.parametrize("reverse", [False, True])
def test_lock_within_a_warp(module: Module, reverse: bool) -> None:
    result = module.launch("lanes_with_lock", 1, 64, [np.zeros(1, np.int32)], reverse=reverse, limit=20_000_000)
    assert result.completed
    assert result.arrays[0][0] == sum(range(64))


@pytest.mark.parametrize("reverse", [False, True])
def test_blocks_that_wait_for_each_other(module: Module, reverse: bool) -> None:
    result = module.launch("blocks_in_turn", 20, 32, [np.zeros(640, np.int32)], reverse=reverse, limit=200_000_000)
    assert result.completed
    assert result.findings == ()
    assert list(result.arrays[0]) == [19 - block for block in range(20) for _ in range(32)]


@pytest.mark.parametrize(("grid", "block"), [((3, 2, 4), (5, 3, 2)), ((7, 1, 1), (1, 40, 1)), ((1, 2, 3), (2, 2, 33)), (5, 70)])
def test_coordinates(module: Module, grid: Any, block: Any) -> None:
    grids, blocks = [(*np.atleast_1d(size), 1, 1) for size in (grid, block)]
    count = int(np.prod(grids[:3]) * np.prod(blocks[:3]))
    result = module.launch("coordinates", grid, block, [np.zeros(8 * count, np.int32)])
    assert result.findings == ()
    sizes = [sum(size * 100 ** (2 - axis) for axis, size in enumerate(three[:3])) for three in (grids, blocks)]
    expected = [
        [*thread[::-1], *place[::-1], *sizes]
        for place in itertools.product(*(range(size) for size in grids[2::-1]))
        for thread in itertools.product(*(range(size) for size in blocks[2::-1]))
    ]
    np.testing.assert_array_equal(result.arrays[0].reshape(-1, 8), expected)


def test_special_registers() -> None:
    names = "%laneid %warpid %lanemask_eq %lanemask_lt %lanemask_le %lanemask_gt %lanemask_ge %nwarpid %ntid.x %ctaid.x".split()
    values = [
        lambda t: t % 32, lambda t: t // 32, lambda t: 1 << t % 32, lambda t: (1 << t % 32) - 1, lambda t: (2 << t % 32) - 1,
        lambda t: 2**32 - (2 << t % 32), lambda t: 2**32 - (1 << t % 32), lambda _: 2, lambda _: 64, lambda _: 0,
    ]  # fmt: skip
    for name, value in zip(names, values, strict=True):
        result = output(kernel(f"mov.u32 %r1, {name}; st.global.u32 [%rd2], %r1;"), 64)
        assert [int(found) for found in result] == [value(thread) % 2**32 for thread in range(64)], name


REDUCTIONS = {"popc.u32": sum, "and.pred": all, "or.pred": any}


@pytest.mark.parametrize("action", REDUCTIONS)
@pytest.mark.parametrize("limit", [0, 1, 50, 96])
def test_barrier_with_votes(action: str, limit: int) -> None:
    target = "%r5" if action == "popc.u32" else "%p2"
    select = "" if action == "popc.u32" else "selp.u32 %r5, 1, 0, %p2;"
    body = f"setp.lt.u32 %p1, %r0, {limit}; bar.red.{action} {target}, 0, %p1; {select} st.global.u32 [%rd2], %r5;"
    votes = [thread < limit for thread in range(96)]
    assert list(output(kernel(body), 96, arguments=[np.zeros(96, np.uint32)])) == [int(REDUCTIONS[action](votes))] * 96


def test_named_barriers_of_producers_and_consumers() -> None:
    """The first warp writes and arrives, the second one waits and reads."""
    body = """
    setp.lt.u32 %p1, %r0, 32;
    mul.lo.u32 %r5, %r0, 4;
    @!%p1 bra consumer;
    st.shared.u32 [%r5], %r0;
    bar.arrive 3, 64;
    bra end;
    consumer:
    bar.sync 3, 64;
    ld.shared.u32 %r6, [%r5+-128];
    st.global.u32 [%rd2], %r6;
    end:
    """
    for reverse in (False, True):
        result = output(kernel(body), 64, shared=128, reverse=reverse)
        assert list(result[32:]) == list(range(32))


def test_barriers_of_divergent_lanes_of_one_warp() -> None:
    """barrier.sync without .aligned: the halves of a warp wait at different places."""
    body = """
    setp.lt.u32 %p1, %r0, 16;
    @%p1 bra low;
    barrier.sync 0;
    bra end;
    low:
    st.shared.u32 [0], 5;
    barrier.sync 0;
    end:
    ld.shared.u32 %r5, [0];
    st.global.u32 [%rd2], %r5;
    """
    result = run(kernel(body), 32, shared=4, checks=Check.MEMORY)
    assert result.completed
    assert list(result.arrays[0][:32]) == [5] * 32


def test_deadlock_of_two_barriers() -> None:
    body = "setp.lt.u32 %p1, %r0, 32;\n@%p1 bra one;\nbar.sync 1, 64;\nbra end;\none:\nbar.sync 2, 64;\nend:"
    assert kinds(kernel(body), 64)[-1] == "deadlock"


PLACES = {
    "out_of_bounds": ("st.global.u32 [%rd2+4096], %r0;", 0),
    "misaligned": ("setp.lt.u32 %p1, %r0, 5;\n@%p1 bra end;\nst.global.u32 [%rd2+2], %r0;\nend:", 5),
    "unwritten_shared": ("setp.ne.u32 %p1, %r0, 7;\n@%p1 bra end;\nld.shared.u32 %r1, [16];\nend:", 7),
    "unwritten_local": (".local .b32 own;\nld.local.u32 %r1, [own];", 0),
    "divided_by_zero": ("sub.u32 %r1, %r0, 9;\ndiv.u32 %r2, %r0, %r1;", 9),
    "trap": ("setp.ne.u32 %p1, %r0, 31;\n@%p1 bra end;\ntrap;\nend:", 31),
}


@pytest.mark.parametrize("kind", PLACES)
def test_place_of_a_finding(kind: str) -> None:
    body, thread = PLACES[kind]
    text = kernel(body)
    result = run(text, 32, [np.zeros(33, np.uint32)], shared=32)
    part = next(line for line in body.splitlines() if line.startswith(("st.global", "ld.", "div", "trap")))
    (finding,) = result.findings
    assert (finding.kind, finding.thread, finding.ptx_line) == (kind, (thread, 0, 0), line_of(text, part))
    if kind == "out_of_bounds":
        assert (finding.argument, finding.element) == (0, 1024)
    if kind == "misaligned":
        assert (finding.argument, finding.element) == (0, 5)


@pytest.mark.parametrize(("use", "found"), [("", []), ("add.u32 %r5, %r5, %r4;", ["unwritten_shared"])])
def test_the_last_numbers_of_a_vector_count_if_they_are_read(use: str, found: list[str]) -> None:
    """NVRTC loads three numbers as a vector of four."""
    body = f"""
    mov.u32 %r6, 2;
    st.shared.v2.u32 [0], {{%r6, %r6}};
    st.shared.u32 [8], 3;
    bar.sync 0;
    ld.shared.v4.u32 {{%r1, %r2, %r3, %r4}}, [0];
    add.u32 %r5, %r2, %r3;
    {use}
    st.global.u32 [%rd2], %r5;
    """
    result = run(kernel(body), 32, shared=16)
    assert [finding.kind for finding in result.findings] == found
    assert use or list(result.arrays[0][:32]) == [5] * 32


def test_equal_runs_are_equal() -> None:
    source = r"""
    __global__ void k(int* y) {
        __shared__ int s[64];
        int i = threadIdx.x;
        s[i] = i;
        if (i % 3) s[(i + 1) % 64] += atomicAdd(y, i);
        y[1 + (i + s[(i * 7) % 64]) % 100] = i;
    }
    """
    module = Module(compile_ptx(source))
    runs = [module.launch("k", 4, 64, [np.zeros(101, np.int32)]) for _ in range(3)]
    for again in runs[1:]:
        assert again.findings == runs[0].findings
        assert again.counts == runs[0].counts
        np.testing.assert_array_equal(again.arrays[0], runs[0].arrays[0])


@pytest.mark.parametrize("blocks", [1, 3, 2000])
def test_grids_of_many_blocks(blocks: int) -> None:
    """Shared memory and registers of a block are not those of the block before."""
    text = (
        f"{HEAD}.visible .entry k(.param .u64 out)\n{{{REGISTERS} .shared .align 4 .b8 s[4];"
        "ld.param.u64 %rd0, [out]; mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd1, %r1, 4; add.u64 %rd2, %rd0, %rd1;"
        "st.shared.u32 [s], %r1; bar.sync 0; ld.shared.u32 %r2, [s]; st.global.u32 [%rd2], %r2; ret; }\n"
    )
    for reverse in (False, True):
        result = output(text, 1, grid=blocks, arguments=[np.zeros(blocks, np.uint32)], reverse=reverse)
        assert list(result) == list(range(blocks))
