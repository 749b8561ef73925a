"""The code of the host in a plain CUDA text: it is left out, and all else stays where it is."""

from __future__ import annotations

import pytest

from warpsmith.scoring.plain.plain_unit import without_host_code

DEVICE = (
    "__global__ void add(int n, float* x) { if (n) { x[0] = 1.0f; } }",
    'extern "C" __global__ void __launch_bounds__(256) add(int n) { auto f = [=](int a) { return a; }; }',
    "template <typename T>\n__device__ __forceinline__ T twice(T a) { return a + a; }",
    "#define DEVICE __device__ __forceinline__\nDEVICE float f(float x) { return x; }",
    "constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; }",
    "struct Vector { float x; Vector operator+(Vector other) const { return other; } };",
    "__device__ inline void operator+=(float3& a, float3 b) { a.x += b.x; }",
    "__device__ bool operator==(float3 a, float3 b) { return a.x == b.x; }",
    "template <int N> struct Array { float x[N]; } array;",
    "enum class Kind { A, B };",
    "using Real = float; typedef int Index;",
    "namespace cg = cooperative_groups; using namespace cooperative_groups;",
    "__constant__ float table[2] = { 1.0f, 2.0f };",
    "static const float TWO = 2.0f;",
    "__device__ float f(float x);",
)

HOST = (
    "int main() { float* d; cudaMalloc(&d, 4); add<<<1, 1>>>(1, d); return 0; }",
    'void launch(const float* x) { printf("} {"); /* } */ }',
    "template <typename T> void run(T a) { a(); }",
    "std::vector<float> make(int n);",
)


@pytest.mark.parametrize("device", DEVICE)
@pytest.mark.parametrize("host", HOST)
def test_functions_of_the_host_become_blanks(device: str, host: str) -> None:
    blank = " " * len(host)
    for form in ("{0}\n{1}\n", "{1}\n{0}\n", "namespace {{ {0} {1} }}\n{0}", '{0}\nextern "C" {{ {1}\n}}'):
        assert without_host_code(form.format(device, host)) == form.format(device, blank)


@pytest.mark.parametrize("text", ["", "}", "{", "((", "int main() {", "}}}} int x;"])
def test_damaged_texts_are_read(text: str) -> None:
    assert len(without_host_code(text)) == len(text)
