"""Level emulate runs the CUDA text, and its results equal the results of the kernel in any order of threads."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from selected import selected
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.validation.levels import emulate, execute
from warpsmith.validation.levels.common import inputs_of
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.finding import Finding
from warpsmith.validation.levels.level_results import LAUNCHES, line_key

pytestmark = [
    pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning"),
    pytest.mark.usefixtures("tile_headers"),
]

BLOCK = 32
"""Threads a block of kernels with tiles, the one of `test_gradient_tiles`: other sizes need other precompiled headers."""

SOURCES = {
    "smooth": "    i = wp.tid()\n    out[i] = x[i] * 3.0 + wp.sin(x[i])\n",
    "neighbour": "    i = wp.tid()\n    if i < 511:\n        out[i] = x[i] - x[i + 1]\n    else:\n        out[i] = x[i]\n",
    "beyond the end": "    i = wp.tid()\n    out[i] = x[i] - x[i + 1]\n",
    "before the start": "    i = wp.tid()\n    out[i] = x[i] - x[i - 513]\n",
    "a shape that is read": "    i = wp.tid()\n    if i < x.shape[0]:\n        out[i] = x[i] * x[i]\n",
    "all to one": "    i = wp.tid()\n    out[i] = x[i]\n    few[0] = x[i]\n",
    "sum": "    i = wp.tid()\n    out[i] = x[i]\n    wp.atomic_add(few, i % 8, x[i])\n",
    "largest": "    i = wp.tid()\n    out[i] = x[i]\n    wp.atomic_max(few, i % 8, x[i])\n",
    "ticket": "    i = wp.tid()\n    out[i] = wp.atomic_add(few, 0, 1.0)\n",
    "tiles": (
        "    i = wp.tid()\n    tile = wp.tile_load(x, shape=32, offset=i * 32)\n"
        "    wp.tile_store(out, tile * 2.0 + tile, offset=i * 32)\n"
    ),
    "sum of tiles": (
        "    i = wp.tid()\n    tile = wp.tile_load(x, shape=32, offset=i * 32)\n"
        "    wp.tile_store(out, wp.tile_sum(wp.tile_map(wp.sin, tile)), offset=i)\n"
    ),
    "shared memory": (
        '    i = wp.tid()\n    tile = wp.tile_load(x, shape=32, offset=i * 32, storage="shared")\n'
        "    for j in range(31):\n        out[i * 32 + j] = tile[j] * tile[j + 1]\n"
    ),
}
OUT_OF_BOUNDS = ("beyond the end", "before the start")
ORDERED = ("all to one", "ticket")
KERNEL = "import warp as wp\n\n\n@wp.kernel\ndef k(x: wp.array(dtype=float), out: wp.array(dtype=float)):\n"
FEW = ", few: wp.array(dtype=float)):\n"


@pytest.fixture(scope="module")
def kernels(argument: Callable[..., Argument], pair_line: Callable[..., Line]) -> dict[str, Line]:
    """Return a pair of every entry of `SOURCES`; kernels with tiles are launched in the way of ``wp.launch_tiled``."""
    found = {}
    for number, (name, body) in enumerate(SOURCES.items()):
        tiled = "tile" in body
        dim, options = ((8, BLOCK), {"block_dim": BLOCK}) if tiled else ((512,), {})
        size = 8 if name == "sum of tiles" else 8 * BLOCK if tiled else 512
        arrays = [argument("x", "float32", (8 * BLOCK if tiled else 512,)), argument("out", "float32", (size,), role="output")]
        arrays += [argument("few", "float32", (8,), role="inout")] if "few" in body else []
        launch = Launch(dim=dim, args=tuple(arrays))
        found[name] = pair_line(
            (KERNEL.replace("):\n", FEW) if "few" in body else KERNEL) + body,
            launch,
            identity=name,
            options=options,
            number=number,
        )
    return found


@pytest.fixture(scope="module")
def findings(request: pytest.FixtureRequest, kernels: dict[str, Line], run_levels: Any) -> dict[str, dict[str, Finding]]:
    """Return the findings on `kernels`, by kernel and level."""
    chosen = selected(request, kernels)
    by_level = run_levels(list(chosen.values()), "compile", "execute", "emulate")
    return {name: {level: of_level[number] for level, of_level in by_level.items()} for number, name in enumerate(chosen)}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", [name for name in SOURCES if name not in (*OUT_OF_BOUNDS, *ORDERED)])
def test_correct_text_passes(findings: dict[str, dict[str, Finding]], name: str) -> None:
    assert findings[name] == dict.fromkeys(("compile", "execute", "emulate"), Finding("pass"))


@pytest.mark.parametrize("name", OUT_OF_BOUNDS)
def test_an_index_out_of_bounds_fails_warps_check(findings: dict[str, dict[str, Finding]], name: str) -> None:
    assert findings[name]["compile"].status == "pass"
    assert findings[name]["execute"].status == "fail"
    assert "Warp's check of an index or a value failed" in findings[name]["execute"].reason
    assert "i" in findings[name]["execute"].reason
    assert findings[name]["emulate"] == Finding("skipped", "the kernel was not run")


@pytest.mark.parametrize("name", ORDERED)
def test_kernels_that_depend_on_the_order_of_threads_fail(findings: dict[str, dict[str, Finding]], name: str) -> None:
    assert findings[name]["execute"].status == "pass"
    finding = findings[name]["emulate"]
    assert finding.status == "fail"
    assert "is not what the kernel leaves" in finding.reason
    assert "last thread first" in finding.reason or "2 x 102" in finding.reason


def test_results_of_tiles_agree_with_numpy(kernels: dict[str, Line], context: BatchContext) -> None:
    """Level emulate compares with `execute`; this test compares `execute` with NumPy, which is independent of both."""
    lines = [kernels[name] for name in ("tiles", "sum of tiles", "shared memory")]
    assert [finding.status for finding in execute.check(lines, context)] == 3 * ["pass"]
    x = [values["x"].reshape(8, BLOCK) for line in lines if isinstance(values := inputs_of(line), dict)]
    tripled, sums, products = (context.results(LAUNCHES)[line_key(line)][0].outputs.arrays["out"] for line in lines)
    np.testing.assert_array_equal(tripled.reshape(8, BLOCK), x[0] * np.float32(2.0) + x[0])
    np.testing.assert_allclose(sums, np.sin(x[1]).sum(axis=1), rtol=1e-5, atol=1e-5)
    np.testing.assert_array_equal(products.reshape(8, BLOCK)[:, :-1], x[2][:, :-1] * x[2][:, 1:])


# ------------------------------------------------------------------------------------------------------------ broken text


def in_cuda(direction: str, old: str, new: str) -> Callable[[dict[str, Any]], None]:
    """Return a change of the CUDA text alone, which only running that text can detect."""

    def change(record: dict[str, Any]) -> None:
        key = f"cuda_ir_{direction}"
        assert old in record[key], record[key]
        record[key] = record[key].replace(old, new, 1)

    return change


BROKEN = {
    # error: (kernel, damage, text in the reason)
    "operator": ("smooth", in_cuda("forward", "wp::mul(", "wp::sub("), "out is not what"),
    "function": ("smooth", in_cuda("forward", "wp::sin(", "wp::cos("), "out is not what"),
    "constant": ("smooth", in_cuda("forward", "= 3.0", "= 3.0001"), "out is not what"),
    "index": ("neighbour", in_cuda("forward", "= 1;", "= 0;"), "out is not what"),
    "comparison": ("neighbour", in_cuda("forward", "= 511;", "= 510;"), "out is not what"),
    "out of bounds": ("neighbour", in_cuda("forward", "= 511;", "= 512;"), "Warp's check of an index"),
    "a thread too few": ("smooth", in_cuda("forward", "_idx < dim.size", "_idx + 1 < dim.size"), "out is not what"),
    "a stride too long": ("smooth", in_cuda("forward", "_idx += ", "_idx += 2 * "), "(1 x 1 threads)"),
    "a stride too short": ("sum", in_cuda("backward", "_idx += ", "_idx += dim.size + "), "the gradient of x is not what"),
    "a place in the block": ("smooth", in_cuda("forward", "(blockIdx.x)", "(0)"), "(2 x 256 threads)"),
    "adjoint": ("smooth", in_cuda("backward", "wp::adj_sin(", "wp::adj_cos("), "the gradient of x is not what"),
    "forward sweep of the adjoint": ("smooth", in_cuda("backward", "= 3.0", "= 3.5"), "the gradient of x is not what"),
    "atomic": ("sum", in_cuda("forward", "wp::atomic_add(", "wp::atomic_sub("), "few is not what"),
    "tile": ("tiles", in_cuda("forward", "wp::mul(", "wp::add("), ""),
    "size of a tile": ("tiles", in_cuda("forward", "false, 32>(", "false, 16>("), ""),
    "a loop that does not end": (
        "smooth",
        in_cuda("forward", "// forward\n", "// forward\nvolatile size_t ever = dim.size;\nwhile (ever) {}\n"),
        "it ran for more than",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def broken(
    request: pytest.FixtureRequest, kernels: dict[str, Line], change_line: Any, run_levels: Any
) -> dict[str, tuple[Finding, Finding]]:
    """Return the findings of execute and emulate on pairs with broken CUDA text."""
    chosen = selected(request, BROKEN, ["a thread too few"])
    lines = [
        replace(change_line(kernels[name], damage), number=number) for number, (name, damage, _) in enumerate(chosen.values())
    ]
    by_level = run_levels(lines, "execute", "emulate", launch_seconds=1.0)
    return dict(zip(chosen, zip(by_level["execute"], by_level["emulate"], strict=True), strict=True))


@pytest.mark.sampled(6)
@pytest.mark.parametrize("what", BROKEN)
def test_broken_cuda_text_fails(broken: dict[str, tuple[Finding, Finding]], what: str) -> None:
    executed, emulated = broken[what]
    assert executed.status == "pass", "the C++ text is untouched"
    assert emulated.status == "fail"
    assert BROKEN[what][2] in emulated.reason


def test_reasons_contain_figures_and_the_shape_of_the_grid(broken: dict[str, tuple[Finding, Finding]]) -> None:
    reason = broken["a thread too few"][1].reason
    assert "1 of 512 numbers differ, the first is" in reason
    assert "2 x 256 threads" in reason


# --------------------------------------------------------------------------------------------------- sums in another order


@pytest.mark.parametrize(("dtype", "count"), [(np.float16, 100), (np.float32, 10_000), (np.float64, 10_000)])
def test_sums_in_another_order_are_within_the_tolerance(dtype: type[np.floating[Any]], count: int) -> None:
    rng, most = np.random.default_rng(1), emulate.REORDERED[dtype().itemsize]
    values = rng.uniform(-1.0, 1.0, count).astype(dtype)
    orders = [np.cumsum(rng.permutation(values), dtype=dtype)[-1:] for _ in range(20)]
    assert len({order.tobytes() for order in orders}) > 1, "sums that do not depend on their order cannot show an error"
    assert max(emulate._distance(order, orders[0]) for order in orders) < most
    whole = np.array([7], dtype=np.int32)
    assert emulate._distance(whole + 1, whole) == np.inf
    assert emulate._distance(np.array([np.nan], dtype=dtype), orders[0]) == np.inf
    assert emulate._distance(orders[0] + dtype(1.1 * most * max(abs(float(orders[0][0])), 1.0)), orders[0]) > most


# -------------------------------------------------------------------------------------------------------- other pairs


def of_one_device(device: str) -> Callable[[dict[str, Any]], None]:
    other = "cuda_ir" if device == "cpu" else "cpp"

    def change(record: dict[str, Any]) -> None:
        record.update({f"{other}_forward": None, f"{other}_backward": None})
        record["metadata"].update(device=device, ir_type="cpp" if device == "cpu" else "cuda")

    return change


@pytest.mark.exhaustive
def test_pairs_of_one_device(kernels: dict[str, Line], change_line: Any, run_levels: Any) -> None:
    """Without CUDA text there is nothing to emulate; without C++ text, regenerate provides the reference."""
    names = ("smooth", "sum", "tiles")
    lines = [replace(change_line(kernels[name], of_one_device("cpu")), number=number) for number, name in enumerate(names)]
    lines += [
        replace(change_line(kernels[name], of_one_device("cuda")), number=number + 9) for number, name in enumerate(names)
    ]
    assert json.loads(lines[3].raw)["cpp_forward"] is None
    by_level = run_levels(lines, "schema", "parse", "regenerate", "compile", "execute", "emulate", "gradient")
    for level in ("schema", "parse", "regenerate", "compile", "execute"):
        assert by_level[level] == 6 * [Finding("pass")]
    assert by_level["emulate"] == 3 * [Finding("not_applicable", "the pair has no CUDA text")] + 3 * [Finding("pass")]
    assert [finding.status for finding in by_level["gradient"][:2] + by_level["gradient"][3:5]] == 4 * ["pass"]


def test_broken_cuda_text_without_cpp_fails(kernels: dict[str, Line], change_line: Any, run_levels: Any) -> None:
    """Level regenerate obtains the C++ code from the Python, even if it fails."""
    _, damage, words = BROKEN["operator"]
    line = change_line(change_line(kernels["smooth"], of_one_device("cuda")), damage)
    by_level = run_levels([line], "regenerate", "execute", "emulate")
    assert [by_level[level][0].status for level in by_level] == ["fail", "pass", "fail"]
    assert words in by_level["emulate"][0].reason


def test_pairs_without_a_reference_are_skipped(kernels: dict[str, Line], change_line: Any, run_levels: Any) -> None:
    by_level = run_levels([change_line(kernels["smooth"], of_one_device("cuda"))], "execute", "emulate")
    assert by_level == {
        "execute": [Finding("skipped", "there is no C++ code of this pair")],
        "emulate": [Finding("skipped", "the kernel was not run")],
    }


def test_a_pair_without_a_launch_is_skipped(kernels: dict[str, Line], change_line: Any, run_levels: Any) -> None:
    line = change_line(kernels["smooth"], lambda record: record["metadata"].update(launch=None))
    by_level = run_levels([line], "compile", "execute", "emulate", "gradient")
    assert by_level["compile"] == [Finding("pass")]
    assert {by_level[level][0].status for level in ("execute", "emulate", "gradient")} == {"skipped"}
    assert by_level["execute"][0].reason == "the pair does not say how to launch it"
