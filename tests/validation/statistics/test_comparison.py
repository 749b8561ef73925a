"""A comparison lists what other kernels use and the dataset lacks, with its frequency."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from warpsmith.core.records.jsonl import Line
from warpsmith.validation.statistics.comparison import shares
from warpsmith.validation.statistics.sections import measure_lines, merge, summarize

OTHERS = """from typing import Any

import warp as wp


@wp.kernel
def one(x: wp.array[float], out: wp.array[float]):
    i = wp.tid()
    out[i] = x[i] * 2.0
    pass


@wp.kernel
def two(x: wp.array[wp.vec3], out: wp.array[wp.vec3]):
    i = wp.tid()
    out[i] = wp.cw_div(x[i], wp.vec3(1.0, 2.0, 3.0)) * 2.0


@wp.kernel
def generic(x: wp.array[Any]):
    pass
"""


@pytest.fixture
def dataset_file(lines: list[Line], tmp_path: Path) -> Path:
    """Return a file of eighty pairs."""
    path = tmp_path / "some.jsonl"
    path.write_bytes(b"".join(line.raw for line in lines[:80]))
    return path


@pytest.mark.exhaustive
def test_a_module_compared_with_a_dataset(run: Any, dataset_file: Path) -> None:
    others = dataset_file.with_name("others.py")
    others.write_text(OTHERS)
    done = run("stats", dataset_file, "--beside", others, "--json", "--workers", 1)
    statistics = json.loads(done.stdout)["statistics"]
    assert statistics == json.loads(dataset_file.with_name("stats.json").read_text())
    beside = statistics["beside"]
    assert (statistics["pairs"], beside["statistics"]["pairs"]) == (80, 2)
    assert beside["statistics"]["builtins"]["calls"] == {"mul": 2, "tid": 2, "cw_div": 1, "vector": 1}
    calls = beside["shares"]["builtin_calls"]
    assert (calls["all"], calls["held"], calls["missing"]) == (6, 5, {"cw_div": 1})
    assert calls["share"] == pytest.approx(5 / 6, abs=1e-6)
    assert beside["shares"]["nodes"]["missing"] == {"Pass": 1}


@pytest.mark.exhaustive
def test_a_comparison_printed_as_tables(run: Any, dataset_file: Path) -> None:
    others = dataset_file.with_name("others.py")
    others.write_text(OTHERS)
    printed = run("stats", dataset_file, "--beside", others, "--workers", 1, env={"COLUMNS": "160"}).stdout
    assert "missing calls of the same builtins: cw_div 1\n" in printed
    assert "missing syntax nodes of the same types: Pass 1\n" in printed
    assert "█" in printed


@pytest.mark.exhaustive
def test_a_dataset_compared_with_itself_lacks_nothing(run: Any, dataset_file: Path) -> None:
    done = run("stats", dataset_file, "--beside", dataset_file, "--json", "--workers", 1)
    for found in json.loads(done.stdout)["statistics"]["beside"]["shares"].values():
        assert (found["share"], found["missing"]) == (1.0, {})
        assert found["all"] == found["held"] > 0


def test_calls_with_the_same_types_are_compared_separately(lines: list[Line]) -> None:
    whole, part = (summarize(merge([measure_lines(dataset_file)])) for dataset_file in (lines, lines[:5]))
    found = shares(part, whole)
    typed = whole["builtins"]["types"]
    held = part["builtins"]["types"]
    visible = whole["builtins"]["calls"]
    missing = sum(entry["calls"] for key, entry in typed.items() if key not in held and key.partition("(")[0] in visible)
    assert found["typed_calls"]["all"] - found["typed_calls"]["held"] == missing > 0
    assert found["typed_calls"]["all"] == found["builtin_calls"]["all"] == sum(visible.values())
    assert found["typed_calls"]["held"] < found["builtin_calls"]["held"]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("target", ["no_such_module", "empty.py"])
def test_a_target_without_kernels_is_a_bad_argument(run: Any, dataset_file: Path, target: str) -> None:
    dataset_file.with_name("empty.py").write_text("import warp as wp\n")
    compared = dataset_file.with_name(target) if target.endswith(".py") else target
    done = run("stats", dataset_file, "--beside", compared, expect=2)
    assert done.stderr.startswith("error: cannot compare with")
    assert target in done.stderr
    assert not dataset_file.with_name("stats.json").exists()
