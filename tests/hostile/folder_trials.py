"""Hostile folders, tried with the commands: the problems that this causes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hostile.folders import FolderRow
from hostile.harness import SHARD, write_dataset
from hostile.processes import Problem, Surroundings, remove
from hostile.row import neighbours

BAD = "bad"
"""The id of a pair of the dataset that fails; the command `reduce` is tried on it."""


def make_dataset(root: Path, pairs: int = 3) -> Path:
    """Return a folder with harmless pairs, one pair that fails, and their verdicts up to `parse`."""
    folder = root / "data"
    folder.mkdir(parents=True)
    bad: dict[str, Any] = json.loads(neighbours(1)[0])
    bad.update(id=BAD, python_source="import os\n" + bad["python_source"])
    bad["metadata"].update(seed=None, index=None)
    lines = [*neighbours(pairs), json.dumps(bad).encode() + b"\n"]
    write_dataset(folder, b"".join(lines), len(lines))
    done = Surroundings(root).start("validation", "run", folder, "--workers", 1, seconds=120.0)
    assert done.code == 1, done.err
    return folder


def folder_problems(row: FolderRow, dataset: Path, root: Path, seconds: float) -> Iterator[Problem]:
    """Yield the problems of the commands on a copy of ``dataset`` after the damage of ``row``."""
    surroundings = Surroundings(root)
    folder, victim = root / "data", root / "victim"
    for command in row.commands:
        remove(root)
        surroundings = Surroundings(root)
        shutil.copytree(dataset, folder)
        victim.write_text("victim\n")
        row.damage(folder)
        done = surroundings.start(*_command(command, folder, root), seconds=seconds)
        yield from surroundings.problems(command, done)
        if victim.read_text() != "victim\n":
            yield Problem("escape", command, "it writes through a link")
        if not row.copies and command in ("filter", "export") and (count := _copied(root)):
            yield Problem("missed", command, f"{count} pairs are copied")
    remove(root)


def _command(command: str, folder: Path, root: Path) -> tuple[Any, ...]:
    required = ("--require", "parse=pass")
    return {
        "validate": ("validation", "run", folder, "--workers", 1),
        "filter": ("core", "filter", folder, *required, "-o", root / "filtered"),
        "export": ("core", "export", folder, *required, "--format", "jsonl", "-o", root / "exported"),
        "stats": ("stats", folder, "--workers", 1),
        "report": ("report", folder, "--workers", 1),
        "gpu": ("gpu_checks", "run", folder, "--device", "cpu"),
        "reduce": ("validation", "reduce", folder, BAD, "--level", "parse", "--workers", 1, "-o", root / "reduced.jsonl"),
    }[command]


def _copied(root: Path) -> int:
    shards = [path for name in ("filtered", "exported") for path in (root / name).rglob("*.jsonl")]
    return sum(SHARD[:5] in path.name or "train" in path.name for path in shards if path.is_file() and path.stat().st_size)
