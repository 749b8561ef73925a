"""What can be proven of the GPU checks without a GPU: they say so, and on the CPU the same code finds what is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from warpsmith.core.inputs.values import make_inputs
from warpsmith.core.records.jsonl import read_lines
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.extraction.loading import loaded_kernel
from warpsmith.gpu_checks.device import devices
from warpsmith.gpu_checks.launching import built, launch, seed
from warpsmith.gpu_checks.smoke import SOURCE, launch_one
from warpsmith.gpu_checks.tolerance import difference, in_double
from warpsmith.validation.compiling.clang import precompile
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.sandbox.headers import Headers


@pytest.fixture
def no_cuda() -> None:
    if devices():
        pytest.skip("this machine has a CUDA device")


@pytest.fixture
def few(root: Path, tmp_path: Path) -> Path:
    """The first four samples, one of each of four types."""
    lines = (root / "data" / "samples" / "pairs-00000.jsonl").read_bytes().splitlines(keepends=True)[:4]
    path = tmp_path / "few.jsonl"
    path.write_bytes(b"".join(lines))
    return path


@pytest.mark.usefixtures("no_cuda")
def test_smoke_says_so_and_is_content(run: Any) -> None:
    assert run("gpu_checks", "smoke").stdout == "CUDA not available -> skipped\n"
    assert json.loads(run("gpu_checks", "smoke", "--json").stdout)["devices"] == []


@pytest.mark.usefixtures("no_cuda")
@pytest.mark.parametrize("command", ["run", "bench"])
def test_without_a_device_there_is_one_line_and_exit_3(run: Any, few: Path, command: str) -> None:
    done = run("gpu_checks", command, few, expect=3)
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: CUDA not available -> skipped")
    assert "--device cpu" in line
    assert sorted(path.name for path in few.parent.iterdir()) == ["few.jsonl"]


def test_a_device_that_is_not_there(run: Any, few: Path) -> None:
    assert "cuda:99 was asked for" in run("gpu_checks", "run", few, "--device", "cuda:99", expect=3).stderr


@pytest.mark.slow
def test_right_pairs_pass_and_wrong_text_fails(run: Any, few: Path) -> None:
    records = [json.loads(line) for line in few.read_text().splitlines()]
    records[1]["cpp_forward"] = records[1]["cpp_forward"].replace("wp::mul(", "wp::add(", 1)
    few.write_text("".join(json.dumps(record) + "\n" for record in records))
    done = run("gpu_checks", "run", few, "--device", "cpu", "--json", expect=1)
    result = json.loads(done.stdout)
    assert result["levels"]["gpu"]["pass"] == 3
    (failure,) = result["failures"]
    assert failure["id"] == records[1]["id"]
    assert "not what Warp compiles" in failure["reason"]
    verdicts = [json.loads(line) for line in few.with_name("verdicts-few.jsonl").read_text().splitlines()]
    assert [verdict["status"] for verdict in verdicts if verdict["level"] == "gpu"] == ["pass", "fail", "pass", "pass"]


@pytest.mark.slow
def test_bench_measures_and_refuses_what_is_not_safe(run: Any, few: Path) -> None:
    records = [json.loads(line) for line in few.read_text().splitlines()][:2]
    records[0]["python_source"] += "\nopen('stolen', 'w')\n"
    few.write_text("".join(json.dumps(record) + "\n" for record in records))
    done = run("gpu_checks", "bench", few, "--device", "cpu", "--launches", 3, "--json", expect=1, cwd=few.parent)
    figures = json.loads(done.stdout)
    assert figures["pairs"] == 1
    assert figures["refused"] == 1
    assert figures["run ms"] > 0
    assert not (few.parent / "stolen").exists()


def test_the_smoke_kernel_is_right_where_it_runs() -> None:
    assert launch_one("cpu") == {"forward": True, "backward": True}


def test_results_are_those_of_numpy() -> None:
    wide = Domain(kind="uniform", low=-1.0, high=1.0)

    def array(name: str, role: Any) -> Argument:
        return Argument(name=name, kind="array", dtype="float32", role=role, shape=(8,), domain=wide)

    scalar = Argument(name="a", kind="value", dtype="float32", role="input", shape=(), domain=wide)
    how = Launch(dim=(8,), args=(array("x", "input"), array("y", "input"), scalar, array("out", "output")))
    x, y = np.linspace(0, 1, 8, dtype=np.float32), np.linspace(5, 6, 8, dtype=np.float32)
    values = {"x": x, "y": y, "a": np.float32(3.0), "out": np.zeros(8, dtype=np.float32)}
    with loaded_kernel(SOURCE, module_name="results_are_those_of_numpy") as kernel:
        left = launch(kernel, how, values, "cpu", backward=True)
    np.testing.assert_allclose(left.outputs["out"], 3.0 * x + y, rtol=1e-6)
    np.testing.assert_allclose(left.gradients["x"], 3.0 * seed(x), rtol=1e-6)
    np.testing.assert_allclose(left.gradients["y"], seed(y), rtol=1e-6)
    assert len(np.unique(seed(x))) == 8, "one seed for all would not see elements that are swapped"


BASE = np.linspace(-4.0, 4.0, 200, dtype=np.float32)
ROUNDED = BASE.astype(np.float64) + 1.0e-5


@pytest.mark.parametrize(
    ("changed", "exact", "alike"),
    [
        ({}, ROUNDED, True),
        ({3: BASE[3] + 1.0e-4}, ROUNDED, True),  # ten times what rounding does on the CPU
        ({3: BASE[3] + 1.0e-3}, ROUNDED, False),  # a hundred times
        ({3: BASE[3] + 1.0e-4}, BASE.astype(np.float64), False),  # rounding does nothing here
        ({3: BASE[3] + 1.0e-5}, BASE.astype(np.float64), True),
        ({3: BASE[3] + 1.0e-3}, None, True),
        ({3: BASE[3] + 1.0e-1}, None, False),
        ({3: 100.0}, np.where(np.arange(200) == 3, 50.0, BASE), True),  # tips over on the CPU, too
        ({4: 100.0}, np.where(np.arange(200) == 3, 50.0, BASE), False),
        ({3: np.nan}, ROUNDED, False),
        ({3: np.inf}, None, False),
    ],
)
def test_what_counts_as_different(changed: dict[int, float], exact: Any, alike: bool) -> None:
    got = BASE.copy()
    for place, value in changed.items():
        got[place] = value
    assert (difference(got, BASE, exact) is None) is alike


def test_whole_numbers_have_to_be_equal() -> None:
    numbers = np.arange(8)
    assert difference(numbers, numbers, numbers.astype(np.int64)) is None
    assert difference(numbers + 1, numbers, numbers) is not None


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, pytest.param(4, marks=pytest.mark.exhaustive)])
def test_double_precision_is_near_single(few: Path, tmp_path: Path, count: int, headers: Headers) -> None:
    headers.give(tmp_path, lambda: precompile(tmp_path))
    bench = BatchContext(tmp_path)
    for line in list(read_lines(few))[:count]:
        assert line.pair is not None
        assert line.pair.metadata.launch is not None
        values = make_inputs(line.pair.metadata.launch, line.pair.id)
        exact = in_double(line, bench, values)
        assert exact is not None
        with built(line.pair, "cpu", tmp_path / str(line.number)) as kernel:
            single = launch(kernel, line.pair.metadata.launch, values, "cpu", backward=True)
        for ours, theirs in ((single.outputs, exact.outputs), (single.gradients, exact.gradients)):
            for name, expected in ours.items():
                np.testing.assert_allclose(theirs[name], expected, rtol=1e-4, atol=1e-4 * float(np.abs(expected).max()))
                if expected.dtype == np.float32:
                    assert theirs[name].dtype == np.float64
    bench.clear()
