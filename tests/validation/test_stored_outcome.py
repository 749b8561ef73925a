"""`warpsmith-validate run --if-changed` reads nothing where nothing has changed, and checks where something has."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def folder(run: Run, small: Path, tmp_path: Path) -> Path:
    """A copy of `small` with verdicts of the level parse."""
    copied = tmp_path / "both"
    shutil.copytree(small, copied)
    run("validation", "run", copied, "--workers", 1)
    return copied


def again(run: Run, folder: Path, *options: Any, expect: int = 0) -> dict[str, Any]:
    done = run("validation", "run", folder, "--if-changed", "--workers", 1, "--json", *options, expect=expect)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def test_shards_are_not_read(run: Run, folder: Path) -> None:
    """Shards of the same size that contain nothing of the kind keep their verdicts; without the option they do not."""
    before = again(run, folder)
    for shard in folder.glob("pairs-*.jsonl"):
        shard.write_bytes(b"x" * shard.stat().st_size)
    assert again(run, folder) == before
    assert before["levels"] == {"schema": {"pass": 40}, "parse": {"pass": 40}}
    assert before["reused"] == 40
    assert "pairs-00000.jsonl" in run("validation", "run", folder, "--workers", 1, "--json", expect=1).stdout


def test_a_shard_of_another_size_is_checked(run: Run, folder: Path) -> None:
    shard = folder / "pairs-00000.jsonl"
    shard.write_bytes(shard.read_bytes()[:-200])
    assert again(run, folder, expect=1)["levels"]["schema"]["fail"] == 1


def test_other_checks_check_again(run: Run, folder: Path) -> None:
    origin = folder / "verdicts-00002.json"
    content = json.loads(origin.read_text())
    content["levels"]["parse"]["version"] = "0+older"
    origin.write_text(json.dumps(content))
    assert again(run, folder)["reused"] < 40


@pytest.mark.exhaustive
def test_a_higher_level_and_a_larger_sample_are_checked(run: Run, folder: Path) -> None:
    assert again(run, folder, "--level", "regenerate", "--sample", 5)["levels"]["regenerate"] == {"pass": 5}
    assert again(run, folder, "--level", "regenerate", "--sample", 5)["reused"] == 5
    assert again(run, folder, "--level", "regenerate", "--sample", 8)["levels"]["regenerate"] == {"pass": 8}


def test_stored_failures_are_failures(run: Run, folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    shard = folder / "pairs-00001.jsonl"
    lines = shard.read_bytes().splitlines(keepends=True)
    lines[0] = b"{" + b" " * (len(lines[0]) - 3) + b"}\n"
    shard.write_bytes(b"".join(lines))
    manifest["shards"][1]["sha256"] = hashlib.sha256(shard.read_bytes()).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest))
    run("validation", "run", folder, "--workers", 1, expect=1)
    found = again(run, folder, expect=1)
    assert found["levels"]["schema"] == {"pass": 39, "fail": 1}
    assert [one["level"] for one in found["failures"]] == ["schema"]
