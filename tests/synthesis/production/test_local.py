"""Local workers: a dead worker costs no finished work, and workers that keep dying end the run with an error."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from made_datasets import BOTH, SMALL
from processes import children_of, command_of, is_alive, kill

pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds workers in /proc")

Start = Callable[..., subprocess.Popen[str]]
Files = Callable[[Path], dict[str, str]]


def servers_of(process: subprocess.Popen[str]) -> set[int]:
    """Return the running fork server of ``process``."""
    return {child for child in children_of([process.pid]) if b"multiprocessing.forkserver" in command_of(child)}


def workers_of(process: subprocess.Popen[str]) -> set[int]:
    """Return the workers of ``process``."""
    return children_of(servers_of(process))


@pytest.mark.sampled(1)
@pytest.mark.parametrize("processes", [workers_of, servers_of])
def test_a_killed_worker_or_server_costs_no_finished_shard(
    start: Start, wait_for: Callable[..., Any], dataset: Path, tmp_path: Path, files: Files, processes: Callable[..., set[int]]
) -> None:
    folder = tmp_path / "killed"
    process = start(*BOTH, "--workers", 1, "--json", "-o", folder)
    wait_for(lambda: list(folder.glob("pairs-00000.jsonl")))
    finished = (folder / "pairs-00000.jsonl").stat().st_ino
    (victim,) = processes(process)
    kill(victim)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == 0, stderr
    assert json.loads(stdout)["made"] == 100
    assert (folder / "pairs-00000.jsonl").stat().st_ino == finished, "a finished shard was made again"
    assert files(folder) == files(dataset)


@pytest.mark.exhaustive
def test_workers_that_keep_dying_end_the_run(
    run: Callable[..., Any], start: Start, wait_for: Callable[..., Any], small: Path, tmp_path: Path, files: Files
) -> None:
    folder = tmp_path / "dying"
    process = start(*SMALL, "-o", folder)

    def ended() -> bool:
        kill(*workers_of(process))
        return process.poll() is not None

    wait_for(ended)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 2
    error = stderr.splitlines()[-1]
    assert error.startswith("error: workers died 3 times")
    assert "run the same command again, with fewer --workers" in error
    assert "Traceback" not in stderr

    run("synthesis", "make", *SMALL, "-o", folder)
    assert files(folder) == files(small)


def test_workers_end_with_the_command(start: Start, wait_for: Callable[..., Any], tmp_path: Path) -> None:
    work = tmp_path / "orphans" / ".work"
    process = start(
        *BOTH[2:], "-n", 800, "--shard-size", 600, "--workers", 1, "-o", work.parent
    )  # only the last shard has small chunks
    wait_for(lambda: list(work.glob("pairs-00000-000.jsonl.json")))
    (worker,) = workers_of(process)
    process.kill()
    wait_for(lambda: not is_alive(worker))
    assert not list(work.glob("pairs-00000-001*")), "the worker finished its chunk"
