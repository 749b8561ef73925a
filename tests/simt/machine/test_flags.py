"""Flags that one warp sets and another one polls, and names of variables in findings."""

from __future__ import annotations

import numpy as np

from warpsmith.simt import Module, compile_ptx

POLLING = """
    __global__ void k(int* y) {
        __shared__ %s int flag;
        __shared__ int value;
        if (threadIdx.x == 0) flag = 0;
        __syncthreads();
        if (threadIdx.x == 32) { value = 7; __threadfence_block(); flag = 1; }
        if (threadIdx.x == 0) { while (flag == 0) %s; *y = value; }
    }"""


def test_a_volatile_flag_in_shared_memory_is_no_race() -> None:
    run = Module(compile_ptx(POLLING % ("volatile", ""))).launch("k", 1, 64, [np.zeros(1, np.int32)])
    assert not run.findings
    assert run.arrays[0] == [7]


def test_a_flag_without_volatile_is_a_race() -> None:
    source = POLLING % ("", 'asm volatile("" ::: "memory")')
    run = Module(compile_ptx(source)).launch("k", 1, 64, [np.zeros(1, np.int32)])
    assert "shared_race" in {finding.kind for finding in run.findings}


def test_findings_name_the_variable() -> None:
    source = "__device__ int steps[4]; __global__ void k(int n) { steps[n] = 1; }"
    (finding,) = Module(compile_ptx(source)).launch("k", 1, 1, [5]).findings
    assert finding.kind == "out_of_bounds"
    assert "byte 20 of variable steps" in finding.message
