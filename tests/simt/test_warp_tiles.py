"""Warp's operations on tiles are right and free of races on the machine for each size of blocks, but for known faults."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from mutants.gpu_mutants import copy_headers
from tile_kernels import LOADED_IN_A_LOOP, MATRIX_BY_ITS_TRANSPOSE, SOURCES, SUMS_OF_ROWS, TWO_SUMS
from warp_machine import MachineResult, machine_kernel

BLOCKS = (32, 64, 128, 256)

DISCARDED_LANES = ("sum of one element", "triangular solution", "solution by Cholesky")
"""Kernels with sums of fewer elements than a warp has lanes: Warp reads the values of absent lanes, and discards them."""

DEFAULT = ("sum", "inclusive scan")

WHOLE, TILE = 512, 256


def _run(name: str, block: int, *, reverse: bool = False) -> MachineResult:
    generator = np.random.default_rng(0)
    arrays = {key: generator.uniform(0.5, 1.0, WHOLE).astype(np.float32) for key in ("x", "y")}
    kernel = machine_kernel(SOURCES[name], block)
    return kernel.run((WHOLE // TILE, block), arrays | {"out": np.zeros(WHOLE, np.float32)}, ["out"], reverse=reverse)


@pytest.mark.parametrize(
    "name", [name if name in DEFAULT else pytest.param(name, marks=pytest.mark.exhaustive) for name in SOURCES]
)
def test_results_do_not_depend_on_the_size_of_blocks(name: str) -> None:
    """The results of both passes are those of blocks of one warp, and the machine finds nothing."""
    expected = _run(name, BLOCKS[0])
    for block in BLOCKS if name not in DEFAULT else BLOCKS[:2]:
        for reverse in (False, True):
            result = _run(name, block, reverse=reverse)
            kinds = {finding.kind for finding in result.findings}
            assert kinds <= ({"absent_lane"} if name in DISCARDED_LANES else set())
            for found, wanted in ((result.arrays, expected.arrays), (result.gradients, expected.gradients)):
                for key, values in wanted.items():
                    np.testing.assert_allclose(found[key], values, rtol=1e-4, atol=1e-4 * max(1.0, float(abs(values).max())))


@pytest.mark.parametrize(
    "block", [pytest.param(32, marks=pytest.mark.exhaustive), 64, pytest.param(128, marks=pytest.mark.exhaustive)]
)
def test_the_gradient_of_a_matrix_by_its_transpose_is_a_race(block: int) -> None:
    """``adj_tile_matmul`` adds both gradients to the same tile, with no barrier in between; the forward pass is right."""
    x = np.random.default_rng(0).standard_normal((16, 16)).astype(np.float32)
    kernel = machine_kernel(MATRIX_BY_ITS_TRANSPOSE, block)
    arrays = {"x": x, "out": np.zeros((16, 16), np.float32)}

    forward = kernel.run((1, block), arrays, ["out"], backward=False)
    assert forward.findings == ()
    np.testing.assert_allclose(forward.arrays["out"], x @ x.T, rtol=1e-4, atol=1e-4)

    result = kernel.run((1, block), arrays, ["out"])
    assert {finding.kind for finding in result.findings} == {"shared_race"}
    assert len({finding.line for finding in result.findings}) == 1
    np.testing.assert_allclose(result.gradients["x"], 2.0 * np.ones((16, 16), np.float32) @ x, rtol=1e-4, atol=1e-4)


def test_a_barrier_between_the_two_products_removes_the_race(tmp_path: Path) -> None:
    """The race is between the two products of the adjoint."""
    native = copy_headers(tmp_path)
    header = native / "tile_matmul.h"
    start, name, adjoint = header.read_text(encoding="utf-8").rpartition("void adj_tile_matmul(")
    end_of_first = "adj_A.grad, alpha_A, beta_A\n"
    assert adjoint.count(end_of_first) == 2  # with and without libmathdx
    header.write_text(start + name + _with_barriers(adjoint, end_of_first), encoding="utf-8")
    x = np.random.default_rng(0).standard_normal((16, 16)).astype(np.float32)

    kernel = machine_kernel(MATRIX_BY_ITS_TRANSPOSE, 64, native, precompiled=False)
    assert kernel.run((1, 64), {"x": x, "out": np.zeros((16, 16), np.float32)}, ["out"]).findings == ()


SUMS = {
    "adjoints of sums": (TWO_SUMS, (512,), "adj_tile_sum(Tile& t", "    if (WP_TILE_THREAD_IDX == 0)\n        scratch ="),
    "sums of rows": (SUMS_OF_ROWS, (4, 64), "\ntile_reduce_axis_impl(", "        if constexpr (reduce_dim_size <= 32) {"),
}
"""A kernel, the shape of its input, the function of the header with the race, and where it lacks a barrier."""


@pytest.mark.parametrize("name", SUMS)
def test_sums_of_one_type_are_a_race_without_a_barrier(name: str, tmp_path: Path) -> None:
    source, shape, function, place = SUMS[name]
    x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    arrays = {"x": x, "out": np.zeros(4, np.float32)}
    result = machine_kernel(source, 64).run((2, 64), arrays, ["out"])
    assert {finding.kind for finding in result.findings} == {"shared_race"}

    native = copy_headers(tmp_path)
    header = native / "tile_reduce.h"
    start, name, body = header.read_text(encoding="utf-8").partition(function)
    assert place in body
    header.write_text(start + name + body.replace(place, f"WP_TILE_SYNC();\n{place}", 1), encoding="utf-8")
    fixed = machine_kernel(source, 64, native, precompiled=False).run((2, 64), arrays, ["out"])
    assert fixed.findings == ()
    rows = x.reshape(-1, 256 if len(shape) == 1 else 64)
    one_by_one = len(shape) > 1
    expected = 6.0 * rows.sum(axis=1) if one_by_one else [*(2.0 * rows.sum(axis=1)), (x * x).sum(), 0.0]
    np.testing.assert_allclose(fixed.arrays["out"], expected, rtol=1e-4, atol=1e-3)
    np.testing.assert_allclose(fixed.gradients["x"], np.full_like(x, 6.0) if one_by_one else 2.0 + 2.0 * x, rtol=1e-4)


@pytest.mark.exhaustive
@pytest.mark.parametrize("block", BLOCKS)
def test_a_shared_tile_that_a_loop_loads_again_has_no_backward_pass(block: int) -> None:
    """The adjoint of the assignment in the loop uses a null pointer, which NVRTC compiles to a trap."""
    kernel = machine_kernel(LOADED_IN_A_LOOP, block)
    arrays = {name: np.ones(WHOLE, np.float32) for name in ("x", "y")} | {"out": np.zeros(WHOLE, np.float32)}
    dim = (WHOLE // TILE, block)
    assert kernel.run(dim, arrays, ["out"], backward=False).findings == ()
    assert [finding.kind for finding in kernel.run(dim, arrays, ["out"]).findings] == ["trap"]


def _with_barriers(adjoint: str, end: str) -> str:
    parts = adjoint.split(end)
    return parts[0] + "".join(end + part.replace(");", "); WP_TILE_SYNC();", 1) for part in parts[1:])
