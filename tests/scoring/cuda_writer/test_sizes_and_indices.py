"""The sizes that a kernel receives, the order of its parameters, and the variables for indices."""

from __future__ import annotations

from dataclasses import replace

from warpsmith.core.records.launch import Argument, Domain
from warpsmith.scoring.cuda_writer.idioms import idioms_of
from warpsmith.scoring.cuda_writer.write_cuda import write_cuda
from written_pairs import PLAIN, argument, pair_of, text_of


def count(name: str, number: int) -> Argument:
    """Return an argument with one value."""
    return replace(argument(name, "int32"), domain=Domain(kind="fill", low=number, high=number))


LIFE = """import warp as wp


@wp.kernel
def life(nx: int, old: wp.array3d(dtype=float), new: wp.array3d(dtype=float), births: wp.array2d(dtype=float), gain: float):
    env_id, row, col = wp.tid()
    total = old[env_id, row, (col + 1) % nx] + old[env_id, row, col]
    new[env_id, row, col] = total * gain
    wp.atomic_add(births, env_id, 0, total)
"""

LIFE_ARGUMENTS = (
    count("nx", 6),
    argument("old", "float32", (2, 5, 6)),
    argument("new", "float32", (2, 5, 6), "output"),
    argument("births", "float32", (2, 1), "inout"),
    argument("gain", "float32"),
)


def test_an_argument_that_is_a_size_is_the_only_name_of_it() -> None:
    found = write_cuda(pair_of(LIFE, "life", (2, 5, 6), *LIFE_ARGUMENTS), PLAIN)
    assert "life(const float* old, float* new_, float* births, float gain, int nx, int num_envs, int rows)" in " ".join(
        found.text.split()
    )
    assert "if (env_id >= num_envs || row >= rows || col >= nx) return;" in found.text
    assert "int idx = (env_id * rows + row) * nx + col;" in found.text
    assert "new_[idx] = total * gain;" in found.text
    assert "atomicAdd(&births[env_id], total);" in found.text
    assert (("nx", -1), ("", 2)) in found.contract.equal


def test_sizes_may_be_the_first_parameters() -> None:
    text = text_of(LIFE, "life", (2, 5, 6), *LIFE_ARGUMENTS, idioms=replace(PLAIN, sizes_first=True))
    assert "life(int nx, int num_envs, int rows, const float* old, float* new_, float* births, float gain)" in " ".join(
        text.split()
    )


TABLE = """import warp as wp


@wp.kernel
def sums(nx: int, nz: int, cells: wp.array3d(dtype=float), out: wp.array2d(dtype=float)):
    world, k = wp.tid()
    if k >= nz:
        return
    s = float(0.0)
    for i in range(nx):
        s += cells[world, i, k]
    out[world, k] = s
"""


def test_sizes_that_are_equal_by_chance_stay_apart() -> None:
    arguments = (count("nx", 6), count("nz", 6), argument("cells", "float32", (3, 6, 6)), argument("out", "float32", (3, 6)))
    found = write_cuda(pair_of(TABLE, "sums", (3, 8), *arguments), PLAIN)
    assert "cells[(world * nx + i) * nz + k]" in found.text
    assert "out[world * nz + k]" in found.text
    assert all({first, second} != {("nx", -1), ("nz", -1)} for first, second in found.contract.equal)


RESIZED = """import warp as wp


@wp.kernel
def resize(cols_in: int, rows: int, cols: int, source: wp.array2d(dtype=float), target: wp.array2d(dtype=float)):
    i, j = wp.tid()
    if i >= rows or j >= cols:
        return
    k = (2 * j) % cols_in
    target[i, j] = source[i, k + 0]
"""


def test_tables_of_the_same_size_have_two_widths_where_the_python_has_two() -> None:
    arguments = (
        *(count(name, 6) for name in ("cols_in", "rows", "cols")),
        argument("source", "float32", (6, 6)),
        argument("target", "float32", (6, 6), "output"),
    )
    found = write_cuda(pair_of(RESIZED, "resize", (6, 6), *arguments), PLAIN)
    assert "target[i * cols + j]" in found.text
    assert "source[i * cols +" not in found.text
    assert all({first, second} != {("source", 1), ("target", 1)} for first, second in found.contract.equal)


SAMPLED = """import warp as wp


@wp.func
def limited(i: int, count: int) -> int:
    return wp.min(wp.max(i, 0), count - 1)


@wp.func
def sample(image: wp.array2d(dtype=float), row: int, col: int, n_rows: int, n_cols: int) -> float:
    y = limited(row, n_rows)
    x = limited(col, n_cols)
    return image[y, x]


@wp.kernel
def shrink(rows_in: int, cols_in: int, cols: int, source: wp.array2d(dtype=float), target: wp.array2d(dtype=float)):
    i, j = wp.tid()
    if j >= cols:
        return
    target[i, j] = sample(source, 2 * i, 2 * j + 1, rows_in, cols_in)
"""


def test_the_functions_of_the_file_show_the_widths_of_what_they_receive() -> None:
    arguments = (
        *(count(name, 6) for name in ("rows_in", "cols_in", "cols")),
        argument("source", "float32", (6, 6)),
        argument("target", "float32", (6, 6), "output"),
    )
    found = write_cuda(pair_of(SAMPLED, "shrink", (6, 6), *arguments), PLAIN)
    assert (("cols_in", -1), ("source", 1)) in found.contract.equal
    assert "target[i * cols + j] = sample(source, 2 * i, 2 * j + 1, rows_in, cols_in);" in found.text


