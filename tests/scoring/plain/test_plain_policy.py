"""The policy for plain CUDA: what it accepts, what it refuses with a name, and what the emulation does not support."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.kept import kept
from scoring.plain.answers import RIGHT, WRONG
from warpsmith.core import Pair
from warpsmith.scoring.plain.identifiers import UnsupportedError
from warpsmith.scoring.plain.plain_policy import MAX_LENGTH, check_plain
from warpsmith.scoring.plain.plain_signature import Parameter, Signature, plain_signature
from warpsmith.scoring.plain.reference.translation import translate
from warpsmith.scoring.policy.violation import Violation

SIGNATURE = Signature("add", (Parameter("dim0", "int"), Parameter("x", "const float*"), Parameter("y", "float*")), {}, 1)
HEAD = "__global__ void add(int dim0, const float* x, float* y)"
BODY = "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < dim0) y[i] = x[i] + 1.0f;"
KERNEL = f"{HEAD} {{ {BODY} }}"


def with_statement(statement: str) -> str:
    return f"{HEAD} {{ {BODY} {statement} }}"


ACCEPTED = (
    KERNEL,
    f'extern "C" {KERNEL}',
    f'// a comment with asm, # and "\n/* extern */ {KERNEL}',
    "__global__ void add(const int n, float const* __restrict__ in, float* __restrict__ const out) { out[0] = in[0] + n; }",
    "__global__ void __launch_bounds__(256, 2) add(int dim0, const float x[], float* y) {}",
    "constexpr int WIDTH = 4 * 2;\n__constant__ float table[WIDTH] = { 1.0f, 2.0f };\nstatic const float k = 1.0f;\n" + KERNEL,
    "struct Two { float a, b[3]; };\n__device__ __forceinline__ float f(Two two, float& z) { return two.a; }\n" + KERNEL,
    f"__device__ float f(float x);\n__device__ float f(float x) {{ return x; }}\n{KERNEL}",
    with_statement("unsigned long long a = 1ull << 3, *p = &a; for (int k = 0, m = 2; k < m; ++k) { a += k; }"),
    with_statement("__shared__ float tile[16][17], sum; tile[0][0] = sum; __syncthreads();"),
    with_statement("float4 v = make_float4(1, 2, 3, 4); v.x += v.w; auto w = reinterpret_cast<int*>(y); w[0] = 1;"),
    with_statement("do { break; } while (true); again: switch (i) { case 1: goto again; default: ; }"),
    with_statement("int a = i > 0 ? dim0 : i; a = sizeof(float) * a; a >>= 2; a = a >> 1;"),
    with_statement("float a = *(float*)(const float*)x; unsigned b = (unsigned)(size_t)y; float3 c = float3(); a += b;"),
    with_statement("static const float weights[3] = { 1.0f, 2.0f, 3.0f }; y[i] = weights[0];"),
    with_statement("float printf = 1.0f, free = printf; y[i] = free;"),
    with_statement("float old = atomicAdd(&y[0], INFINITY); if (isnan(old)) return;"),
)

REFUSED = {
    "#include <cmath>\n" + KERNEL: "a directive",
    "#define X 1\n" + KERNEL: "a directive",
    KERNEL + "\n%:define X": "digraph",
    with_statement("y<:0:> = 1.0f;"): "digraph",
    with_statement("// a \\\n y[0] = 1.0f;"): "backslash",
    with_statement("y[i] = 'a';"): "character",
    with_statement('const char* s = "text";'): "a string",
    with_statement("static int count = 0;"): "static variables",
    with_statement("__shared__ float s = 0.0f;"): "without a value",
    with_statement("extern __shared__ float s[];"): "'extern' is not allowed",
    with_statement("auto f = [=](float a) { return a; };"): "a lambda",
    with_statement("[[maybe_unused]] int a = 1;"): "attribute",
    with_statement("__attribute__((unused)) int a = 1;"): "'__attribute__'",
    with_statement("::y[0] = 1.0f;"): "'::'",
    with_statement("y[i] = foo(x[i]);"): "'foo'",
    with_statement("y[i] = __builtin_sinf(x[i]);"): "'__builtin_sinf'",
    with_statement("y[i] = __CUDA_ARCH__;"): "'__CUDA_ARCH__'",
    with_statement("y[i] = __clang_major__;"): "'__clang_major__'",
    with_statement("y[i] = __LINE__;"): "'__LINE__'",
    with_statement("y[i] = linux;"): "'linux'",
    with_statement("int __CUDACC__ = 1;"): "'__CUDACC__'",
    with_statement("y[i] = warpsmith_block;"): "'warpsmith_block'",
    with_statement("int warpsmith_epoch = 1;"): "'warpsmith_epoch'",
    with_statement("wp_cpu_tile_sync();"): "'wp_cpu_tile_sync'",
    with_statement("system(0);"): "'system'",
    with_statement("int threadIdx = 1;"): "'threadIdx'",
    with_statement("struct Inner { int a; };"): "'struct' is not allowed in a function",
    with_statement("float INFINITY = 1.0f;"): "'INFINITY'",
    with_statement("using T = float;"): "'using'",
    with_statement("y[i] = static_cast<float>(new float);"): "'new'",
    with_statement("float (*f)(float) = sinf;"): "'f'",
    with_statement("int getpid();"): "a declaration of a function",
    with_statement("int getpid(int);"): "a declaration of a function",
    "float count;\n" + KERNEL: "global variables",
    "__device__ float count;\n" + KERNEL: "global variables",
    "__device__ int count = 0;\n" + KERNEL: "global variables",
    "__shared__ float s[4];\n" + KERNEL: "global variables",
    "__constant__ float c[2];\n" + KERNEL: "global variables",
    "const float* p = 0;\n" + KERNEL: "global variables",
    "static int counter = 0;\n" + KERNEL: "global variables",
    "float f(float a) { return a; }\n" + KERNEL: "neither __global__ nor __device__",
    "__device__ int getpid();\n" + KERNEL: "declared and not defined",
    'extern "C" __device__ int getpid() { return 1; }\n' + KERNEL: "before the kernel only",
    'extern "C" { ' + KERNEL + " }": "extern",
    "template <typename T> __device__ T f(T a) { return a; }\n" + KERNEL: "'template'",
    "namespace a { }\n" + KERNEL: "'namespace'",
    "using namespace a;\n" + KERNEL: "'using'",
    "typedef float real;\n" + KERNEL: "'typedef'",
    "union U { float a; int b; };\n" + KERNEL: "'union'",
    "class C { };\n" + KERNEL: "'class'",
    "struct S { float a; __device__ S() { a = 1.0f; } };\n" + KERNEL: "in a struct",
    "struct S { float a = 1.0f; };\n" + KERNEL: "in a struct",
    "struct S { static int a; };\n" + KERNEL: "in a struct",
    "struct S { int a; } s;\n" + KERNEL: "'s'",
    "__device__ float sinf(float a) { return a; }\n" + KERNEL: "'sinf'",
    "__device__ float f(float a = 1.0f) { return a; }\n" + KERNEL: "default values",
    KERNEL + KERNEL: "2 times",
    "": "0 times",
    KERNEL.replace("add(", "sub("): "called 'sub'",
    KERNEL.replace("const float* x", "float* x"): "parameter 2 of the kernel is 'float *', expected 'const float* x'",
    KERNEL.replace("int dim0", "long dim0"): "parameter 1",
    KERNEL.replace("int dim0, ", ""): "'dim0'",
    "__global__ void add(const float* x, float* y) { }": "2 parameters, expected 3",
    HEAD: "is not allowed here",
    HEAD + ";": "is not allowed here",
    KERNEL + "}": "",
    KERNEL + " y": "",
    HEAD + " { ( }": "closes another bracket",
    HEAD + " {": "not closed",
    "x" * (MAX_LENGTH + 1): "characters",
}

UNSUPPORTED = (
    "float a = __shfl_down_sync(0xffffffffu, x[0], 1);",
    "unsigned int m = __ballot_sync(0xffffffffu, 1);",
    "__syncwarp();",
    "cooperative_groups::this_grid();",
    "float a = tex2D<float>(0, 1, 2);",
    "nvcuda::wmma::fragment<int> f;",
    'asm("nop;");',
    'asm volatile ("nop;");',
    "printf(0);",
    'printf("%f", y[0]);',
    "float* p = (float*)malloc(4);",
    "long long t = clock64();",
    "__half h;",
    "y[i] = std::sqrt(x[i]);",
    "memcpy(y, x, 4);",
)


@pytest.mark.parametrize("text", ACCEPTED)
def test_plain_texts_are_accepted(text: str) -> None:
    check_plain(text, SIGNATURE)


@pytest.mark.parametrize(("text", "reason"), REFUSED.items(), ids=lambda value: value[:40])
def test_other_texts_are_refused_with_the_reason(text: str, reason: str) -> None:
    with pytest.raises(Violation) as refused:
        check_plain(text, SIGNATURE)
    assert not isinstance(refused.value, UnsupportedError)
    assert reason in str(refused.value)
    assert str(refused.value).startswith("line ")


@pytest.mark.parametrize("statement", UNSUPPORTED)
def test_what_the_emulation_lacks_is_unsupported(statement: str) -> None:
    with pytest.raises(UnsupportedError, match="is not supported"):
        check_plain(with_statement(statement), SIGNATURE)


@pytest.mark.parametrize(
    ("struct", "accepted"),
    [
        ("struct Body { float mass; float at[3]; };", True),
        ("struct Body\n{\n    float mass; // kilograms\n    float at[3];\n};", True),
        ("struct Body { float at[3]; float mass; };", False),
        ("struct Body { double mass; float at[3]; };", False),
        ("", False),
    ],
)
def test_a_given_struct_has_its_members(struct: str, accepted: bool) -> None:
    signature = Signature("go", (Parameter("b", "Body*"),), {"Body": "float mass; float at[3];"}, 1)
    text = f"{struct}\n__global__ void go(Body* b) {{ b->at[0] = b->mass; }}"
    if accepted:
        check_plain(text, signature)
    else:
        with pytest.raises(Violation, match="'Body'"):
            check_plain(text, signature)


def test_answers_and_translations_are_accepted(all_samples: list[Pair]) -> None:
    for answer in (*RIGHT.values(), *WRONG.values()):
        pair = kept(answer.index)
        signature = plain_signature(pair, pair.metadata.kernel_name)
        assert signature is not None
        check_plain(answer.text(pair), signature)
    accepted = 0
    for pair in all_samples:
        signature, text = plain_signature(pair, pair.metadata.kernel_name), translate(pair, pair.metadata.kernel_name)
        if signature is not None and text is not None:
            check_plain(text, signature)
            accepted += 1
    assert accepted > 0.75 * len(all_samples)


WORDS = "int float x struct __device__ __shared__ static for 1 add".split()


@settings(max_examples=300)
@given(st.lists(st.sampled_from([*"(){}[];,*&=<>:.?", *WORDS]), max_size=40).map(" ".join))
def test_any_text_is_read_or_refused(text: str) -> None:
    for whole in (text, f"{KERNEL}\n{text}", with_statement(text), f"__device__ {text}\n{KERNEL}"):
        with contextlib.suppress(Violation):
            check_plain(whole, SIGNATURE)
