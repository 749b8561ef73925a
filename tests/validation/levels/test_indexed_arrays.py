"""Indexed arrays are valid arguments at every level, except that Warp does not provide their gradients."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import warp as wp

from warpsmith.core.inputs.values import make_inputs
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.gpu_checks.device_launches import launch_kernel
from warpsmith.validation.levels import doubts, execute
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.level_results import LAUNCHES, line_key
from warpsmith.validation.running.shared_arguments import lay_out
from warpsmith.validation.running.shared_memory import Arena

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

HEAD = "import warp as wp\n\n\n"
KERNELS = {
    "reads": """@wp.kernel
def k(x: wp.indexedarray(dtype=wp.vec3), y: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    if i >= x.shape[0]:
        return
    out[i] = wp.dot(x[i], x[i]) * y[i] + y[i]
""",
    "writes": """@wp.kernel
def k(y: wp.array(dtype=float), out: wp.indexedarray2d(dtype=float), all: wp.array2d(dtype=float)):
    i, j = wp.tid()
    out[i, j] = y[i] * float(j + 1)
    all[i, j] = y[i] * y[i] * float(j)
""",
    "a member": """@wp.struct
class Picked:
    scale: float
    values: wp.indexedarray(dtype=float)


@wp.kernel
def k(picked: Picked, out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = picked.values[i] * picked.scale
""",
    "four dimensions": """@wp.kernel
def k(x: wp.indexedarray4d(dtype=wp.int32), out: wp.array3d(dtype=wp.int32)):
    i, j, l = wp.tid()
    for m in range(x.shape[3]):
        out[i, j, l] = out[i, j, l] + x[i, j, l, m]
""",
}


@pytest.fixture(scope="module")
def launches(argument: Callable[..., Argument]) -> dict[str, Launch]:
    def indexed(*arguments: Any, **more: Any) -> Argument:
        return replace(argument(*arguments, **more), kind="indexed_array")

    def out(*arguments: Any) -> Argument:
        return argument(*arguments, role="output")

    picked = argument("scale", "float32"), indexed("values", "float32", (10,))
    struct = Argument(name="picked", kind="struct", dtype="Picked", role="input", shape=(), domain=None, fields=picked)
    y = argument("y", "float32", (10,))
    written = indexed("out", "float32", (10, 4), role="output")
    numbers = indexed("x", "int32", (2, 3, 4, 5), low=-9, high=9)
    return {
        "reads": Launch(dim=(10,), args=(indexed("x", "vec3f", (10,)), y, out("out", "float32", (10,)))),
        "writes": Launch(dim=(10, 4), args=(y, written, out("all", "float32", (10, 4)))),
        "a member": Launch(dim=(10,), args=(struct, out("out", "float32", (10,)))),
        "four dimensions": Launch(dim=(2, 3, 4), args=(numbers, out("out", "int32", (2, 3, 4)))),
    }


@pytest.fixture(scope="module")
def lines(launches: dict[str, Launch], pair_line: Callable[..., Line]) -> dict[str, Line]:
    return {
        name: pair_line(HEAD + KERNELS[name], launch, identity=name, number=number)
        for number, (name, launch) in enumerate(launches.items())
    }


def test_values(launches: dict[str, Launch]) -> None:
    values = make_inputs(launches["writes"], "1-2000-7")
    assert list(values) == ["y", "out", "all", "out[0]", "out[1]"]
    assert values["out"].shape == (20, 8)
    for name, length in (("out[0]", 10), ("out[1]", 4)):
        assert values[name].dtype == np.int32
        assert len(set(values[name].tolist())) == length
        assert 0 <= values[name].min() <= values[name].max() < 2 * length


def test_the_descriptor_has_warps_layout(launches: dict[str, Launch]) -> None:
    arguments = lay_out(launches["writes"], make_inputs(launches["writes"], "x"), Arena())
    base: Any = wp.zeros((20, 8), dtype=float, device="cpu")
    expected = wp.indexedarray(base, [wp.array([1, 2], dtype=int, device="cpu")]).__ctype__()
    actual = arguments.values.dtype["out"]
    assert {name: field[1] for name, field in actual.fields.items()} == {
        actual_name: getattr(type(expected), name).offset
        for actual_name, name in (("array", "data"), ("indices", "indices"), ("shape", "shape"))
    }
    assert actual.itemsize == ctypes.sizeof(expected)


@pytest.mark.exhaustive
def test_results_equal_the_results_of_warp_launches(launches: dict[str, Launch], lines: dict[str, Line], scratch: Path) -> None:
    context = BatchContext(scratch)
    findings = execute.check(list(lines.values()), context)
    assert {name: finding.reason for name, finding in zip(lines, findings, strict=True)} == dict.fromkeys(lines, "")
    for name, line in lines.items():
        result = context.results(LAUNCHES)[line_key(line)][0]
        options = {"optimization_level": 0, "cpu_compiler_flags": ""}
        with loaded_kernel(HEAD + KERNELS[name], None, options, f"indexed_{line.number}") as kernel:
            kernel.module.options["block_dim"] = 1
            expected = launch_kernel(kernel, launches[name], result.values, "cpu", backward=True)
        for key, value in expected.outputs.items():
            assert result.outputs.arrays[key].tobytes() == value.tobytes(), (name, key)
        for key, value in expected.gradients.items():
            assert result.outputs.gradients[key].tobytes() == value.tobytes(), (name, key)
            assert np.any(value)
    first = context.results(LAUNCHES)[line_key(lines["writes"])][0]
    positions, values = np.ix_(first.values["out[0]"], first.values["out[1]"]), first.values["y"]
    assert np.array_equal(first.outputs.arrays["out"][positions], np.outer(values, np.arange(1, 5, dtype=np.float32)))
    assert np.count_nonzero(first.outputs.arrays["out"]) == 40
    context.clear()


def test_levels(lines: dict[str, Line], run_levels: Any) -> None:
    levels = ("schema", "parse", "execute", "emulate", "gradient", "oracle")
    by_level = run_levels(list(lines.values()), *levels)
    statuses = {name: [by_level[level][number].status for level in levels] for number, name in enumerate(lines)}
    assert statuses == {
        name: ["pass"] * 4 + ["not_applicable" if name == "four dimensions" else "pass", "pass"] for name in lines
    }, by_level


def test_only_reachable_elements_of_an_output_are_checked(
    lines: dict[str, Line], change_line: Any, run_levels: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doubts, "disagreement", lambda *_: "a difference")
    constant = change_line(lines["writes"], lambda record: record["metadata"]["launch"]["args"][0].update(
        domain={"kind": "fill", "low": 0.0, "high": 0.0}
    ))  # fmt: skip
    assert run_levels([constant], "execute")["execute"][0].reason == "out is all zero"


def test_nested_indexed_arrays_are_invalid(lines: dict[str, Line], change_line: Any, run_levels: Any) -> None:
    def nested(record: dict[str, Any]) -> None:
        record["metadata"]["launch"]["args"][0].update(kind="array", shape=[3])

    finding = run_levels([change_line(lines["a member"], nested)], "schema")["schema"][0]
    assert "of kind indexed_array, that holds structs or is in an array of structs" in finding.reason
    assert "does not fit the kernel" in run_levels([change_line(lines["a member"], nested)], "execute")["execute"][0].reason


def test_warp_differentiates_no_launch_with_an_indexed_array(lines: dict[str, Line], change_line: Any, run_levels: Any) -> None:
    base, y = wp.full(4, 2.0, dtype=wp.vec3, requires_grad=True, device="cpu"), wp.ones(2, requires_grad=True, device="cpu")
    out = wp.zeros(2, requires_grad=True, device="cpu")
    with loaded_kernel(HEAD + KERNELS["reads"], None, {}, "taped_indexed") as kernel:
        with wp.Tape() as tape:
            indexed = wp.indexedarray(base, [wp.array([1, 3], dtype=int, device="cpu")])
            wp.launch(kernel, 2, inputs=[indexed, y, out], device="cpu")
        with pytest.raises(AttributeError, match="grad"):  # where a new Warp has gradients, the level has to compare them
            tape.backward(grads={out: wp.ones(2, device="cpu")})

    def captured(record: dict[str, Any]) -> None:
        record["metadata"]["origin"] = {"file": "a.py", "line": 1, "launch": "captured", "reason": ""}

    changed = [change_line(lines[name], captured) for name in ("reads", "writes", "a member")]
    findings = run_levels(changed, "execute", "gradient")["gradient"]
    assert [finding.status for finding in findings] == ["not_applicable"] * 3
    refused = "Warp has no gradients of indexed arrays: wp.Tape refuses the launch with the indexed array"
    assert [finding.reason for finding in findings] == [
        f"{refused} 'x'; those of other arrays agree",
        f"{refused} 'out'; those of other arrays agree",
        f"{refused} 'picked.values'",
    ]