FLAT = """import warp as wp


@wp.kernel
def mix(a: wp.array2d(dtype=float), b: wp.array2d(dtype=float), width: int, height: int):
    tid = wp.tid()
    y = tid // width
    x = tid % width
    above = wp.max(y - 1, 0)
    below = wp.min(y + 1, height - 1)
    side = x
    if a[above, x] > 0.5:
        b[y, x] = a[above, x]
        side = 0
    elif a[below, side] > 0.25:
        b[y, x] = a[y, x] + a[below, side]
"""


def test_an_index_that_repeats_is_a_variable_and_that_of_the_thread_is_not_put_together_again() -> None:
    arguments = (
        argument("a", "float32", (5, 7)),
        argument("b", "float32", (5, 7), "output"),
        count("width", 7),
        count("height", 5),
    )
    found = write_cuda(pair_of(FLAT, "mix", (35,), *arguments), PLAIN)
    assert "if (tid >= height * width) return;" in found.text
    assert (
        "int above_x_idx = above * width + x;\n    if (a[above_x_idx] > 0.5f) {\n        b[tid] = a[above_x_idx];" in found.text
    )
    assert "b[tid] = a[tid] + a[below * width + side];" in found.text  # side changes in between
    assert found.contract.products == ((0, ("height", -1), ("width", -1)),)
    launch = pair_of(FLAT, "mix", (35,), *arguments).metadata.launch
    assert launch is not None
    assert found.contract.holds(launch, {"height": 5, "width": 7})
    assert not found.contract.holds(launch, {"height": 7, "width": 7})


def test_an_index_is_computed_anew_in_each_pass_of_a_loop() -> None:
    source = """import warp as wp


@wp.kernel
def rows(a: wp.array2d(dtype=float), b: wp.array2d(dtype=float)):
    i = wp.tid()
    for k in range(a.shape[1]):
        if a[i, k] > 0.5:
            b[i, k] = a[i, k]
"""
    text = text_of(source, "rows", (5,), argument("a", "float32", (5, 7)), argument("b", "float32", (5, 7), "output"))
    assert "++k) {\n        int k_idx = i * cols + k;\n        if (a[k_idx] > 0.5f)\n            b[k_idx] = a[k_idx];" in text


def test_a_check_of_bounds_against_a_constant_replaces_that_of_the_text_and_unused_coordinates_are_left_out() -> None:
    source = """import warp as wp

DOFS = wp.constant(7)


@wp.kernel
def scale(a: wp.array2d(dtype=float), b: wp.array2d(dtype=float)):
    world, d = wp.tid()
    if world >= b.shape[0] or d >= DOFS:
        return
    b[world, d] = 2.0 * a[world, d]
"""
    arguments = (argument("a", "float32", (5, 7)), argument("b", "float32", (5, 7), "output"))
    text = text_of(source, "scale", (5, 7), *arguments, idioms=replace(PLAIN, flat=True))
    assert "if (idx >= num_worlds * DOFS) return;\n\n    b[idx] = 2.0f * a[idx];" in text


def test_a_kernel_has_c_linkage_only_without_a_launcher() -> None:
    styles = [idioms_of(f"1-1-{number}") for number in range(200)]
    assert any(style.extern for style in styles)
    assert not any(style.extern and style.launcher for style in styles)


def test_a_function_receives_a_length_once_and_a_constant_may_be_one() -> None:
    source = """import warp as wp

CLASSES = wp.constant(9)


@wp.func
def at(img: wp.array2d(dtype=float), r: int, c: int, w: int):
    return img[r, wp.min(c, w - 1)]


@wp.kernel
def shift(img: wp.array2d(dtype=float), w: int, scores: wp.array2d(dtype=float)):
    i = wp.tid()
    for k in range(CLASSES):
        scores[i, k] = at(img, i, k % w, w) + at(img, i, k, CLASSES)
"""
    arguments = (argument("img", "float32", (5, 7)), count("w", 7), argument("scores", "float32", (5, 9), "output"))
    text = text_of(source, "shift", (5,), *arguments)
    assert "float at(const float* img, int r, int c, int w)\n{\n    return img[r * w + min(c, w - 1)];" in text
    assert "float at(const float* img, int img_cols, int r, int c, int w)" in text  # the second call passes another number
    assert "scores[i * CLASSES + k] = at(img, i, k % w, w) + at(img, w, i, k, CLASSES);" in text


BETWEEN = """import warp as wp


@wp.kernel
def differences(
    ends: wp.array2d(dtype=float),  # (num_rods, num_parts + 1) Ends of each part
    stiffness: wp.array2d(dtype=float),  # (num_rods, num_parts+1) Stiffness at the ends
    forces: wp.array2d(dtype=float),  # (num_rods, num_parts) Force of each part
):
    i, j = wp.tid()
    forces[i, j] = stiffness[i, j + 1] * (ends[i, j + 1] - ends[i, j])
"""


def test_shapes_in_the_documentation_name_sizes_and_make_them_equal() -> None:
    arguments = (
        *(argument(name, "float32", (6, 9)) for name in ("ends", "stiffness")),
        argument("forces", "float32", (6, 8), "output"),
    )
    found = write_cuda(pair_of(BETWEEN, "differences", (6, 8), *arguments), replace(PLAIN, shares_sizes=True))
    assert "int num_parts, int stiffness_cols)" in found.text
    assert "forces[i * num_parts + j] = stiffness[idx + 1] * (ends[idx + 1] - ends[idx]);" in found.text
    assert (("stiffness", 1), ("ends", 1)) in found.contract.equal
    other = arguments[0], replace(arguments[1], shape=(6, 10)), arguments[2]
    apart = write_cuda(pair_of(BETWEEN, "differences", (6, 8), *other), PLAIN)
    assert "int num_parts, int stiffness_cols, int ends_cols)" in apart.text
