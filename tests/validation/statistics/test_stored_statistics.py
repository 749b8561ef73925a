"""`warpsmith-dataset stats` prints what it counted before, and counts again where something changed."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def folder(run: Run, small: Path, tmp_path: Path) -> Path:
    """A copy of `small` with statistics, in which the number of pairs is a wrong one: it shows where a figure is from."""
    copied = tmp_path / "both"
    shutil.copytree(small, copied)
    run("core", "stats", copied, "--workers", 1)
    content = json.loads((copied / "stats.json").read_text())
    content["pairs"] = 41
    (copied / "stats.json").write_text(json.dumps(content))
    return copied


def pairs(run: Run, folder: Path, *options: str, expect: int = 0) -> int:
    done = run("core", "stats", folder, "--workers", 1, "--json", *options, expect=expect)
    counted: int = json.loads(done.stdout)["statistics"]["pairs"]
    return counted


def test_the_file_is_printed(run: Run, folder: Path) -> None:
    done = run("core", "stats", folder, "--workers", 1)
    assert "from stats.json" in done.stderr
    assert "41" in done.stdout
    assert pairs(run, folder) == 41


@pytest.mark.exhaustive
def test_again_counts_again(run: Run, folder: Path) -> None:
    assert pairs(run, folder, "--again") == 40
    assert pairs(run, folder) == 40


@pytest.mark.exhaustive
def test_a_shard_of_another_size_is_counted(run: Run, folder: Path) -> None:
    shard = folder / "pairs-00003.jsonl"
    lines = shard.read_bytes().splitlines(keepends=True)
    shard.write_bytes(b"".join(lines[:-1]))
    assert pairs(run, folder, expect=1) == 39


@pytest.mark.exhaustive
def test_a_larger_dataset_is_counted(run: Run, folder: Path) -> None:
    options = ("-n", 50, "-d", "both", "-b", "--shard-size", 10, "--workers", 1)
    run("synthesis", "make", *options, "-o", folder)
    assert pairs(run, folder) == 50
