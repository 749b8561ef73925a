"""Honest edits of real texts, which the policy must accept."""

from __future__ import annotations

from scoring.policy.corpus import BACKWARD, Edit, P, declared

ACCEPTED = (
    declared("comment", "// #include <stdlib.h> and asm(\"nop\")", ""),
    declared("letters beyond ASCII in a comment", "// Größe", ""),
    declared("helper", "static CUDA_CALLABLE wp::float32 square_0(wp::float32 x) { return x * x; }", ""),
    declared("declared helper", "static CUDA_CALLABLE wp::float32 square_0(const wp::float32 & x);", ""),
    declared("helper with an array", "static CUDA_CALLABLE int size_0(wp::array_t<int> a) { return a.shape[0]; }", ""),
    declared("struct", "struct S_1 { float x; wp::array_t<wp::float32> a; S_1() = default; };", ""),
    declared("helper that returns an array", "static CUDA_CALLABLE wp::array_t<int> f_0(wp::array_t<int> a) { return a; }", ""),
    Edit("same name in two blocks", "{ wp::float32 a = 1.0; } { wp::float32 a = 2.0; }"),
    Edit("list", "wp::vec_t<3, wp::float32> v = {1.0, 2.0, 3.0}; v = wp::vec_t<3, wp::float32>({3.0, 2.0, 1.0}); v = {};"),
    Edit("operators", "wp::float32 a = 1.0f; a = a * -a + (a - 2.0) / a; a += a; bool b = !(a > 1.0 && a < 2.0) || a == 3.0;"),
    Edit("vector", "wp::vec_t<3, wp::float32> v(1.0, 2.0, 3.0); v = v + 2.0 * v; var_n = wp::int32(wp::dot(v, v));"),
    Edit("bits", "wp::uint32 k = 0xffu; k ^= k << 3; k = (k >> 2) | (k & 7u); k = ~k % 5u;"),
    Edit("for", "for (int i = 0; i < var_n; ++i) { if (i == 3) break; else continue; }"),
    Edit("while", "wp::int32 i = 0; while (i < 4) i++; do { --i; } while (i > 0);"),
    Edit("choice", "wp::float32 a = var_n > 3 ? 1.0 : wp::sin(2.0);"),
    Edit("chain", "if (var_n == 1) { } else if (var_n == 2) { } else { }"),
    Edit("casts", "wp::float32 a = (wp::float32) var_n + float(var_n) + static_cast<float>(var_n) + wp::float32(var_n);"),
    Edit("load", "wp::float32 a = wp::load(wp::address(var_slopes, var_0)) * 2.0f;"),
    Edit("pointer", f"{P} wp::float32 a = wp::load(p);"),
    Edit("pointer at once", "wp::float32* p = wp::address(var_slopes, 0); wp::atomic_add(var_water, 0, wp::load(p));"),
    Edit("size", "if (var_0 >= var_slopes.shape[0]) continue;"),
    Edit("coordinates", "int t = blockIdx.x * blockDim.x + threadIdx.x; t = int(threadIdx.x);"),
    Edit("labels", "goto skip_0; skip_0:;"),
    Edit("several variables", "wp::float32 a = 1.0, b, c{};"),
    Edit("multiplication after a bracket", "wp::float32 a = 2.0; a = (a) * a; bool b = (a > 1.0) && (a < 2.0);"),
    Edit("deduced types", "auto a = wp::load(wp::address(var_slopes, 0)); const auto b = a + a; var_n = wp::int32(b);"),
    Edit("deduced pointers", "auto p = wp::address(var_slopes, 0); auto* q = wp::address(var_slopes, 1); wp::load(p);"),
    Edit("deduced counter", "for (auto i = 0; i < var_n; ++i) { auto v = wp::vec3(1.0f, 2.0f, 3.0f); v = v + v; }"),
    Edit("local array", "float a[4]; for (int i = 0; i < 4; ++i) a[i] = float(i); a[var_n % 4] += a[0] * a[(1 + 2)];"),
    Edit("local array with values", "const wp::float32 w[3] = {0.5f, 0.5f, 0.25f}; w[0] + w[int(w[1])]; int e[2] = {};"),
    Edit("functions of C", "float a = cosf(2.0f); a = fmaf(sqrtf(a), powf(a, 2.0f), a) + fmaxf(a, 1) + max(2.0f, sqrt(a));"),
    Edit("variable with the name of a function", "wp::float32 max = 1.0f; max = wp::max(max, 2.0f);"),
    Edit("names of types", "wp::vec2 a; wp::vec4ub b; wp::mat33 m; wp::quat q; wp::transform t; wp::mat22f n;"),
    Edit("adjoint by hand", "adj_3 += 2.0f * adj_4;", of=BACKWARD),
)  # fmt: skip
"""Honest texts, many of them the twins of attacks."""
