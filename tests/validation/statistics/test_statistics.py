"""The figures in `stats.json` equal independent counts of the files, and structures ignore names and constants."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from warpsmith.core.records.jsonl import Line
from warpsmith.validation.statistics.sections import measure_lines, merge, summarize
from warpsmith.validation.statistics.structures import structure


@pytest.fixture(scope="module")
def records(dataset: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for path in sorted(dataset.glob("pairs-*.jsonl")) for line in path.read_text().splitlines()]


@pytest.fixture(scope="module")
def statistics(run: Any, dataset: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the statistics that the command prints for a copy of `dataset`."""
    copy = tmp_path_factory.mktemp("measured")
    for path in dataset.glob("*.json*"):
        (copy / path.name).write_bytes(path.read_bytes())
    done = run("stats", copy, "--json", "--workers", 2)
    printed: dict[str, Any] = json.loads(done.stdout)
    assert json.loads((copy / "stats.json").read_text()) == printed["statistics"]
    assert printed["problems"] == []
    assert "levels" not in printed
    statistics: dict[str, Any] = printed["statistics"]
    return statistics


# ---------------------------------------------------------------------------------------------------------------- counts


@pytest.mark.exhaustive
def test_counts_equal_those_of_the_raw_files(statistics: dict[str, Any], records: list[dict[str, Any]], dataset: Path) -> None:
    assert statistics["pairs"] == len(records) == 100
    assert statistics["broken_lines"] == 0
    assert statistics["bytes"] == sum(path.stat().st_size for path in dataset.glob("pairs-*.jsonl"))
    assert statistics["categories"] == Counter(record["metadata"]["category"] for record in records)
    assert statistics["features"] == Counter(feature for record in records for feature in record["metadata"]["features"])


def test_every_pair_has_every_landmark_once(statistics: dict[str, Any]) -> None:
    counts = {name: count for name, count in statistics["counts"].items() if name.startswith(("cpu: ", "cuda: "))}
    assert set(counts) >= {
        *("cuda: forward kernel", "cuda: backward kernel", "cuda: threadIdx", "cuda: blockIdx", "cuda: grid-stride loop"),
        *("cpu: forward kernel", "cpu: backward kernel", "cpu: entry point"),
    }
    assert {name: count for name, count in counts.items() if count != 100 and "invalid" not in name} == {}
    assert statistics["counts"]["valid python"] == 100


def test_a_pair_for_two_devices_is_one_pair_with_backward(statistics: dict[str, Any]) -> None:
    assert statistics["counts"]["with backward"] == 100


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("python bytes", lambda record: len(record["python_source"].encode())),
        ("python lines", lambda record: len(record["python_source"].splitlines())),
        ("cpu bytes", lambda record: len((record["cpp_forward"] + record["cpp_backward"]).encode())),
        ("cuda bytes", lambda record: len((record["cuda_ir_forward"] + record["cuda_ir_backward"]).encode())),
    ],
)
def test_sizes_equal_those_computed_with_numpy(
    statistics: dict[str, Any], records: list[dict[str, Any]], name: str, values: Any
) -> None:
    expected = np.array([values(record) for record in records])
    assert statistics["sizes"][name] == {
        "mean": pytest.approx(expected.mean(), abs=0.051),
        "min": expected.min(),
        "p10": pytest.approx(np.quantile(expected, 0.1)),
        "p50": pytest.approx(np.median(expected)),
        "p90": pytest.approx(np.quantile(expected, 0.9)),
        "max": expected.max(),
    }


@pytest.mark.parametrize(
    ("text", "old", "new", "lost"),
    [
        ("cuda_ir_forward", "threadIdx", "thread", {"cuda: threadIdx"}),
        ("cuda_ir_forward", "blockIdx", "block", {"cuda: blockIdx"}),
        ("cuda_ir_forward", "gridDim.x", "gridDim.y", {"cuda: grid-stride loop"}),
        ("cuda_ir_forward", "_cuda_kernel_forward(", "_kernel(", {"cuda: forward kernel"}),
        ("cuda_ir_backward", "_cuda_kernel_backward(", "_kernel(", {"cuda: backward kernel"}),
        ("cpp_forward", "_cpu_kernel_forward(", "_kernel(", {"cpu: forward kernel"}),
        ("cpp_forward", "_cpu_forward(", "_kernel(", {"cpu: entry point"}),
        ("cpp_backward", "_cpu_kernel_backward(", "_kernel(", {"cpu: backward kernel"}),
        ("python_source", "def ", "define ", {"valid python"}),
    ],
)
def test_a_missing_landmark_is_not_counted(
    lines: list[Line], change_line: Any, text: str, old: str, new: str, lost: set[str]
) -> None:
    def damage(record: dict[str, Any]) -> None:
        assert old in record[text]
        record[text] = record[text].replace(old, new)

    before, after = (summarize(merge([measure_lines([line])]))["counts"] for line in (lines[0], change_line(lines[0], damage)))
    without = {"bytes", *(name for name in after if "invalid" in name)}
    assert {name for name in before if before[name] != after.get(name, 0) and name not in without} == lost


