"""The figures of realism in `stats.json` equal independent counts of the files, for datasets and for folders of real code."""

from __future__ import annotations

import ast
import json
import shutil
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from source_tree import ROOT
from warpsmith.core.records.jsonl import Line, read_lines
from warpsmith.validation.statistics.reading import read_statistics
from warpsmith.validation.statistics.realism import section
from warpsmith.validation.statistics.realism.features import FEATURES
from warpsmith.validation.statistics.sections import measure_lines, merge, summarize

SAMPLES = ROOT / "data" / "samples"

CODE = """import warp as wp

raise SystemExit("imported")


@wp.kernel(enable_backward=False)
def scatter(x: wp.array(dtype=float), idx: wp.array(dtype=int), out: wp.array(dtype=float)):
    i = wp.tid()
    # skip what is not there
    if idx[i] < 0:
        return

    out[idx[i]] = x[i]


@wp.kernel
def fill(out: wp.array(dtype=float), value: float):
    out[wp.tid()] = value
"""


@pytest.fixture(scope="module")
def samples() -> list[Line]:
    return [line for path in sorted(SAMPLES.glob("pairs-*.jsonl")) for line in read_lines(path)]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SAMPLES, tmp_path / "samples", ignore=shutil.ignore_patterns("stats.json")))


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """Return a folder of real code with two kernels, and one file that is not Python."""
    folder = tmp_path / "code"
    folder.mkdir()
    (folder / "real.py").write_text(CODE)
    (folder / "broken.py").write_text("def f(:\n")
    return folder


def summary(lines: list[Line]) -> Any:
    return summarize(merge([measure_lines(lines)]))["realism"]


def test_figures_of_samples_equal_independent_counts(samples: list[Line]) -> None:
    found = summary(samples)
    functions = [
        node
        for line in samples
        for node in ast.parse(line.checked().python_source).body
        if isinstance(node, ast.FunctionDef) and ast.unparse(node.decorator_list[0]).startswith("wp.kernel")
    ]
    assert found["kernels"] == len(functions) == len(samples)
    arguments = [len(function.args.args) for function in functions]
    assert found["features"]["interface"]["8 arguments or more"]["kernels"] == sum(number >= 8 for number in arguments)
    loops = [any(isinstance(node, ast.While) for node in ast.walk(function)) for function in functions]
    expected = {"kernels": sum(loops), "share": pytest.approx(sum(loops) / len(samples), abs=1e-6)}
    assert found["features"]["control flow"]["while loop"] == expected
    plain = Counter(
        tuple(type(node).__name__ for node in function.body[ast.get_docstring(function) is not None :])
        for function in functions
    )
    assert len(plain) <= found["skeletons"]["distinct"] <= len(functions)


def test_every_feature_has_a_row(samples: list[Line]) -> None:
    found = summary(samples[:3])["features"]
    assert {group: list(names) for group, names in found.items()} == {group: list(names) for group, names in FEATURES.items()}


def test_merged_parts_equal_the_whole(samples: list[Line], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(section, "MAX_CHARACTERS", 9_000)  # less than all samples have
    whole = measure_lines(samples)["sections"]["realism"]
    parts = [measure_lines(samples[start:stop]) for start, stop in pairwise([0, 1, 8, 8, 30, len(samples)])]
    merged = merge(json.loads(json.dumps(parts)))["sections"]["realism"]
    assert merged == whole
    assert 9_000 <= merged["characters"] == sum(map(len, merged["texts"])) < 9_000 + max(map(len, merged["texts"]))


def test_a_folder_of_real_code_beside_a_dataset(run: Any, copy: Path, code: Path) -> None:
    statistics = json.loads(run("stats", copy, "--beside", code, "--json", "--workers", 1).stdout)["statistics"]
    assert statistics == json.loads((copy / "stats.json").read_text()) == read_statistics(copy / "stats.json")
    real = statistics["real_code"]
    assert (real["target"], real["files"], real["unread_files"], real["realism"]["kernels"]) == (str(code), 2, 1, 2)
    shares = {name: found["share"] for group in real["realism"]["features"].values() for name, found in group.items()}
    assert {name: share for name, share in shares.items() if share} == {
        "index loaded from an array": 0.5,
        "-1 or 0 as a sentinel": 0.5,
        "copy or fill only": 1.0,
        "enable_backward=False": 0.5,
        "comment": 0.5,
        "blank line": 0.5,
    }
    assert real["realism"]["skeletons"] == {"distinct": 2, "distinct_share": 1.0, "top_share": 1.0}
    assert "beside" not in statistics
    assert "transfer" not in statistics


@pytest.mark.exhaustive
def test_tables_of_a_comparison_with_real_code(run: Any, copy: Path, code: Path) -> None:
    transfer = ("--transfer", "--reference", code / "real.py", "--held-out", code)
    printed = run("stats", copy, "--beside", code, *transfer, "--workers", 1, env={"COLUMNS": "200"}).stdout
    assert "resemblance to real code" in printed
    assert "enable_backward=False" in printed
    assert f"transfer ratio of {code}: 1.000 at " in printed
    assert f"reference: {code / 'real.py'}, " in printed


@pytest.mark.exhaustive
def test_the_transfer_ratio_with_texts_of_warp(run: Any, copy: Path) -> None:
    transfer = json.loads(run("stats", copy, "--transfer", "--json", "--workers", 1).stdout)["statistics"]["transfer"]
    assert transfer["reference"].startswith("Warp ")
    assert transfer["held_out"].endswith(": examples")
    assert transfer["reference_tokens"] > 100_000
    assert transfer["held_out_tokens"] > 50_000
    assert transfer["tokens"] == transfer["available_tokens"] < 100_000
    assert 0.8 < transfer["ratio"] < 1.5


@pytest.mark.sampled(1)
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--reference", "{code}"), "--reference requires --transfer or a folder"),
        (("--held-out", "{code}"), "--held-out requires --transfer"),
        (("--transfer", "--reference", "{code}/missing"), "does not exist"),
        (("--transfer", "--held-out", "{code}/broken.py"), "no kernel, function or struct in 1 Python files, 1 of which"),
        (("--beside", "{code}/empty"), "no kernel in 0 Python files"),
    ],
)
def test_bad_arguments(run: Any, copy: Path, code: Path, arguments: tuple[str, ...], message: str) -> None:
    (code / "empty").mkdir()
    done = run("stats", copy, *(argument.format(code=code) for argument in arguments), "--workers", 1, expect=2)
    assert message in done.stderr
    assert not (copy / "stats.json").exists()
