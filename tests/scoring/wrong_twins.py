"""Wrong answers and their right twins, for kernels whose own launch hides a mistake: sizes, starting values, ties, rounding."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import warp as wp

from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.core.records.pair import Pair
from warpsmith.extraction.codegen.extract import extract_ir
from warpsmith.extraction.targets.loading import loaded_kernel


def array(name: str, dtype: str, role: str, shape: tuple[int, ...], low: float, high: float, kind: str = "uniform") -> Argument:
    domain = Domain(kind=kind if low != high else "fill", low=low, high=high)  # type: ignore[arg-type]
    return Argument(name=name, kind="array", dtype=dtype, role=role, shape=shape, domain=domain)  # type: ignore[arg-type]


def value(name: str, dtype: str, low: float, high: float) -> Argument:
    domain = Domain(kind="uniform" if low != high else "fill", low=low, high=high)
    return Argument(name=name, kind="value", dtype=dtype, role="input", shape=(), domain=domain)


KERNELS = {
    "count_large": (
        """
@wp.kernel
def count_large(x: wp.array(dtype=float), limit: float, flags: wp.array(dtype=int), total: wp.array(dtype=int)):
    i = wp.tid()
    d = x[i] - limit
    if d > 0.25:
        flags[i] = 1
        wp.atomic_add(total, 0, 1)
    else:
        flags[i] = 0
""",
        (64,),
        (
            array("x", "float32", "input", (64,), -1.0, 1.0),
            value("limit", "float32", -0.5, 0.5),
            array("flags", "int32", "output", (64,), 0, 0),
            array("total", "int32", "inout", (1,), 0, 0),
        ),
    ),
    "scale_rows": (
        """
@wp.kernel
def scale_rows(a: wp.array2d(dtype=float), weights: wp.array(dtype=float), n: int, m: int, out: wp.array2d(dtype=float)):
    i, j = wp.tid()
    if i < n and j < m:
        out[i, j] = a[i, j] * weights[j]
""",
        (12, 12),
        (
            array("a", "float32", "input", (12, 12), -1.0, 1.0),
            array("weights", "float32", "input", (12,), -1.0, 1.0),
            value("n", "int32", 12, 12),
            value("m", "int32", 12, 12),
            array("out", "float32", "output", (12, 12), 0.0, 0.0),
        ),
    ),
    "row_sums": (
        """
@wp.kernel
def row_sums(a: wp.array2d(dtype=float), width: int, sums: wp.array(dtype=float)):
    i = wp.tid()
    total = float(0.0)
    for j in range(width):
        total += a[i, j]
    sums[i] = total
""",
        (40,),
        (
            array("a", "float32", "input", (40, 64), -1.0, 1.0),
            value("width", "int32", 64, 64),
            array("sums", "float32", "output", (40,), 0.0, 0.0),
        ),
    ),
    "nearest": (
        """
@wp.kernel
def nearest(x: wp.array(dtype=float), keep: wp.array(dtype=int), gap: wp.array(dtype=float)):
    i = wp.tid()
    gap[i] = wp.where(keep[i] > 0, x[i] * 0.001, 1.0e10)
""",
        (50,),
        (
            array("x", "float32", "input", (50,), -1.0, 1.0),
            array("keep", "int32", "input", (50,), 0, 1),
            array("gap", "float32", "output", (50,), 0.0, 0.0),
        ),
    ),
    "bucket": (
        """
@wp.kernel
def bucket(codes: wp.array(dtype=int), cells: wp.array(dtype=int)):
    i = wp.tid()
    cells[i] = codes[i] // 4
""",
        (48,),
        (array("codes", "int32", "input", (48,), 0, 40), array("cells", "int32", "output", (48,), 0, 0)),
    ),
    "tiny": (
        """
