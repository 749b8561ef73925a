"""Files of verdicts are whole or as they were, even if the disk is full or the process is killed while it writes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from warpsmith.core.datasets.verdict_files import Judge, read_verdict_file, write_verdict_file
from warpsmith.core.records.verdict import Verdict

SHARD = "0" * 64
JUDGES = {"schema": Judge("1", "1.0")}

WRITES = """
import os, resource, signal, sys
from pathlib import Path
from warpsmith.core.datasets.verdict_files import Judge, write_verdict_file
from warpsmith.core.errors import TargetError
from warpsmith.core.records.verdict import Verdict

class Rows(dict):
    def items(self):
        yield from super().items()
        if sys.argv[2] == "killed":
            os.kill(os.getpid(), signal.SIGKILL)

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
rows = Rows({(line, "schema"): Verdict(str(line), "schema", "pass", "", 0.0) for line in range(1, 101)})
try:
    write_verdict_file(Path(sys.argv[1]), "pairs.jsonl", "0" * 64, rows, {"schema": Judge("1", "1.0")})
except TargetError as error:
    print(error)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with the verdict on one line."""
    path = tmp_path / "verdicts.jsonl"
    write_verdict_file(path, "pairs.jsonl", SHARD, {(1, "schema"): Verdict("1", "schema", "fail", "bad", 2.0)}, JUDGES)
    return path


def write(path: Path, disturbance: str) -> str:
    done = subprocess.run([sys.executable, "-c", WRITES, path, disturbance], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    return done.stdout


def test_a_full_disk_leaves_the_old_verdicts(path: Path) -> None:
    assert "free space or choose another folder" in write(path, "full")
    stored = read_verdict_file(path, SHARD)
    assert (stored.problem, [verdict.reason for verdict in stored.verdicts.values()]) == (None, ["bad"])
    assert sorted(file.name for file in path.parent.iterdir()) == ["verdicts.json", "verdicts.jsonl"]


def test_a_killed_run_leaves_the_old_verdicts_and_the_next_run_removes_its_files(path: Path) -> None:
    write(path, "killed")
    assert [verdict.reason for verdict in read_verdict_file(path, SHARD).verdicts.values()] == ["bad"]
    assert len(list(path.parent.glob(".verdicts.jsonl.*.tmp"))) == 1
    write_verdict_file(path, "pairs.jsonl", SHARD, {}, JUDGES)
    assert sorted(file.name for file in path.parent.iterdir()) == ["verdicts.json", "verdicts.jsonl"]
