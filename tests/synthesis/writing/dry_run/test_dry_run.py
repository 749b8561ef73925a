"""Dry runs of kernels made by hand: those that show nothing are rejected, and values equal those of validation."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from synthesis.writing.dry_run.stand_ins import array, run_stand_in, value
from warpsmith.core.inputs.values import make_inputs
from warpsmith.core.records.launch import Launch
from warpsmith.extraction.targets.loading import compile_module
from warpsmith.synthesis.writing.dry_run.branches import Branches
from warpsmith.synthesis.writing.dry_run.kernel_run import DryRun

N = 40

ARGUMENTS = (
    array("x", "float32", (N,), 0.1, 0.6),
    array("points", "vec2f", (N,), -1.0, 1.0),
    array("codes", "int32", (N,), 0, 3),
    array("table", "float32", (3, 50), 0.1, 0.6),
    array("heights", "float32", (3,), 0.1, 0.6),
    value("n", "int32", N),
    value("boundary", "int32", 0),
    value("gain", "float32", 0.9),
    array("out", "float32", (N,), 0.0, role="output"),
    array("grid", "float32", (3, 50), 0.0, role="output"),
    array("cells", "int32", (N,), 0, role="output"),
    array("moved", "vec2f", (N,), 0.0, role="output"),
    array("total", "float32", (1,), 0.0, role="inout"),
    array("highest", "float32", (1,), -1.0e4, role="inout"),
    array("lowest", "float32", (1,), -5.0, role="inout"),
    array("most", "int32", (1,), -9, role="inout"),
    array("bins", "float32", (4,), 0.0, role="inout"),
    array("counts", "int32", (4,), 0, role="inout"),
    array("thirds", "int32", (3,), 0, role="inout"),
)

SPELLING = {"float32": "float", "int32": "int", "vec2f": "wp.vec2"}


def dry_run(body: str, dim: tuple[int, ...] = (48,)) -> str | None:
    """Run a kernel with this body and the `ARGUMENTS` that it names; the opening is added if there is none."""
    named = set(re.findall(r"\w+", body)) | {"n"}
    known = tuple(argument for argument in ARGUMENTS if argument.name in named)
    written = [
        f"{one.name}: {SPELLING[one.dtype]}" if not one.shape else f"{one.name}: wp.array{len(one.shape)}d(dtype=float)"
        for one in known
    ]
    opening = "i = wp.tid()\nif i >= n:\n    return" if len(dim) == 1 else "i, j = wp.tid()\nif i >= 3 or j >= 50:\n    return"
    lines = "\n".join(f"    {line}" for line in (body if "wp.tid()" in body else f"{opening}\n{body}").splitlines())
    source = f"import warp as wp\n\n\n@wp.kernel\ndef show({', '.join(written)}):\n{lines}\n"
    launch = Launch(dim=dim, args=known)
    branches = Branches(source.replace("array1d", "array"))
    dry = DryRun(branches, compile_module(branches.source), "show")
    return dry.rejection_reason(launch, "by hand", make_inputs(launch, "by hand"))


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("out[i] = wp.max(x[i], 0.7)", "out is constant"),
        ("out[i] = wp.abs(x[i]) - x[i]", "out is constant"),
        ("out[i] = wp.where(boundary > 0, x[i], gain)", "out is constant"),
        ("cells[i] = int(x[i])", "cells is constant"),
        ("out[i] = float(boundary) * x[i]", "out is constant"),
        ("moved[i] = wp.vec2(gain, 1.0)", "moved is constant"),
        ("out[i] = 1.0e8 + 1.0e-7 * x[i]", "out is constant"),
        ("out[i] = 0.1 * x[i] * 10.0 - x[i]", "out is constant"),
        ("v = wp.vec2(gain, gain)\nmoved[i] = v\nv[0] = x[i]", "moved is constant"),
        ("if x[i] > 0.7:\n    out[i] = x[i]", "out is constant"),
        ("out[i] = x[i]\ncells[i] = boundary * 1", "cells is constant"),
        ("if x[i] > 0.7:\n    wp.atomic_add(total, 0, x[i])", "total is left as it was"),
        ("wp.atomic_min(lowest, 0, x[i])", "lowest is left as it was"),
        ("wp.atomic_add(total, 0, x[i] - x[i])", "total is left as it was"),
        ("wp.atomic_max(highest, 0, wp.max(gain, x[i]))", "highest has a tie"),
        ("wp.atomic_max(highest, 0, float(n - i // 2))", "highest has a tie"),
        ("wp.atomic_max(bins, i % 4, wp.where(i % 4 == 0, -float(i), x[i]))", "bins has a tie"),
        ("wp.atomic_max(bins, codes[i], x[i] - x[i])", "bins is left as it was"),
        ("out[i] = x[i + n]", "IndexError"),
        ("out[i] = x[i - 1]", "IndexError"),
        ("out[i] = table[i - 1, 3]", "IndexError"),
        ("out[i - 1] = x[i]", "IndexError"),
        ("out[i] = points[i][2]", "IndexError"),
        ("out[i] = wp.sqrt(x[i] - 2.0)", "ValueError"),
        ("out[i] = 1.0 / (x[i] - x[i])", "ZeroDivisionError"),
        ("out[i] = wp.exp(1.0e4 * x[i] + 1.0e4)", "OverflowError"),
    ],
)
def test_kernels_that_show_nothing_are_rejected(body: str, reason: str) -> None:
    reasons = dry_run(body)
    assert reasons is not None
    assert reasons.startswith(reason)


@pytest.mark.parametrize(
    "body",
    [
        "out[i] = x[i]",
        "out[i] = wp.max(x[i], 0.35)",
        "out[i] = 1.0e-3 * x[i] + 1.0",
        "out[i] = wp.where(i == n - 1, gain, 0.1)",
        "if i != n - 1:\n    out[i] = gain",
        "moved[i] = wp.vec2(gain, x[i])",
        "cells[i] = int(10.0 * x[i])",
        "v = wp.vec2(x[i], 1.0)\nmoved[i] = v\nv[0] = 0.0",
        "wp.atomic_add(total, 0, gain)",
        "wp.atomic_sub(total, 0, x[i])",
        "wp.atomic_add(thirds, i % 3, 1)",
        "wp.atomic_add(counts, i % 4, 1)",
        "wp.atomic_add(bins, i % 4, gain)",
        "wp.atomic_add(bins, codes[i], x[i])",
        "wp.atomic_max(highest, 0, x[i])",
        "wp.atomic_max(lowest, 0, x[i] - float(i))",
        "wp.atomic_max(most, 0, codes[i])",
        "out[i] = x[i]\nwp.atomic_max(bins, codes[i], x[i])",
        "cells[i] = boundary",
        "cells[i] = -1",
        "moved[i] = wp.vec2(0.0, 1.0)",
    ],
)
def test_kernels_that_show_a_result_are_kept(body: str) -> None:
    assert dry_run(body) is None


def test_grids_vary_in_both_dimensions() -> None:
    assert dry_run("grid[i, j] = heights[i]", (4, 64)) is None
    assert dry_run("grid[i, j] = table[0, j]", (4, 64)) is None
    assert dry_run("grid[i, j] = table[0, 0]", (4, 64)) == "grid is constant"
    assert (dry_run("grid[i, j] = table[i, j - 1]", (4, 64)) or "").startswith("IndexError")


def test_values_equal_those_of_validation() -> None:
    """A limit between the two largest values for this id lets one thread pass, and a limit above the largest none."""
    launch = Launch(dim=(N,), args=(array("x", "float32", (N,), 0.1, 0.6),))
    second, first = sorted(make_inputs(launch, "by hand")["x"].tolist())[-2:]
    assert dry_run(f"out[i] = wp.max(x[i], {(first + second) / 2.0})") is None
    assert dry_run(f"out[i] = wp.max(x[i], {first + 1.0e-3})") == "out is constant"


@pytest.mark.parametrize(
    ("key", "left"),
    [
        ("add", np.cumsum),
        ("sub", lambda x: -np.cumsum(x)),
        ("max", lambda x: np.maximum(np.maximum.accumulate(x), 0.0)),
        ("min", lambda x: np.minimum(np.minimum.accumulate(x), 0.0)),
    ],
)
def test_atomics_return_the_value_before(key: str, left: Any) -> None:
    """Each thread gets the sum, or the extreme, of all threads before it."""
    arguments = (
        array("x", "float32", (N,), -1.0, 1.0),
        array("out", "float32", (N,), 0.0, role="output"),
        array("total", "float32", (1,), 0.0, role="inout"),
    )
    launch = Launch(dim=(N,), args=arguments)
    source = (
        "import warp as wp\n\n\n@wp.kernel\ndef show(x: wp.array[float], out: wp.array[float], total: wp.array[float]):\n"
        f"    i = wp.tid()\n    out[i] = wp.atomic_{key}(total, 0, x[i])\n"
    )
    found = run_stand_in(source, "show", launch, "by hand")
    expected = [0.0, *left(make_inputs(launch, "by hand")["x"].astype(float))]
    np.testing.assert_allclose([*found["out"][:, 0], found["total"][0, 0]], expected)


def test_kernels_that_the_stand_in_does_not_support_are_kept() -> None:
    assert dry_run("out[i] = wp.no_such_builtin(x[i])") is None


@pytest.mark.parametrize(
    "condition",
    ["x[i] > 0.7", "x[i] > 0.0", "codes[i] < 0", "codes[i] * 2 == 3", "gain > 2.0", "i < 0"],
)
def test_a_branch_that_goes_one_way_is_a_reason(condition: str) -> None:
    assert dry_run(f"out[i] = x[i]\nif {condition}:\n    out[i] = 2.0 * x[i]") == "a branch goes one way"


@pytest.mark.parametrize(
    "condition",
    ["x[i] > 0.5", "codes[i] == 2", "codes[i] != 0 and x[i] > 0.2", "i % 2 == 0", "x[i] == 0.25", "i > 3 or x[i] > 0.7"],
)
def test_branches_that_go_both_ways_are_kept(condition: str) -> None:
    assert dry_run(f"out[i] = x[i]\nif {condition}:\n    out[i] = 2.0 * x[i]") is None


def test_the_test_around_a_body_need_not_be_false() -> None:
    """No thread is beyond the end here; only the first test of a kernel may be about threads beyond the end."""
    around = "i = wp.tid()\nif i < n:\n    out[i] = x[i]"
    assert dry_run(around, (N,)) is None
    assert dry_run(f"{around}\nif i < n:\n    out[i] = 2.0 * x[i]", (N,)) == "a branch goes one way"
    assert dry_run(around.replace("i < n", "codes[i] < n"), (N,)) == "a branch goes one way"


def test_every_test_of_a_ladder_and_of_a_loop_counts() -> None:
    ladder = (
        "if codes[i] == 0:\n    out[i] = x[i]\nelif codes[i] == {}:\n    out[i] = 2.0 * x[i]\nelse:\n    out[i] = 3.0 * x[i]"
    )
    assert dry_run(ladder.format(1)) is None
    assert dry_run(ladder.format(0)) == "a branch goes one way"
    loop = "s = float(0.0)\nfor k in range(3):\n    if {}:\n        continue\n    s += x[i]\nout[i] = s"
    assert dry_run(loop.format("k == 1")) is None
    assert dry_run(loop.format("k == 3")) == "a branch goes one way"


def test_a_loop_that_does_not_end_is_a_reason() -> None:
    assert dry_run("k = int(0)\nwhile k < n:\n    k = k + boundary\nout[i] = x[i]") == "OverflowError: a loop that does not end"
    assert dry_run("k = int(0)\nwhile k < n:\n    k = k + 1\nout[i] = x[i]") is None


def test_a_conditional_expression_of_several_lines_is_no_test() -> None:
    source = (
        "@wp.kernel\n"
        "def f(state: wp.array(dtype=int)):\n"
        "    i = wp.tid()\n"
        "    if state[i] == 0:\n"
        "        state[i] = (\n"
        "            1\n"
        "            if state[i] > 2\n"
        "            else 3\n"
        "        )\n"
        "    elif (\n"
        "        state[i] == 1\n"
        "        and i > 2\n"
        "    ):\n"
        "        state[i] = 0\n"
    )
    branches = Branches(source)
    compile(branches.source, "kernel.py", "exec")
    assert branches.source.count("_test(") == 2
    assert branches.open == 4
