"""The gradients of whole programs in real processes: ``warpsmith-extract --tapes``, ``warpsmith-validate tapes`` and pytest."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import start_code
from gate_project import run_pytest

PROGRAM = """import sys

import numpy as np
import warp as wp

wp.config.log_level, wp.config.use_precompiled_headers = wp.LOG_ERROR, False


@wp.kernel
def squared(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = x[i] * x[i]


def train(wrong):
    x = wp.array(np.array([0.4, 0.7]), dtype=float, requires_grad=True, device="cpu")
    y, z = (wp.zeros(2, dtype=float, requires_grad=True, device="cpu") for _ in range(2))
    tape = wp.Tape()
    with tape:
        wp.launch(squared, 2, inputs=[x, y], device="cpu")  # first
        wp.launch(squared, 2, inputs=[y, z], device="cpu")
    if wrong:
        y.zero_()
    tape.backward(grads={z: wp.ones(2, dtype=float, device="cpu")})  # the backward pass


def test_wrong():
    train(True)


def test_right():
    train(False)


if __name__ == "__main__":
    train("wrong" in sys.argv)
"""

LINES = PROGRAM.splitlines()
SECOND = next(number for number, line in enumerate(LINES, 1) if "inputs=[y, z]" in line)
BACKWARD = next(number for number, line in enumerate(LINES, 1) if line.endswith("# the backward pass"))


def command(folder: Path, tool: str, *arguments: str, expect: int) -> str:
    """Run a command; return what it prints to both streams."""
    done = subprocess.run(
        [sys.executable, "-c", start_code(tool), *arguments],
        cwd=folder, capture_output=True, text=True, check=False, timeout=300, env={**os.environ, "COLUMNS": "200"},
    )  # fmt: skip
    assert done.returncode == expect, done.stdout + done.stderr
    return done.stdout if "--json" in arguments else done.stdout + done.stderr


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the recordings of the program, wrong and right."""
    folder = tmp_path_factory.mktemp("recorded")
    (folder / "training.py").write_text(PROGRAM)
    for name in ("wrong", "right"):
        output = ("-d", "both", "-b", "-o", f"{name}-pairs.jsonl", "--tapes", f"{name}.jsonl")
        printed = command(folder, "extraction", *output, "--run", "training.py", name, expect=0)
        assert "1 backward passes recorded" in printed
    return folder


def test_the_command_names_the_launch(recorded: Path) -> None:
    printed = command(recorded, "validation", "tapes", "wrong.jsonl", expect=1)
    assert re.search(rf"squared .* training\.py:{SECOND} .* fail .* squared uses `x`, which the program overwrites", printed)
    assert command(recorded, "validation", "tapes", "right.jsonl", "--strict", expect=0).count("pass")


def test_the_json_has_the_results(recorded: Path) -> None:
    found = json.loads(command(recorded, "validation", "tapes", "wrong.jsonl", "--json", expect=1))
    (result,) = found["programs"]
    assert (result["result"], result["level"], result["kernel"]) == ("fail", "program", "squared")
    assert (result["file"], result["line"]) == ("training.py", SECOND)
    assert found["failed"] is True
    (right,) = json.loads(command(recorded, "validation", "tapes", "right.jsonl", "--json", expect=0))["programs"]
    assert (right["result"], right["line"]) == ("pass", BACKWARD)


def test_a_baseline_contains_known_faults(recorded: Path) -> None:
    known = ("--baseline", "known.json")
    command(recorded, "validation", "tapes", "wrong.jsonl", *known, "--update-baseline", expect=0)
    command(recorded, "validation", "tapes", "wrong.jsonl", *known, expect=0)
    printed = command(recorded, "validation", "tapes", "right.jsonl", *known, expect=0)
    assert "no longer fails: training.py::train (wrong-program-gradient)" in printed


def test_what_is_not_checked_fails_only_strictly(recorded: Path) -> None:
    line = (recorded / "right.jsonl").read_bytes().replace(b'"reason":""}', b'"reason":"too long"}', 1)
    record = json.loads(line)
    record["recording"]["reason"] = "more than 2000 launches"
    (recorded / "long.jsonl").write_text(json.dumps(record) + "\n")
    assert "more than 2000 launches" in command(recorded, "validation", "tapes", "long.jsonl", expect=0)
    command(recorded, "validation", "tapes", "long.jsonl", "--strict", expect=1)


def test_a_damaged_file_is_named(recorded: Path) -> None:
    (recorded / "damaged.jsonl").write_bytes((recorded / "right.jsonl").read_bytes() + b'{"recording": 7}\n')
    printed = command(recorded, "validation", "tapes", "damaged.jsonl", expect=2)
    assert re.search(r"damaged\.jsonl:2: not a recording of a tape: Expected `object`, got `int`", printed)
    assert "missing.jsonl" in command(recorded, "validation", "tapes", "missing.jsonl", expect=2)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    (folder / "test_training.py").write_text(PROGRAM)
    return folder


def test_pytest_fails_at_the_launch(project: Path) -> None:
    done = run_pytest(project, "--warpsmith-gradients", expect=1)
    assert re.search(
        rf"^FAIL \S*test_training\.py:{SECOND} squared: program: squared uses `x`, which ", done.stdout, re.MULTILINE
    )
    assert "2 backward passes of tapes: 1 fail, 0 not checked, 0 inconclusive, 0 not applicable, 1 pass" in done.stdout
    assert "2 passed" in done.stdout


@pytest.mark.exhaustive
def test_without_tapes_pytest_passes(project: Path) -> None:
    done = run_pytest(project, "--warpsmith-gradients", "--no-warpsmith-tapes", expect=0)
    assert "backward passes" not in done.stdout


@pytest.mark.exhaustive
def test_the_setting_switches_tapes_off(tmp_path: Path) -> None:
    (tmp_path / "test_training.py").write_text(PROGRAM)
    (tmp_path / "pyproject.toml").write_text("[tool.warpsmith]\ntapes = false\n")
    assert "backward passes" not in run_pytest(tmp_path, "--warpsmith-gradients", expect=0).stdout
    assert "2 backward passes" in run_pytest(tmp_path, "--warpsmith-gradients", "--warpsmith-tapes", expect=1).stdout


@pytest.mark.exhaustive
def test_two_workers_find_the_same(project: Path) -> None:
    pytest.importorskip("xdist")
    done = run_pytest(project, "--warpsmith-gradients", "-n", "2", expect=1)
    assert f"test_training.py:{SECOND} squared: program: squared uses `x`" in done.stdout
    assert "2 backward passes of tapes: 1 fail, 0 not checked, 0 inconclusive, 0 not applicable, 1 pass" in done.stdout