@pytest.mark.exhaustive
def test_missing_texts_have_no_size(run: Any, tmp_path: Path) -> None:
    run("synthesis", "make", "-n", 5, "-d", "cuda", "-o", tmp_path / "some", "--workers", 1)
    done = run("stats", tmp_path / "some", "--json", "--workers", 1)
    statistics = json.loads(done.stdout)["statistics"]
    assert set(statistics["sizes"]) == {"python bytes", "python lines", "python tokens", "cuda bytes", "cuda tokens"}
    assert not [
        name for name, count in statistics["counts"].items() if count and (name.startswith("cpu:") or "backward" in name)
    ]


# ------------------------------------------------------------------------------------------------------------- merging


@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cuts=st.lists(st.integers(0, 30), max_size=4))
def test_merged_parts_equal_the_whole(lines: list[Line], cuts: list[int]) -> None:
    some = lines[:30]
    edges = [0, *sorted(cuts), 30]
    parts = [json.loads(json.dumps(measure_lines(some[start:stop]))) for start, stop in pairwise(edges)]
    assert summarize(merge(parts)) == summarize(merge([measure_lines(some)]))


def test_an_empty_measurement_has_an_empty_summary() -> None:
    summary = summarize(merge([]))
    assert (summary["pairs"], summary["bytes"], summary["sizes"]) == (0, 0, {})
    assert summary["structures"] == {"distinct": 0, "duplicates": 0, "share": 0.0}


def test_structural_duplicates_are_counted(lines: list[Line], change_line: Any) -> None:
    twin = change_line(lines[0], lambda record: record.update(python_source=record["python_source"].replace("0.5", "0.75")))
    structures = summarize(merge([measure_lines([lines[0], twin, lines[0], lines[1]])]))["structures"]
    assert structures == {"distinct": 2, "duplicates": 2, "share": 0.5}


# ----------------------------------------------------------------------------------------------------------- structure

SOURCE = '''import warp as wp

LIMIT = wp.constant(4)


@wp.struct
class Body:
    mass: float
    speed: wp.vec3


@wp.func
def helper(value: float, scale: float):
    return value * scale + 1.5


@wp.kernel
def compute(bodies: wp.array(dtype=Body), inputs: wp.array(dtype=float), outputs: wp.array(dtype=float)):
    """What it does."""
    i = wp.tid()
    total = helper(inputs[i], 2.0)
    for j in range(3):
        if total > 0.5:
            total += wp.sin(inputs[j]) * bodies[i].mass
    outputs[i] = total
'''


def shape(source: str) -> str:
    return structure(ast.parse(source))


def test_a_source_has_its_own_structure() -> None:
    assert shape(SOURCE) == shape(SOURCE)
    assert len(shape(SOURCE)) == 16


@pytest.mark.parametrize("name", ["helper", "compute", "value", "scale", "inputs", "outputs", "bodies", "i", "total", "j"])
def test_names_of_functions_and_variables_do_not_change_the_structure(name: str) -> None:
    renamed = re.sub(rf"\b{name}\b", f"other_{name}", SOURCE)
    assert renamed != SOURCE
    assert shape(renamed) == shape(SOURCE)


@pytest.mark.parametrize("name", ["Body", "mass", "speed"])
def test_names_of_structs_and_members_do_not_change_the_structure(name: str) -> None:
    assert shape(SOURCE.replace(name, f"Other{name}")) == shape(SOURCE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("1.5", "7.25"),
        ("2.0", "1e-3"),
        ("0.5", "99.0"),
        ("range(3)", "range(8)"),
        ('    """What it does."""\n', ""),
        ("What it does.", "Something else."),
        ("LIMIT = wp.constant(4)\n", "LIMIT = wp.constant(5)\n"),
        ("\n\n\n", "\n\n# a comment\n\n"),
        ("inputs: wp.array(dtype=float)", "inputs: wp.array[float]"),
        ("inputs: wp.array(dtype=float)", "inputs: wp.array(dtype=wp.float32)"),
        ("inputs: wp.array(dtype=float)", "inputs: wp.array1d(dtype=float)"),
        ("inputs: wp.array(dtype=float)", "inputs: wp.array(dtype=float, ndim=1)"),
    ],
)
def test_constants_comments_and_spellings_do_not_change_the_structure(old: str, new: str) -> None:
    assert old in SOURCE
    assert shape(SOURCE.replace(old, new)) == shape(SOURCE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("value * scale", "value / scale"),
        ("value * scale + 1.5", "value * (scale + 1.5)"),
        ("value * scale", "value * value"),
        ("total > 0.5", "total < 0.5"),
        ("total += ", "total -= "),
        ("total += ", "total = "),
        ("wp.sin", "wp.cos"),
        ("inputs[j]", "inputs[i]"),
        ("range(3)", "range(3, 4)"),
        ("2.0", "2"),
        ("inputs: wp.array(dtype=float)", "inputs: wp.array(dtype=int)"),
        ("inputs: wp.array(dtype=float)", "inputs: wp.array2d(dtype=float)"),
        ("    mass: float\n", "    mass: float\n    more: float\n"),
        ("    outputs[i] = total\n", ""),
        ("    outputs[i] = total\n", "    outputs[i] = total\n    outputs[i] = total\n"),
        ("@wp.kernel\n", "@wp.kernel(enable_backward=False)\n"),
    ],
)
def test_different_computations_change_the_structure(old: str, new: str) -> None:
    assert old in SOURCE
    assert shape(SOURCE.replace(old, new)) != shape(SOURCE)
