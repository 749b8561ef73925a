"""Drivers that something else kills during a run: the verdicts are those of an undisturbed run."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from command_line import start_code
from processes import children_of
from warpsmith.core.records.jsonl import Line

pytestmark = [
    pytest.mark.exhaustive,
    pytest.mark.skipif(sys.platform != "linux", reason="drivers require Linux"),
]

KILLS = 2


def drivers_of(command: int) -> set[int]:
    """Return the drivers of a command: it starts a worker, which starts a server, which starts drivers."""
    found = {command}
    for _ in range(3):
        found = children_of(found)
    return found


def test_kills_change_no_verdict(sample_lines: list[Line], tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_bytes(b"".join(line.raw for line in sample_lines))
    arguments = [sys.executable, "-c", start_code("gpu_checks"), "run", str(path), "--device", "cpu", "--json"]
    delays, killed = random.Random(0), set[int]()  # noqa: S311
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, env=os.environ | {"PYTHONHASHSEED": "0"}) as command:
        while command.poll() is None:
            for driver in drivers_of(command.pid) - killed if len(killed) < KILLS else ():
                time.sleep(delays.uniform(0.0, 2.0))
                with contextlib.suppress(ProcessLookupError):
                    os.kill(driver, signal.SIGKILL)
                killed.add(driver)
            time.sleep(0.02)
        assert command.stdout is not None
        assert json.loads(command.stdout.read())["levels"]["gpu"] == {"pass": len(sample_lines)}
    assert len(killed) == KILLS
