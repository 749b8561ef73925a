"""The GPU checks without a GPU: the commands report the missing device, and the same code detects faults on the CPU."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.errors import DeviceError, WarpsmithError
from warpsmith.core.inputs.values import make_inputs
from warpsmith.core.records.jsonl import read_lines, read_pairs
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.gpu_checks import PairTimes, SmokeResult, bench, check, devices, smoke
from warpsmith.gpu_checks.device import VARIABLE
from warpsmith.gpu_checks.device_checks import WORKERS, prove_device
from warpsmith.gpu_checks.device_launches import built_kernel, launch_kernel, program_of
from warpsmith.gpu_checks.reference import in_double
from warpsmith.gpu_checks.smoke_kernel import SOURCE
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.running.entry_calls import seed
from warpsmith.validation.running.tolerance import difference


@pytest.fixture
def no_cuda() -> None:
    if devices():
        pytest.skip("this machine has a CUDA device")


@pytest.fixture
def four_samples(root: Path, tmp_path: Path) -> Path:
    """Return a file with the first four samples, of four categories."""
    lines = (root / "data" / "samples" / "pairs-00000.jsonl").read_bytes().splitlines(keepends=True)[:4]
    path = tmp_path / "four.jsonl"
    path.write_bytes(b"".join(lines))
    return path


@pytest.mark.usefixtures("no_cuda")
def test_smoke_without_cuda_succeeds(run: Any) -> None:
    assert run("gpu_checks", "smoke").stdout == "CUDA not available -> skipped\n"
    assert json.loads(run("gpu_checks", "smoke", "--json").stdout)["devices"] == []


@pytest.mark.usefixtures("no_cuda")
@pytest.mark.parametrize("command", ["run", "bench"])
def test_commands_without_a_device_print_one_line_and_exit_with_3(run: Any, four_samples: Path, command: str) -> None:
    done = run("gpu_checks", command, four_samples, expect=3)
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: CUDA not available -> skipped")
    assert "--device cpu" in line
    assert sorted(path.name for path in four_samples.parent.iterdir()) == ["four.jsonl"]


def test_a_missing_device_is_an_error(run: Any, four_samples: Path) -> None:
    assert "cuda:99 was requested" in run("gpu_checks", "run", four_samples, "--device", "cuda:99", expect=3).stderr


def test_correct_pairs_pass_and_changed_text_fails(run: Any, four_samples: Path) -> None:
    records = [json.loads(line) for line in four_samples.read_text().splitlines()][:2]
    records[1]["cpp_forward"] = re.sub(r"= wp::\w+\(", "= wp::changed(", records[1]["cpp_forward"], count=1)
    four_samples.write_text("".join(json.dumps(record) + "\n" for record in records))
    done = run("gpu_checks", "run", four_samples, "--device", "cpu", "--json", expect=1)
    result = json.loads(done.stdout)
    assert result["levels"]["gpu"]["pass"] == 1
    (failure,) = result["failures"]
    assert failure["id"] == records[1]["id"]
    assert "differs from what Warp generates" in failure["reason"]
    verdicts = [json.loads(line) for line in four_samples.with_name("verdicts-four.jsonl").read_text().splitlines()]
    assert [verdict["status"] for verdict in verdicts if verdict["level"] == "gpu"] == ["pass", "skipped"]


@pytest.mark.exhaustive
def test_bench_measures_pairs_and_refuses_unsafe_ones(run: Any, four_samples: Path) -> None:
    records = [json.loads(line) for line in four_samples.read_text().splitlines()][:2]
    records[0]["python_source"] += "\nopen('stolen', 'w')\n"
    four_samples.write_text("".join(json.dumps(record) + "\n" for record in records))
    done = run(
        "gpu_checks", "bench", four_samples, "--device", "cpu", "--launches", 3, "--json", expect=1, cwd=four_samples.parent
    )
    figures = json.loads(done.stdout)
    assert figures["pairs"] == 1
    assert figures["refused"] == 1
    assert figures["run ms"] > 0
    assert not (four_samples.parent / "stolen").exists()


def test_a_dataset_that_is_not_whole_does_not_run(run: Any, four_samples: Path) -> None:
    four_samples.rename(four_samples.with_name("pairs-00000.jsonl"))
    for command in ("run", "bench"):
        done = run("gpu_checks", command, four_samples.parent, "--device", "cpu", expect=2)
        assert "there is no manifest.json" in done.stderr
    assert not list(four_samples.parent.glob("verdicts*"))


@pytest.mark.usefixtures("no_cuda")
def test_a_device_that_does_not_work_in_the_sandbox_ends_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "cuda:0")
    with pytest.raises(WarpsmithError, match=r"cuda:0 cannot be used in the sandbox: .*; --unconfined uses the device without"):
        prove_device(WORKERS[False])


@pytest.mark.exhaustive
@pytest.mark.parametrize("unconfined", [False, True])
def test_a_device_that_works_is_proved(monkeypatch: pytest.MonkeyPatch, unconfined: bool) -> None:
    monkeypatch.setenv(VARIABLE, "cpu")
    prove_device(WORKERS[unconfined])


def test_the_smoke_kernel_is_correct_on_the_cpu() -> None:
    result = smoke("cpu")
    assert result == SmokeResult(forward=True, backward=True)
    assert result.passed
    assert not SmokeResult(forward=True, backward=False).passed


@pytest.mark.usefixtures("no_cuda")
def test_functions_without_a_device_raise_one_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    for function in (smoke, lambda: check([]), lambda: bench([])):
        with pytest.raises(DeviceError, match="CUDA not available -> skipped: cuda:0 was requested"):
            function()
    assert VARIABLE not in os.environ


@pytest.mark.exhaustive
def test_pairs_have_a_verdict_for_each_level(four_samples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "cuda:7")
    first, second, *_ = read_pairs(four_samples)
    assert second.cpp_forward is not None
    changed = re.sub(r"= wp::\w+\(", "= wp::changed(", second.cpp_forward, count=1)
    found = check([first, replace(second, cpp_forward=changed)], "cpu")
    assert [[(verdict.level, verdict.status) for verdict in verdicts] for verdicts in found] == [
        [("schema", "pass"), ("parse", "pass"), ("regenerate", "pass"), ("gpu", "pass")],
        [("schema", "pass"), ("parse", "pass"), ("regenerate", "fail"), ("gpu", "skipped")],
    ]
    assert os.environ[VARIABLE] == "cuda:7"


@pytest.mark.exhaustive
def test_a_dataset_is_checked_like_its_pairs(four_samples: Path) -> None:
    by_line, by_pair = check(Dataset.open(four_samples), "cpu"), check(read_pairs(four_samples), "cpu")
    assert [[replace(verdict, ms=0.0) for verdict in verdicts] for verdicts in by_line] == [
        [replace(verdict, ms=0.0) for verdict in verdicts] for verdicts in by_pair
    ]
    assert not list(four_samples.parent.glob("verdicts*"))


@pytest.mark.exhaustive
def test_times_of_pairs_are_measured_and_unsafe_pairs_refused(four_samples: Path) -> None:
    first, second, *_ = read_pairs(four_samples)
    unsafe = replace(first, python_source=f"{first.python_source}\nopen('stolen', 'w')\n")
    assert bench([unsafe], "cpu", launches=3) == PairTimes(accepted=0, refused=1)
    times = bench([unsafe, second, first], "cpu", count=2, launches=3)
    assert (times.accepted, times.refused, times.pairs, times.failed) == (1, 1, 1, 0)
    assert times.build_ms is not None
    assert times.run_ms is not None
    assert times.build_ms > times.run_ms > 0


def test_results_match_numpy() -> None:
    wide = Domain(kind="uniform", low=-1.0, high=1.0)

    def array(name: str, role: Any) -> Argument:
        return Argument(name=name, kind="array", dtype="float32", role=role, shape=(8,), domain=wide)

    scalar = Argument(name="a", kind="value", dtype="float32", role="input", shape=(), domain=wide)
    launch = Launch(dim=(8,), args=(array("x", "input"), array("y", "input"), scalar, array("out", "output")))
    x, y = np.linspace(0, 1, 8, dtype=np.float32), np.linspace(5, 6, 8, dtype=np.float32)
    values = {"x": x, "y": y, "a": np.float32(3.0), "out": np.zeros(8, dtype=np.float32)}
    with loaded_kernel(SOURCE, module_name="results_match_numpy") as kernel:
        results = launch_kernel(kernel, launch, values, "cpu", backward=True)
    np.testing.assert_allclose(results.outputs["out"], 3.0 * x + y, rtol=1e-6)
    np.testing.assert_allclose(results.gradients["x"], 3.0 * seed(x), rtol=1e-6)
    np.testing.assert_allclose(results.gradients["y"], seed(y), rtol=1e-6)
    assert len(np.unique(seed(x))) == 8, "equal seeds would not detect swapped elements"


BASE = np.linspace(-4.0, 4.0, 200, dtype=np.float32)
ROUNDED = BASE.astype(np.float64) + 1.0e-5


@pytest.mark.parametrize(
    ("changed", "exact", "equal"),
    [
        ({}, ROUNDED, True),
        ({3: BASE[3] + 1.0e-4}, ROUNDED, True),  # ten times the rounding error on the CPU
        ({3: BASE[3] + 1.0e-3}, ROUNDED, False),  # a hundred times
        ({3: BASE[3] + 1.0e-4}, BASE.astype(np.float64), False),  # no rounding error on the CPU
        ({3: BASE[3] + 1.0e-5}, BASE.astype(np.float64), True),
        ({3: BASE[3] + 1.0e-3}, None, True),
        ({3: BASE[3] + 1.0e-1}, None, False),
        ({3: 100.0}, np.where(np.arange(200) == 3, 50.0, BASE), True),  # the comparison also flips on the CPU
        ({4: 100.0}, np.where(np.arange(200) == 3, 50.0, BASE), False),
        ({3: np.nan}, ROUNDED, False),
        ({3: np.inf}, None, False),
    ],
)
def test_differences_within_the_tolerance(changed: dict[int, float], exact: Any, equal: bool) -> None:
    actual = BASE.copy()
    for position, value in changed.items():
        actual[position] = value
    assert (difference(actual, BASE, exact) is None) is equal


def test_integers_have_to_be_equal() -> None:
    numbers = np.arange(8)
    assert difference(numbers, numbers, numbers.astype(np.int64)) is None
    assert difference(numbers + 1, numbers, numbers) is not None


@pytest.mark.parametrize("count", [1, pytest.param(4, marks=pytest.mark.exhaustive)])
def test_double_precision_is_close_to_single(four_samples: Path, tmp_path: Path, count: int, scratch: Path) -> None:
    context = BatchContext(scratch)
    for line in list(read_lines(four_samples))[:count]:
        assert line.pair is not None
        assert line.pair.metadata.launch is not None
        values = make_inputs(line.pair.metadata.launch, line.pair.id)
        exact = in_double(line, context, values)
        program = program_of(line.pair, "cpu")
        assert program is not None
        with built_kernel(program, "cpu", tmp_path / str(line.number)) as kernel:
            single = launch_kernel(kernel, line.pair.metadata.launch, values, "cpu", backward=True)
        for arrays, exact_arrays in ((single.outputs, exact.outputs), (single.gradients, exact.gradients)):
            for name, expected in arrays.items():
                tolerance = 1e-4 * float(np.abs(expected).max())
                np.testing.assert_allclose(exact_arrays[name], expected, rtol=1e-4, atol=tolerance)
                if expected.dtype == np.float32:
                    assert exact_arrays[name].dtype == np.float64
    context.clear()
