"""Kernels whose options change the entry of the CUDA text pass every level, forward and backward."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from warpsmith.core.inputs.values import make_inputs
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.validation.levels import emulate, execute
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.level_results import LAUNCHES, line_key
from warpsmith.validation.levels.registry import levels_to
from warpsmith.validation.running.entry_calls import GridShape, in_order, out_of_order, seed

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

OPTIONS = ("grid_stride=False", "launch_bounds=128", "launch_bounds=(128, 2), grid_stride=False")

SOURCE = """import warp as wp


@wp.kernel(OPTIONS)
def k(x: wp.array2d(dtype=float), out: wp.array2d(dtype=float), total: wp.array(dtype=float)):
    i, j = wp.tid()
    if j == 3:
        return
    out[i, j] = x[i, j] * x[i, j] + wp.sin(x[i, j])
    wp.atomic_add(total, j, 3.0 * x[i, j])
"""

DIM = (61, 5)


@pytest.fixture(scope="module")
def lines(argument: Callable[..., Argument], pair_line: Callable[..., Line]) -> list[Line]:
    args = (
        argument("x", "float32", DIM),
        argument("out", "float32", DIM, role="output"),
        argument("total", "float32", (5,), role="inout"),
    )
    launch = Launch(dim=DIM, args=args)
    return [
        pair_line(SOURCE.replace("OPTIONS", options), launch, identity=f"form {number}", number=number)
        for number, options in enumerate(OPTIONS, start=1)
    ]


def test_all_levels_pass(lines: list[Line], check_in_worker) -> None:
    for verdict in check_in_worker(lines, *(level.name for level in levels_to("gradient"))):
        assert verdict.status == "pass", verdict


def test_what_they_leave_agrees_with_numpy(lines: list[Line], context: BatchContext) -> None:
    """Level emulate compares with `execute`; this test compares `execute` with NumPy, which is independent of both."""
    assert [finding.status for finding in execute.check(lines, context)] == 3 * ["pass"]
    for line in lines:
        outputs = context.results(LAUNCHES)[line_key(line)][0].outputs
        assert line.pair is not None
        assert line.pair.metadata.launch is not None
        values = make_inputs(line.pair.metadata.launch, line.pair.id)
        x, columns = values["x"].astype(np.float64), np.arange(5) != 3
        out = np.where(columns, x * x + np.sin(x), values["out"])
        np.testing.assert_allclose(outputs.arrays["out"], out, rtol=1e-5, atol=1e-6)
        total = values["total"] + np.where(columns, 3.0 * x.sum(axis=0), 0.0)
        np.testing.assert_allclose(outputs.arrays["total"], total, rtol=1e-4, atol=1e-4)
        gradient = (2.0 * x + np.cos(x)) * seed(values["out"]) + 3.0 * seed(values["total"])
        np.testing.assert_allclose(outputs.gradients["x"], np.where(columns, gradient, 0.0), rtol=1e-4, atol=1e-4)


def test_grids_with_too_few_threads_suit_no_kernel_without_a_stride(
    lines: list[Line], context: BatchContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    execute.check(lines, context)
    monkeypatch.setattr(emulate, "in_order", in_order_with_stride)
    statuses = [finding.status for finding in emulate.check(lines, context)]
    assert statuses == ["fail", "pass", "fail"]


def in_order_with_stride(launch: Launch, strides: bool) -> list[GridShape]:  # noqa: ARG001 - replaces `in_order`
    return in_order(launch)


@pytest.mark.parametrize("dim", [(1,), (7,), (300,), (5, 61)])
def test_shapes_without_a_stride_have_a_thread_for_each_element(dim: tuple[int, ...]) -> None:
    launch = Launch(dim=dim, args=())
    shapes = [*in_order(launch, strides=False), *out_of_order(launch, strides=False)]
    assert all(shape.grid * shape.block >= np.prod(dim) for shape in shapes)
    assert [shape.reversed for shape in shapes] == [0, 0, 0, 1, 1]
