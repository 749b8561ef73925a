"""One kernel of a module: it keeps what it uses, and runs as it does in the whole module."""

from __future__ import annotations

import numpy as np
import pytest

from warpsmith.simt import Module, PtxError, compile_ptx
from warpsmith.simt.ptx.isolated_kernel import instruction_count, isolated_kernel
from warpsmith.simt.ptx.module_parser import parse_module

TEXT = """
__constant__ float table[4] = {1.0f, 2.0f, 4.0f, 8.0f};
__constant__ float unused[4] = {3.0f, 3.0f, 3.0f, 3.0f};
__device__ float first = 10.0f;
__device__ float* place = &first;
__device__ __noinline__ float scaled(float x, int i) { return x * table[i & 3]; }
__device__ __noinline__ float inner(float x) { return x + *place; }
__device__ __noinline__ float shifted(float x, int i) { return inner(x) + i; }
extern "C" __global__ void scale(float* x) { x[threadIdx.x] = scaled(x[threadIdx.x], threadIdx.x); }
extern "C" __global__ void shift(float* x) { x[threadIdx.x] = shifted(x[threadIdx.x], threadIdx.x); }
"""


@pytest.fixture(scope="module")
def ptx() -> str:
    return compile_ptx(TEXT, lines=False)


@pytest.mark.parametrize(
    ("kernel", "variables", "functions"),
    [("scale", {"table"}, {"scale", "scaled"}), ("shift", {"first", "place"}, {"shift", "shifted", "inner"})],
)
def test_what_a_kernel_uses_is_kept(ptx: str, kernel: str, variables: set[str], functions: set[str]) -> None:
    part = isolated_kernel(ptx, kernel)
    module = parse_module(part)
    assert set(module.variables) == variables
    assert {name if name == kernel else name[4:-1].rstrip("fi") for name in module.functions} >= {kernel}
    assert len(module.functions) == len(functions)
    lines = ptx.splitlines()
    assert [line for line in part.splitlines() if line not in lines] == []
    whole, alone = (Module(text).launch(kernel, 1, 8, [np.arange(8, dtype=np.float32)]) for text in (ptx, part))
    assert np.array_equal(whole.arrays[0], alone.arrays[0])
    assert whole.counts == alone.counts
    assert not np.array_equal(alone.arrays[0], np.arange(8))


def test_a_module_without_the_kernel(ptx: str) -> None:
    with pytest.raises(PtxError, match="no kernel other"):
        isolated_kernel(ptx, "other")
    with pytest.raises(PtxError, match="no kernel"):
        isolated_kernel(ptx, next(name for name in parse_module(ptx).functions if "inner" in name))


def test_instructions_are_counted() -> None:
    body = "{ .reg .b32 %r<3>; mov.u32 %r1, 1; $L1: @%p1 bra $L1; ret; }"
    assert instruction_count(f".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{body}\n") == 3
