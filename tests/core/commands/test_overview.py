"""`warpsmith-dataset show` without a pair: what there is, how much passed, and commands that can be copied."""

from __future__ import annotations

import json
import shlex
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def folder(small: Path, tmp_path: Path) -> Path:
    """A copy of `small` in a folder whose name contains a space."""
    copied = tmp_path / "my data"
    shutil.copytree(small, copied)
    return copied


def test_ten_lines_say_what_there_is(run: Run, folder: Path) -> None:
    lines = run("core", "show", folder).stdout.splitlines()
    assert len(lines) <= 10
    megabytes = sum(path.stat().st_size for path in folder.glob("pairs-*.jsonl")) / 1e6
    assert lines[0] == f"{folder}: 40 pairs of Python, C++ and CUDA, forward and adjoint, {megabytes:.1f} MB in 4 files"
    assert lines[1] == "not checked yet: warpsmith-validate run"


def test_the_commands_work_with_spaces(run: Run, folder: Path) -> None:
    (line,) = [line for line in run("core", "show", folder).stdout.splitlines() if " --format chat " in line]
    arguments = shlex.split(line.partition("  rows to train on")[0])
    out = folder.parent / "chat"
    run("core", *[str(out) if word == "DIR" else word for word in arguments[1:]])
    assert "40" in (out / "README.md").read_text()


def test_verdicts_are_counted_by_level(run: Run, folder: Path) -> None:
    run("validation", "run", folder, "--level", "parse", "--workers", 1)
    run("validation", "run", folder, "--level", "regenerate", "--sample", 10, "--workers", 1)
    done = run("core", "show", folder)
    assert "checked: schema, parse: 40 of 40 pass; regenerate: 10 of 10 pass (of 40)" in done.stdout
    figures = json.loads(run("core", "show", folder, "--json").stdout)
    assert figures["pairs"] == 40
    assert figures["verdicts"] == {"schema": {"pass": 40}, "parse": {"pass": 40}, "regenerate": {"pass": 10}}


def test_verdicts_on_other_content_do_not_count(run: Run, folder: Path) -> None:
    run("validation", "run", folder, "--level", "parse", "--workers", 1)
    for shard in folder.glob("pairs-*.jsonl"):
        shard.write_bytes(shard.read_bytes() + b"\n")
    assert "not checked yet" in run("core", "show", folder).stdout


@pytest.mark.parametrize("options", [("3-2000-1", "--index", 0), ("--index", 0, "--json"), ("3-2000-1", "--json")])
def test_contradictory_options_are_refused(run: Run, folder: Path, options: tuple[object, ...]) -> None:
    assert "name " in run("core", "show", folder, *options, expect=2).stderr
