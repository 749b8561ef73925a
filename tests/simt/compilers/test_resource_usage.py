"""Registers, stack, shared memory and spills of cubins, compared with the report of ptxas."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from warpsmith.core.errors import WarpsmithError
from warpsmith.simt.compilers import nvrtc_program
from warpsmith.simt.compilers.cubin_sections import Cubin
from warpsmith.simt.compilers.ptx_compiler import compile_cubin
from warpsmith.simt.compilers.resource_usage import resource_usage

KERNELS = """
__device__ __noinline__ float deep(float x, int n) {
    float a[64];
    for (int i = 0; i < 64; i++) a[i] = x * i;
    float s = 0;
    for (int i = 0; i < n; i++) s += a[(i * 7 + n) & 63];
    return s;
}
template<int N, class T> __device__ void big(T* x) {
    T a[N];
    #pragma unroll
    for (int i = 0; i < N; i++) a[i] = x[i * 32];
    __syncthreads();
    #pragma unroll
    for (int i = 0; i < N; i++) x[i * 32] = a[(i * 7) % N] * a[i] + a[(i + 3) % N];
}
extern "C" {
__global__ void local_array(float* x, int n) {
    float a[100];
    for (int i = 0; i < 100; i++) a[i] = x[i];
    for (int i = 0; i < n; i++) a[(int)x[i]] += 1;
    x[0] = a[n];
}
__global__ void calls(float* x, int n) { x[0] = deep(x[1], n); }
__global__ void shared_array(float* x, int n) {
    __shared__ float t[1000];
    extern __shared__ int d[];
    t[threadIdx.x] = x[threadIdx.x];
    d[threadIdx.x] = 1;
    __syncthreads();
    x[threadIdx.x] = t[n] + d[n];
}
__global__ void __launch_bounds__(1024, 2) spilled(float* x) { big<96>(x); }
__global__ void __launch_bounds__(1024, 2) spilled_doubles(double* x) { big<48>(x); }
__global__ void roomy(float* x) { big<96>(x); }
__global__ void __launch_bounds__(256) bounded(float* x) { x[threadIdx.x] = 1; }
__global__ void empty() { }
}
"""

ARCHS = (75, 80, 90, 100)


def report_of_ptxas(text: str, arch: int, monkeypatch: pytest.MonkeyPatch) -> dict[str, tuple[int, ...]]:
    """Return registers, stack, shared memory, and stored and loaded spills of each kernel, as ptxas prints them."""
    logs = []
    destroy = nvrtc_program.nvrtc().nvrtcDestroyProgram
    monkeypatch.setattr(
        nvrtc_program.nvrtc(),
        "nvrtcDestroyProgram",
        lambda program: (logs.append(nvrtc_program._read(program, "ProgramLog").decode()), destroy(program)),
    )
    compile_cubin(text, arch, ["--ptxas-options=-v"])
    monkeypatch.undo()
    found = {}
    for part in logs[0].split("Compiling entry function '")[1:]:
        properties = part.partition(part.partition("'")[0] + "\n")[2]
        stack, stores, loads = map(int, re.findall(r"(\d+) bytes (?:stack frame|spill stores|spill loads)", properties)[:3])
        used = re.search(r"Used (\d+) registers.*", properties)
        assert used
        cumulative = re.search(r"(\d+) bytes cumulative stack", used[0])
        shared = re.search(r"(\d+) bytes smem", used[0])
        values = (int(used[1]), int(cumulative[1]) if cumulative else stack, int(shared[1]) if shared else 0, stores, loads)
        found[part.partition("'")[0]] = values
    return found


@pytest.mark.parametrize("arch", ARCHS)
def test_usage_is_the_one_that_ptxas_reports(arch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    reported = report_of_ptxas(KERNELS, arch, monkeypatch)
    found = resource_usage(compile_cubin(KERNELS, arch))
    assert {
        name: (usage.registers, usage.stack, usage.shared, usage.spill_stores, usage.spill_loads)
        for name, usage in found.items()
    } == reported
    assert len(found) == 8


def test_forced_values_are_found() -> None:
    usage = resource_usage(compile_cubin(KERNELS, 80))
    assert usage["local_array"].stack == 400
    assert usage["calls"].stack == 256
    assert usage["shared_array"].shared == 4000
    assert usage["spilled"].registers == 32
    assert usage["spilled"].spill_stores > 0 < usage["spilled_doubles"].spill_loads
    assert usage["roomy"].spill_stores == usage["roomy"].spill_loads == 0
    assert usage["bounded"].max_threads == 256
    assert usage["roomy"].max_threads == 0
    assert usage["shared_array"].parameters == 12
    assert usage["empty"].parameters == 0


def test_a_limit_of_registers_is_kept() -> None:
    free, limited = (resource_usage(compile_cubin(KERNELS, 90, options))["roomy"] for options in ((), ("--maxrregcount=40",)))
    assert free.registers > 40 >= limited.registers
    assert limited.spill_stores > 0 == free.spill_stores


@pytest.mark.parametrize("content", [b"", b"hello", b"\x7fELF", b"\x7fELF\x02" + bytes(200)])
def test_other_files_are_named(content: bytes) -> None:
    with pytest.raises(WarpsmithError, match="not a cubin"):
        resource_usage(content)


CUBIN = compile_cubin("__global__ void __launch_bounds__(64) f(float* x) { x[threadIdx.x] = 1; }")


@example([(47, 128)], 0)  # a table beyond what Python indexes
@given(st.lists(st.tuples(st.integers(0, len(CUBIN) - 1), st.integers(0, 255)), max_size=8), st.integers(0, len(CUBIN)))
def test_damaged_files_are_read_or_named(changes: list[tuple[int, int]], length: int) -> None:
    damaged = bytearray(CUBIN)
    for place, value in changes:
        damaged[place] = value
    for content in (bytes(damaged), bytes(damaged[:length])):
        try:
            resource_usage(content)
        except WarpsmithError as error:
            assert "not a cubin" in str(error)  # noqa: PT017


@pytest.mark.parametrize("arch", ARCHS)
def test_the_architecture_is_in_the_file(arch: int) -> None:
    assert Cubin.read(compile_cubin(KERNELS, arch)).arch == arch
