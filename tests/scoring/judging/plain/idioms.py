"""Idioms of CUDA: what stands before a kernel, and statements that leave the double of ``x[i]`` in ``v``."""

from __future__ import annotations

WARP_SUM = "float s = 1.0f; for (int d = 16; d > 0; d >>= 1) s += __shfl_down_sync(0xffffffffu, s, d);"

TWICE = {
    # name: what stands before the kernel, statements
    "math.h": ("#include <math.h>\n#include <cmath>\n", "v = fabsf(sqrtf(4.0f)) * x[i];"),
    "headers of C": (
        "#include <cstdio>\n#include <stdint.h>\n#include <float.h>\n#include <limits.h>\n#include <cuda_runtime.h>\n",
        "uint8_t two = 2; v = FLT_MAX > 0 && INT_MAX > 0 ? two * x[i] : 0;",
    ),
    "functions of std": ("#include <cmath>\n#include <algorithm>\n", "v = std::max(std::sqrt(4.0f), 1.0f) * x[i];"),
    "numeric limits": ("#include <limits>\n", "v = std::numeric_limits<float>::max() > 0 ? 2 * x[i] : 0;"),
    "a macro": ("#define TWICE(a) \\\n    ((a) + (a))\n", "v = TWICE(x[i]);"),
    "conditions": ("#ifdef __CUDA_ARCH__\n#define TWO 2.0f\n#else\n#error host\n#endif\n", "v = TWO * x[i];"),
    "an unrolled loop": ("", "v = 0;\n#pragma unroll\nfor (int k = 0; k < 2; ++k) v += x[i];"),
    "a template": ("template <typename T, int N> __device__ T times(T a) { return a * T(N); }", "v = times<float, 2>(x[i]);"),
    "a lambda": ("", "auto twice = [](float a) { return a + a; }; v = twice(x[i]);"),
    "using and typedef": ("using Real = float; typedef int Index;", "Real a = x[i]; Index two = 2; v = two * a;"),
    "enum": ("enum class Factor : int { TWO = 2 };", "v = static_cast<int>(Factor::TWO) * x[i];"),
    "overloads": (
        "__device__ float f(float a) { return a; } __device__ float f(float a, int n) { return n * a; }",
        "v = f(x[i], 2) * f(1.0f);",
    ),
    "a default argument": ("__device__ float f(float a, float b = 2.0f) { return a * b; }", "v = f(x[i]);"),
    "member functions": (
        "struct V { float a; __device__ V(float b) : a(b) {} __device__ V operator+(V o) const { return V(a + o.a); } };",
        "v = (V(x[i]) + V(x[i])).a;",
    ),
    "a namespace": ("namespace mine { __device__ float f(float a) { return a + a; } }", "v = mine::f(x[i]);"),
    "a constexpr function": ("constexpr int two() { return 2; }", "v = two() * x[i];"),
    "constants": ("__constant__ float table[2] = { 1, 2 }; static const float K = 1.0f;", "v = K * table[1] * x[i];"),
    "a static function": ("static __device__ __forceinline__ float f(float a) { return a + a; }", "v = f(x[i]);"),
    "a variable of the device": ("__device__ float two = 2.0f;", "v = two * x[i];"),
    "dynamic shared memory": (
        "",
        "extern __shared__ float tile[]; tile[threadIdx.x] = x[i]; __syncthreads(); v = 2 * tile[threadIdx.x];",
    ),
    "static shared memory": (
        "",
        "__shared__ float tile[256]; tile[threadIdx.x] = x[i]; __syncwarp(); v = 2 * tile[threadIdx.x];",
    ),
    "shuffles": ("", f"{WARP_SUM} float all = __shfl_sync(0xffffffffu, s, 0); v = all / 16 * x[i];"),
    "votes": ("", "unsigned all = __ballot_sync(0xffffffffu, 1); v = __popc(all) / 16 * x[i] * __any_sync(~0u, 1);"),
    "cooperative groups": (
        "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n",
        (
            "auto block = cg::this_thread_block(); auto warp = cg::tiled_partition<32>(block); block.sync();"
            " v = warp.size() / 16 * warp.shfl(1.0f, 0) * x[i];"
        ),
    ),
    "half": ("#include <cuda_fp16.h>\n", "v = __half2float(__hadd(__float2half(1.0f), __float2half(1.0f))) * x[i];"),
    "bfloat16": ("#include <cuda_bf16.h>\n", "v = __bfloat162float(__float2bfloat16(2.0f)) * x[i];"),
    "printf and assert": ("#include <cassert>\n", 'assert(n > 0); if (n < 0) printf("%d\\n", n); v = 2 * x[i];'),
    "constants of math.h": ("", "v = isinf(INFINITY) && isnan(NAN) && M_PI > 3 ? 2 * x[i] : 0;"),
    "vector types": ("", "float4 a = make_float4(x[i], 0, 0, x[i]); v = a.x + a.w;"),
    "read only": ("", "v = 2 * __ldg(&x[i]);"),
    "inline assembler": ("", 'asm("add.f32 %0, %1, %1;" : "=f"(v) : "f"(x[i]));'),
    "host code": (
        (
            "#include <iostream>\n#include <vector>\n"
            "int main() { std::vector<float> h(4); go<<<1, 32>>>(4, nullptr, nullptr); std::cout << h[0]; return 0; }"
        ),
        "v = 2 * x[i];",
    ),
    "another kernel": ("__global__ void other(int n, float* y) { y[0] = n; }", "v = 2 * x[i];"),
    "restrict": ("#define RESTRICT __restrict__\n", "const float* RESTRICT from = x; v = 2 * from[i];"),
    "atomics": ("", "__shared__ int c; if (threadIdx.x == 0) c = 0; __syncthreads(); atomicAdd(&c, 1); v = 2 * x[i];"),
}

FINDINGS = {
    # kind of a finding: statements behind those that leave the double of x[i] in v
    "out_of_bounds": "y[n] = v;",
    "misaligned": "float4 a = *(const float4*)(x_ + 1); v += 0.0f * (a.x + a.y + a.z + a.w);",
    "shared_race": "__shared__ float s[256]; s[threadIdx.x] = v; v = 0.5f * (v + s[threadIdx.x ^ 1]);",
    "global_race": "y[0] += v;",
    "unwritten_shared": "__shared__ float s[256]; if (threadIdx.x) s[threadIdx.x] = v; __syncthreads(); v += 0.0f * s[0];",
    "divergent_barrier": "if (threadIdx.x < 16) __syncthreads();",
    "absent_lane": "if (threadIdx.x < 16) v += 0.0f * __shfl_sync(0xffffu, v, 20);",
    "trap": "if (i == 0) __trap();",
    "assertion": "assert(n < 0);",
    "step_limit": "while (n > 0) { v += 1.0f; __threadfence(); }",
    "stack_overflow": "v += deep(v);",
}


def text(before: str, statements: str) -> str:
    """Return an answer, in which all threads run the statements and those of the launch store the result."""
    return f"""{before}
__device__ float deep(float a) {{ return a != a ? a : deep(a + 1.0f) + a; }}
__global__ void go(int n, const float* x_, float* y)
{{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool inside = i < n;
    const float* x = inside ? x_ : x_ - i;
    float v = 0.0f;
    {statements}
    if (inside) y[i] = v;
}}
"""
