"""The same request gives the same bytes, also by the commands on the dataset card, and without Warp."""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from core.export.exports import Here, all_rows, contents


@pytest.mark.sampled(1)
@pytest.mark.parametrize("form", ["parquet", "chat", "chat.zst"])
def test_the_same_request_gives_the_same_bytes(run: Any, small: Path, tmp_path: Path, form: str) -> None:
    for name in ("one", "two"):
        run("core", "export", small, "--format", form, "-o", tmp_path / name)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_a_complete_export_is_not_written_again(here: Here, small: Path, tmp_path: Path) -> None:
    command = (small, "--format", "jsonl", "-o", tmp_path / "out")
    code, first, error = here(*command)
    assert (code, "already complete" in error) == (0, False)
    stamps = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").iterdir()}
    code, second, error = here(*command)
    assert (code, second) == (0, first)
    assert "already complete: nothing was written" in error
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "out").iterdir()} == stamps


@pytest.mark.exhaustive
def test_commands_on_the_card_reproduce_the_export(run: Any, small: Path, tmp_path: Path) -> None:
    run("core", "export", small, "--format", "chat", "--task", "cuda_to_python", "--split", "0.8,0.2", "-o", tmp_path / "one")
    commands = re.findall(r"^warpsmith-(\w+) (.+)$", (tmp_path / "one" / "README.md").read_text(), re.MULTILINE)
    tools = {"synthesize": "synthesis", "dataset": "core"}
    folders = {"DATASET": str(tmp_path / "small"), "DIR": str(tmp_path / "two")}
    for tool, command in commands:
        run(tools[tool], *(folders.get(word, word) for word in shlex.split(command)))
    assert contents(tmp_path / "small") == contents(small)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_warp_is_not_needed(run: Any, small: Path, tmp_path: Path) -> None:
    (tmp_path / "warp.py").write_text("raise ImportError('not needed')\n")
    environment = {"PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])}
    run("core", "export", small, "-o", tmp_path / "out", env=environment)
    assert len(all_rows(tmp_path / "out")) == 40