@wp.kernel
def tiny(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = 0.000001 * x[i] * x[i]
""",
        (48,),
        (array("x", "float32", "input", (48,), 0.5, 1.0), array("y", "float32", "output", (48,), 0.0, 0.0)),
    ),
}
"""The Python of each kernel, the size of its launch, and the arguments."""


@lru_cache
def pair_of(name: str) -> Pair:
    """Return the pair of a kernel."""
    body, dim, arguments = KERNELS[name]
    source = f"import warp as wp\n\n{body}"
    with loaded_kernel(source, name) as kernel:
        ir = extract_ir(kernel, "both", include_backward=True)
    return Pair.from_ir(
        ir, identity=name, python_source=source, category="test", warp_version=str(wp.__version__), generator_version="1",
        launch=Launch(dim=dim, args=arguments), description="A test.",
    )  # fmt: skip


@dataclass(frozen=True)
class Twins:
    """A wrong answer and its right twin.

    Attributes:
        kernel: the name of the kernel.
        kind: the kind of task.
        mistake: what is wrong.
        wrong: the wrong answer; for CUDA the body of the kernel, or of its loop over elements.
        right: the right one.
    """

    kernel: str
    kind: str
    mistake: str
    wrong: str
    right: str


COUNT = """int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= dim0) return;
"""

PLAIN = (
    Twins(
        "count_large", "python_to_plain_cuda", "stores instead of adding",
        COUNT + "if (x[i] - limit > 0.25f) { flags[i] = 1; total[0] = 1; } else flags[i] = 0;",
        COUNT + "if (x[i] - limit > 0.25f) { flags[i] = 1; atomicAdd(total, 1); } else flags[i] = 0;",
    ),
    Twins(
        "count_large", "python_to_plain_cuda", "never stores a zero",
        COUNT + "if (x[i] - limit > 0.25f) { flags[i] = 1; atomicAdd(total, 1); }",
        COUNT + "int f = x[i] - limit > 0.25f; flags[i] = f; if (f) atomicAdd(total, 1);",
    ),
    Twins(
        "count_large", "python_to_plain_cuda", "counts a tie",
        COUNT + "int f = x[i] - limit >= 0.25f; flags[i] = f; if (f) atomicAdd(total, 1);",
        COUNT + "int f = !(x[i] - limit <= 0.25f); flags[i] = f; if (f) atomicAdd(total, 1);",
    ),
    Twins(
        "count_large", "python_to_plain_cuda", "assumes 64 threads",
        COUNT.replace("dim0", "64") + "int f = x[i] - limit > 0.25f; flags[i] = f; if (f) atomicAdd(total, 1);",
        COUNT + "int f = x[i] - limit > 0.25f; flags[i] = f; if (f) atomicAdd(total, 1);",
    ),
    Twins(
        "scale_rows", "python_to_plain_cuda", "exchanges the dimensions",
        """int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < dim0 && j < dim1 && i < n && j < m) out[i * out_shape1 + j] = a[i * a_shape1 + j] * weights[j];""",
        """int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < dim0 && j < dim1 && i < n && j < m) out[i * out_shape1 + j] = a[i * a_shape1 + j] * weights[j];""",
    ),
    Twins(
        "scale_rows", "python_to_plain_cuda", "uses the count as the stride",
        """int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < dim0 && j < dim1 && i < n && j < m) out[i * m + j] = a[i * m + j] * weights[j];""",
        """int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= dim0 || j >= dim1 || i >= n || j >= m) return;
    out[i * out_shape1 + j] = weights[j] * a[i * a_shape1 + j];""",
    ),
    Twins(
        "scale_rows", "python_to_plain_cuda", "ignores the counts",
        """int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < out_shape0 && j < out_shape1 && i < a_shape0 && j < a_shape1 && j < weights_shape0)
        out[i * out_shape1 + j] = a[i * a_shape1 + j] * weights[j];""",
        """int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < min(dim0, n) && j < min(dim1, m)) out[i * out_shape1 + j] = a[i * a_shape1 + j] * weights[j];""",
    ),
    Twins(
        "row_sums", "python_to_plain_cuda", "has no tail after steps of four",
        COUNT + """float s = 0.0f;
    for (int j = 0; j + 3 < width; j += 4) for (int k = 0; k < 4; ++k) s += a[i * a_shape1 + j + k];
    sums[i] = s;""",
        COUNT + """float s = 0.0f, t = 0.0f; int j = 0;
    for (; j + 1 < width; j += 2) { s += a[i * a_shape1 + j]; t += a[i * a_shape1 + j + 1]; }
    if (j < width) s += a[i * a_shape1 + j];
    sums[i] = s + t;""",
    ),
    Twins(
        "nearest", "python_to_plain_cuda", "is zero beside a sentinel",
        COUNT + "gap[i] = keep[i] > 0 ? 0.0f : 1e10f;",
        COUNT + "gap[i] = keep[i] > 0 ? 0.001f * x[i] : 1e10f;",
    ),
    Twins(
        "bucket", "python_to_plain_cuda", "divides towards zero",
        COUNT + "cells[i] = codes[i] / 4;",
        COUNT + "cells[i] = codes[i] >> 2;",
    ),
)  # fmt: skip

FORWARD = (
    Twins(
        "count_large", "python_to_cuda", "stores instead of adding",
        """wp::int32 i = builtin_tid1d();
        wp::int32 f = wp::load(wp::address(var_x, i)) - var_limit > 0.25f;
        wp::array_store(var_flags, i, f);
        if (f) wp::array_store(var_total, 0, 1);""",
        """wp::int32 i = builtin_tid1d();
        wp::int32 f = wp::load(wp::address(var_x, i)) - var_limit > 0.25f;
        wp::array_store(var_flags, i, f);
        if (f) wp::atomic_add(var_total, 0, 1);""",
    ),
    Twins(
        "count_large", "python_to_cuda", "never stores a zero",
        """wp::int32 i = builtin_tid1d();
        if (wp::load(wp::address(var_x, i)) - var_limit > 0.25f) {
            wp::array_store(var_flags, i, 1);
            wp::atomic_add(var_total, 0, 1);
        }""",
        """wp::int32 i = builtin_tid1d();
        wp::int32 f = 0;
        if (wp::load(wp::address(var_x, i)) - var_limit > 0.25f) f = 1;
        wp::array_store(var_flags, i, f);
        wp::atomic_add(var_total, 0, f);""",
    ),
    Twins(
        "row_sums", "python_to_cuda", "assumes a width of 64",
        """wp::int32 i = builtin_tid1d();
        wp::float32 s = 0.0f;
        for (int j = 0; j < 64; ++j) s = s + wp::load(wp::address(var_a, i, j));
        wp::array_store(var_sums, i, s);""",
        """wp::int32 i = builtin_tid1d();
        wp::float32 s = 0.0f;
        for (int j = var_width - 1; j >= 0; --j) s = s + wp::load(wp::address(var_a, i, j));
        wp::array_store(var_sums, i, s);""",
    ),
    Twins(
        "nearest", "python_to_cuda", "is zero beside a sentinel",
        """wp::int32 i = builtin_tid1d();
        wp::array_store(var_gap, i, wp::load(wp::address(var_keep, i)) > 0 ? 0.0f : 1.0e10f);""",
        """wp::int32 i = builtin_tid1d();
        wp::float32 x = wp::load(wp::address(var_x, i));
        wp::array_store(var_gap, i, wp::load(wp::address(var_keep, i)) > 0 ? x * 0.001f : 1.0e10f);""",
    ),
)  # fmt: skip

ADJOINTS = (
    Twins(
        "tiny", "forward_to_adjoint", "leaves small gradients out",
        """wp::int32 i = builtin_tid1d();
        wp::array_store(adj_y, i, 0.0f);""",
        """wp::int32 i = builtin_tid1d();
        wp::float32 g = wp::load(wp::address(adj_y, i));
        wp::array_store(adj_y, i, 0.0f);
        wp::atomic_add(adj_x, i, 0.000002f * wp::load(wp::address(var_x, i)) * g);""",
    ),
    Twins(
        "row_sums", "forward_to_adjoint", "assumes a width of 64",
        """wp::int32 i = builtin_tid1d();
        wp::float32 g = wp::load(wp::address(adj_sums, i));
        wp::array_store(adj_sums, i, 0.0f);
        for (int j = 0; j < 64; ++j) wp::atomic_add(adj_a, i, j, g);""",
        """wp::int32 i = builtin_tid1d();
        wp::float32 g = wp::load(wp::address(adj_sums, i));
        wp::array_store(adj_sums, i, 0.0f);
        for (int j = 0; j < var_width; ++j) wp::atomic_add(adj_a, i, j, g);""",
    ),
    Twins(
        "scale_rows", "forward_to_adjoint", "ignores the counts",
        """wp::int32 i, j;
        builtin_tid2d(i, j);
        wp::float32 g = wp::load(wp::address(adj_out, i, j));
        wp::array_store(adj_out, i, j, 0.0f);
        wp::atomic_add(adj_a, i, j, g * wp::load(wp::address(var_weights, j)));
        wp::atomic_add(adj_weights, j, g * wp::load(wp::address(var_a, i, j)));""",
        """wp::int32 i, j;
        builtin_tid2d(i, j);
        if (i >= var_n || j >= var_m) continue;
        wp::float32 g = wp::load(wp::address(adj_out, i, j));
        wp::array_store(adj_out, i, j, 0.0f);
        wp::atomic_add(adj_a, i, j, g * wp::load(wp::address(var_weights, j)));
        wp::atomic_add(adj_weights, j, g * wp::load(wp::address(var_a, i, j)));""",
    ),
)  # fmt: skip


def _python(name: str, before: str, after: str) -> str:
    source = f"import warp as wp\n\n{KERNELS[name][0]}"
    assert before in source
    return source.replace(before, after)


PYTHON = (
    Twins(
        "count_large", "cuda_to_python", "stores instead of adding",
        _python("count_large", "wp.atomic_add(total, 0, 1)", "total[0] = 1"),
        _python("count_large", "if d > 0.25", "if not d <= 0.25"),
    ),
    Twins(
        "count_large", "cuda_to_python", "never stores a zero",
        _python("count_large", "    else:\n        flags[i] = 0\n", ""),
        _python("count_large", "d = x[i] - limit", "d = -limit + x[i]"),
    ),
    Twins(
        "row_sums", "cuda_to_python", "uses the length of the array as the width",
        _python("row_sums", "range(width)", "range(a.shape[1])"),
        _python("row_sums", "total += a[i, j]", "total = a[i, j] + total"),
    ),
    Twins(
        "bucket", "cuda_to_python", "divides towards zero",
        _python("bucket", "codes[i] // 4", "int(float(codes[i]) / 4.0)"),
        _python("bucket", "codes[i] // 4", "codes[i] >> 2"),
    ),
    Twins(
        "nearest", "cuda_to_python", "is zero beside a sentinel",
        _python("nearest", "x[i] * 0.001", "x[i] * 0.0"),
        _python("nearest", "x[i] * 0.001", "0.001 * x[i]"),
    ),
)  # fmt: skip

ALL = (*PLAIN, *FORWARD, *ADJOINTS, *PYTHON)
"""All twins."""
