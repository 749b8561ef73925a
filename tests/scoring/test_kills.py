"""A run whose processes are killed with SIGKILL leaves no process, and the same command continues."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from command_line import start_code
from processes import assert_nothing_lives
from warpsmith.core import Pair
from warpsmith.core.records.encoding import encode
from warpsmith.scoring.tasks.task import make_task

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")

COMPLETIONS = 160


@pytest.mark.exhaustive
def test_a_killed_run_leaves_no_process_and_continues(samples: list[Pair], tmp_path: Path) -> None:
    task = make_task("python_to_cuda", samples[0])
    assert task is not None
    row = {"task_id": task.task_id, "completion": samples[0].cuda_ir_forward}
    (tmp_path / "tasks.jsonl").write_bytes(encode(task.to_row()))
    (tmp_path / "completions.jsonl").write_bytes(encode(row) * COMPLETIONS)
    command = [sys.executable, "-c", start_code("scoring"), "run", "tasks.jsonl", "completions.jsonl", "-o", "results.jsonl"]
    environment = os.environ | {"TMPDIR": str(tmp_path)}
    started = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 120.0
    while not any(path.stat().st_size for path in tmp_path.glob(".*.partial")) and time.monotonic() < deadline:
        time.sleep(0.05)
    started.kill()
    assert started.wait() == -signal.SIGKILL
    assert_nothing_lives(tmp_path)
    [partial] = tmp_path.glob(".results.jsonl.*.partial")
    assert 0 < partial.read_bytes().count(b"\n") < COMPLETIONS
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    results = [json.loads(line) for line in (tmp_path / "results.jsonl").read_text().splitlines()]
    assert [result["passed"] for result in results] == [True] * COMPLETIONS
    assert list(tmp_path.glob(".*.partial")) == []
    assert_nothing_lives(tmp_path)
