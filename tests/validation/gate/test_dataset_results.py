"""`warpsmith-validate run` lists the kernels of a project by file and line; the output for other datasets is as before."""

from __future__ import annotations

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.datasets.verdict_files import Judge
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.pair import Reject
from warpsmith.core.records.verdict import Verdict
from warpsmith.validation.gate.dataset_results import is_of_project, kernel_results
from warpsmith.validation.levels.registry import judge_version, levels_to

REASON = "the adjoint gives 1.5, central differences 2.5 along a random direction; of xx[5, 3]: 1.2 instead of 2.46"


@pytest.fixture
def pairs(project_pair: Any, tmp_path: Path) -> Path:
    """Return a file with three pairs and a reject, which an earlier run has checked."""
    made = [
        project_pair("sum in a loop", line=4),
        project_pair("product in a loop", line=11),
        project_pair("branch", "sim/other.py", 30, reason="an array of 3 GB"),
    ]
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(b"".join(map(encode, made)))
    reject = Reject(id="sim-1-sim.step", seed=None, index=None, stage="source", error="a lambda")
    path.with_suffix(".rejects.jsonl").write_bytes(encode(reject) + b"{}\n")
    levels = levels_to("gradient")
    rows = {}
    for number, pair in enumerate(made, start=1):
        for level in levels:
            status: Any = "skipped" if number == 3 and level.name in ("execute", "emulate", "gradient") else "pass"
            rows[number, level.name] = Verdict(pair.id, level.name, status, "", 1.0)
    rows[2, "gradient"] = Verdict(made[1].id, "gradient", "fail", REASON, 1.0)
    judges = {level.name: Judge(judge_version(level), version("warp-lang")) for level in levels}
    Dataset.open(path).write_verdicts(path, rows, judges)
    return path


def test_the_kernels_are_listed_with_file_and_line(run: Any, pairs: Path) -> None:
    done = run("validation", "run", pairs, "--level", "gradient", "--workers", 1, expect=1)
    assert "verdicts on 3 pairs" in done.stdout
    rows = [[cell.strip() for cell in line.strip("│\n").split("│")] for line in done.stdout.splitlines() if "sim/" in line]
    assert rows == [
        ["kernel", "sim/kernels.py:11", "fail", "gradient of xx[5, 3]: got 1.2, expected 2.46"],
        ["kernel", "sim/other.py:30", "not checked", "an array of 3 GB"],
    ]
    assert "source: a lambda" in done.stdout
    last = done.stdout.splitlines()[-1]
    assert last == "5 launches of 5 kernels: 1 fail, 3 not checked, 0 inconclusive, 0 not applicable, 1 pass"


def test_json_has_the_same(run: Any, pairs: Path) -> None:
    done = run("validation", "run", pairs, "--level", "gradient", "--workers", 1, "--json", expect=1)
    kernels = {(one["file"], one["line"]): one for one in json.loads(done.stdout)["kernels"]}
    assert kernels["sim/kernels.py", 11]["disagreement"] == {
        "argument": "xx",
        "element": "xx[5, 3]",
        "got": 1.2,
        "expected": 2.46,
    }
    assert kernels["sim/kernels.py", 4]["result"] == "pass"
    assert kernels["sim/other.py", 30]["result"] == "not checked"
    assert kernels["", 0]["result"] == "not checked"


def test_lines_without_verdicts_are_not_checked(pairs: Path) -> None:
    Dataset.open(pairs).verdict_file(pairs).unlink()
    found = kernel_results(Dataset.open(pairs), ["schema", "gradient"], machine="no worker")
    assert [(one.result, one.reason) for one in found[:2]] == [("not checked", "no worker")] * 2
    assert found[2].reason == "an array of 3 GB"


def test_lines_outside_of_a_sample_do_not_count(pairs: Path) -> None:
    found = kernel_results(Dataset.open(pairs), ["gradient"], sample=1)
    assert len([one for one in found if one.level != "not extracted"]) == 1


def test_the_output_for_a_synthesized_dataset_is_as_before(run: Any, own_small: Path) -> None:
    assert not is_of_project(Dataset.open(own_small))
    plain = run("validation", "run", own_small, "--level", "schema", "--workers", 1)
    assert plain.stdout.splitlines()[-1].startswith("└")
    assert "kernels" not in json.loads(
        run("validation", "run", own_small, "--level", "schema", "--workers", 1, "--json").stdout
    )


@pytest.mark.exhaustive
def test_a_wrong_gradient_is_found_and_located(run: Any, project_pair: Any, tmp_path: Path) -> None:
    made = [project_pair("sum in a loop", line=4), project_pair("component replaced", line=11)]
    (tmp_path / "pairs.jsonl").write_bytes(b"".join(map(encode, made)))
    done = run("validation", "run", tmp_path / "pairs.jsonl", "--level", "gradient", "--workers", 1, "--json", expect=1)
    right, wrong = json.loads(done.stdout)["kernels"]
    assert (right["result"], wrong["result"]) == ("pass", "fail")
    assert wrong["disagreement"]["argument"] == "v"
    assert wrong["disagreement"]["expected"] == pytest.approx(0.0, abs=1e-6)
