"""The writer of stand-alone CUDA: the texts of small kernels, by the idioms, and what it does not support."""

from __future__ import annotations

from dataclasses import replace

import pytest

from warpsmith.scoring.cuda_writer.write_cuda import NotWritten, write_cuda
from written_pairs import PLAIN, argument, pair_of, text_of

DISTANCES = '''import warp as wp

EPS = wp.constant(1.0e-6)  # keeps the root finite


@wp.func
def polar(d: wp.vec2):
    radius = wp.sqrt(d[0] * d[0] + d[1] * d[1] + EPS)
    angle = wp.atan2(d[1], d[0])
    return radius, angle


@wp.kernel
def distances(points: wp.array(dtype=wp.vec2), count: int, out: wp.array(dtype=float)):
    """Store the distance of each point."""
    i = wp.tid()
    if i >= count:
        return

    # from the origin
    r, phi = polar(points[i])
    if phi < 0.0:
        out[i] = -r
    else:
        out[i] = r  # on the upper side
'''

ARGUMENTS = (argument("points", "vec2f", (8,)), argument("count", "int32"), argument("out", "float32", (8,), "output"))

EXPECTED = """constexpr float EPS = 1.0e-6f;  // keeps the root finite

__device__ inline void polar(float2 d, float& radius, float& angle)
{
    radius = sqrtf(d.x * d.x + d.y * d.y + EPS);
    angle = atan2f(d.y, d.x);
}

// Store the distance of each point.
__global__ void distances(const float2* points, float* out, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;

    // from the origin
    float r, phi;
    polar(points[i], r, phi);
    if (phi < 0.0f) {
        out[i] = -r;
    } else {
        out[i] = r;  // on the upper side
    }
}
"""


def test_a_text_is_what_an_engineer_would_write() -> None:
    assert text_of(DISTANCES, "distances", (8,), *ARGUMENTS) == EXPECTED


def test_idioms_change_the_style() -> None:
    other = replace(PLAIN, strides=True, restrict=True, const_locals=True, defines=True, indent=2, pointers=True, braces=True)
    text = text_of(DISTANCES, "distances", (8,), *ARGUMENTS, idioms=other)
    assert "#define EPS 1.0e-6f" in text
    assert "const float2* __restrict__ points" in text
    assert "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += blockDim.x * gridDim.x) {" in text
    assert "polar(points[i], r, phi);" in text  # the results are variables of the function, which pointers would copy
    assert "  radius = sqrtf(" in text


GRID = """import warp as wp


@wp.kernel
def blur(u: wp.array2d(dtype=float), v: wp.array2d(dtype=float), mass: wp.array(dtype=wp.vec3), total: wp.array(dtype=wp.vec3)):
    row, col = wp.tid()
    s = float(0.0)
    for k in range(3):
        s += u[row, col + k]
    v[row, col] = s / 3.0
    wp.atomic_add(total, 0, mass[row] * s)
"""

GRID_ARGUMENTS = (
    argument("u", "float32", (4, 10)),
    argument("v", "float32", (4, 8), "output"),
    argument("mass", "vec3f", (4,)),
    argument("total", "vec3f", (1,), "inout"),
)


def test_axes_of_equal_lengths_share_a_size_and_the_contract_says_so() -> None:
    found = write_cuda(pair_of(GRID, "blur", (4, 8), *GRID_ARGUMENTS), PLAIN)
    assert "v[row * cols + col] = s / 3.0f;" in found.text
    assert "s += u[row * u_cols + col + k];" in found.text
    assert found.contract.equal == ((("", 1), ("v", 1)),)
    apart = write_cuda(pair_of(GRID, "blur", (4, 8), *GRID_ARGUMENTS), replace(PLAIN, shares_sizes=False))
    assert "v[row * v_cols + col]" in apart.text
    assert apart.contract.equal == ()


def test_a_contract_holds_for_launches_with_these_sizes_only() -> None:
    pair = pair_of(GRID, "blur", (4, 8), *GRID_ARGUMENTS)
    launch = pair.metadata.launch
    assert launch is not None
    contract = write_cuda(pair, PLAIN).contract
    assert contract.holds(launch, {})
    assert not contract.holds(replace(launch, dim=(4, 7)), {})


def test_vectors_may_be_numbers_in_memory() -> None:
    text = text_of(GRID, "blur", (4, 8), *GRID_ARGUMENTS, idioms=replace(PLAIN, components=True, flat=True))
    assert "const float* mass" in text
    assert "atomic_add3(total, load_float3(mass, row) * s);" in text
    assert "int row = idx / cols;" in text


def test_generic_functions_are_overloads() -> None:
    source = """from typing import Any
import warp as wp


@wp.func
def twice(x: Any):
    return x + x


@wp.kernel
def doubles(a: wp.array(dtype=float), b: wp.array(dtype=wp.vec3d)):
    i = wp.tid()
    a[i] = twice(a[i])
    b[i] = twice(b[i]) * wp.float64(0.5)
"""
    text = text_of(source, "doubles", (4,), argument("a", "float32", (4,), "inout"), argument("b", "vec3d", (4,), "inout"))
    assert "float twice(float x)" in text
    assert "double3 twice(double3 x)" in text
    assert "b[i] = twice(b[i]) * 0.5;" in text


def test_several_results_have_the_names_of_the_first_caller() -> None:
    source = """import warp as wp

SECOND = wp.constant(2.0)
FIRST = wp.constant(3.0)


@wp.func
def rates(a: float):
    return wp.sqrt(a), FIRST - a


@wp.kernel
def mix(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    signal, noise = rates(x[i])
    v = wp.vec3(SECOND, 0.0, float(3))
    y[i] = signal * noise + v[0]
"""
    text = text_of(source, "mix", (4,), argument("x", "float32", (4,)), argument("y", "float32", (4,), "output"))
    assert "rates(float a, float& signal, float& noise)" in text
    assert "make_float3(SECOND, 0.0f, 3.0f)" in text
    assert text.index("SECOND = 2.0f") < text.index("FIRST = 3.0f")


def test_variables_are_declared_where_their_values_are_needed() -> None:
    source = """import warp as wp


@wp.kernel
def signs(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    if x[i] > 0.5:
        side = 1.0
    else:
        side = -1.0
    for k in range(2):
        t = x[i] * float(k)
        y[i] = t
    for k in range(3):
        t = x[i] + float(k)
        y[i] = t * side
"""
    text = text_of(source, "signs", (4,), argument("x", "float32", (4,)), argument("y", "float32", (4,), "output"))
    assert "    float side = x[i] > 0.5f ? 1.0f : -1.0f;\n" in text
    assert text.count("float t = ") == 2


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("y[i] = wp.volume_sample_f(wp.uint64(0), wp.vec3(), 0)", "wp.volume_sample_f as a function"),
        ("y[i] = x[i] @ 2.0", "MatMult"),
        ("y[i] = wp.float16(x[i]) + wp.float16(x[i])", "half-precision"),
        ("assert x[i] > 0.0", "a Assert statement"),
    ],
)
def test_errors_name_what_is_not_supported(statement: str, reason: str) -> None:
    head = "import warp as wp\n\n\n@wp.kernel\ndef k(x: wp.array(dtype=float), y: wp.array(dtype=float)):"
    source = f"{head}\n    i = wp.tid()\n    {statement}\n"
    pair = pair_of(source, "k", (4,), argument("x", "float32", (4,)), argument("y", "float32", (4,), "output"))
    with pytest.raises(NotWritten, match=reason):
        write_cuda(pair, PLAIN)


def test_a_pair_without_launch_has_no_text() -> None:
    pair = pair_of(DISTANCES, "distances", (8,), *ARGUMENTS)
    with pytest.raises(NotWritten, match="no launch"):
        write_cuda(replace(pair, metadata=replace(pair.metadata, launch=None)))
