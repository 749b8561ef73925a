"""Interrupted runs: after kills, signals and full disks, the same command continues to the same bytes."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import re
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from made_datasets import SMALL
from plans import core_plan
from processes import children_of, descendants_of, kill_at_random
from warpsmith.core.errors import TargetError
from warpsmith.core.execution.executor import ignore
from warpsmith.synthesis.kernel_key import GENERATOR_VERSION
from warpsmith.synthesis.production.shards import Job, make_chunk
from warpsmith.synthesis.production.synthesis_workers import local_processes

LARGE = ("-n", 10_000, "-d", "cuda", "-b", "--shard-size", 500)
KILLS = 100

Run = Callable[..., subprocess.CompletedProcess[str]]
Start = Callable[..., subprocess.Popen[str]]
Files = Callable[[Path], dict[str, str]]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """Return a function that mounts or remounts a separate file system with options, and returns its folder."""
    folder = tmp_path / "disk"
    folder.mkdir()

    def mount(options: str) -> Path:
        remount = "remount," if os.path.ismount(folder) else ""
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", remount + options, "tmpfs", folder], capture_output=True, check=False
        )
        if done.returncode:
            pytest.skip(f"no file system can be mounted here: {done.stderr.decode().strip()}")
        return folder

    yield mount
    if os.path.ismount(folder):
        subprocess.run(["umount", folder], check=True)


@pytest.mark.exhaustive
def test_a_run_continues_after_a_full_disk(run: Run, small: Path, disk: Callable[[str], Path], files: Files) -> None:
    size = sum(path.stat().st_size for path in small.glob("pairs-*.jsonl")) * 19 // 20
    folder = disk(f"size={size}") / "both"
    error = run("synthesis", "make", *SMALL, "-o", folder, expect=2).stderr.splitlines()[-1]
    assert error.startswith("error: cannot write ")
    assert error.endswith("No space left on device; free space or choose another folder")
    kept = {path.name: path.stat().st_ino for path in folder.glob("pairs-*.jsonl")}
    assert 1 <= len(kept) < 4
    assert not list(folder.rglob("*.tmp"))

    disk("size=64m")
    run("synthesis", "make", *SMALL, "-o", folder)

    assert files(folder) == files(small)
    assert {name: (folder / name).stat().st_ino for name in kept} == kept, "a finished shard was made again"


def test_a_full_disk_during_validation_is_an_error(run: Run, small: Path, disk: Callable[[str], Path], files: Files) -> None:
    shards = {path.name: path.read_bytes() for path in small.iterdir() if path.is_file()}
    blocks = sum(-(-len(content) // 4096) for content in shards.values())
    folder = disk(f"size={(blocks + 2) * 4096}")
    for name, content in shards.items():
        (folder / name).write_bytes(content)
    before = files(folder)
    error = run("validation", "run", folder, "--level", "parse", expect=2).stderr.splitlines()[-1]
    assert "No space left on device; free space or choose another folder" in error
    assert before.items() <= files(folder).items()

    disk("size=64m")
    result = json.loads(run("validation", "run", folder, "--level", "parse", "--json").stdout)
    assert result["levels"]["parse"] == {"pass": 40}


def test_a_read_only_disk_is_an_error(run: Run, disk: Callable[[str], Path]) -> None:
    disk("size=1m")
    folder = disk("ro") / "both"
    (error,) = run("synthesis", "make", *SMALL, "-o", folder, expect=2).stderr.splitlines()
    assert error == f"error: cannot write in {folder}: Read-only file system; choose another --output"


@pytest.mark.parametrize(
    ("by", "code"),
    [(signal.SIGINT, 130), pytest.param(signal.SIGTERM, 143, marks=pytest.mark.exhaustive)],
    ids=["SIGINT", "SIGTERM"],
)
def test_a_signal_ends_the_run_with_a_hint_to_continue(
    run: Run, start: Start, wait_for: Callable[..., Any], small: Path, tmp_path: Path, files: Files, by: int, code: int
) -> None:
    folder = tmp_path / "stopped"
    process = start(*SMALL, "-o", folder)
    wait_for(lambda: list(folder.glob("pairs-00000.jsonl")))
    descendants = descendants_of(process.pid)
    process.send_signal(by)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == code
    assert stderr.splitlines()[-1] == "stopped; what is finished is kept, and the same command continues"
    assert "Traceback" not in stderr
    wait_for(lambda: not descendants & descendants_of(os.getpid()))
    run("synthesis", "make", *SMALL, "-o", folder)
    assert files(folder) == files(small)


@pytest.mark.exhaustive
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds workers in /proc")
def test_a_hung_worker_is_replaced(tmp_path: Path, wait_for: Callable[..., Any]) -> None:
    plan = core_plan(400)
    work = tmp_path / ".work"
    work.mkdir()
    stopped: set[int] = set()

    def stop_first_worker() -> None:
        wait_for(lambda: list(work.glob("*-000.jsonl.json")))
        stopped.update(worker for worker in children_of(children_of([os.getpid()])) if _makes_pairs(worker))
        for worker in stopped:
            os.kill(worker, signal.SIGSTOP)

    thread = threading.Thread(target=stop_first_worker)
    thread.start()
    counted: list[int] = []
    made = dict(local_processes(1, timeout=10.0).run(partial(make_chunk, Job(plan, tmp_path)), plan.chunks(0), counted.append))
    thread.join()
    assert stopped, "nothing was stopped"
    assert {chunk: summary.pairs for chunk, summary in made.items()} == dict.fromkeys(plan.chunks(0), 50)
    assert sum(counted) >= 400
    wait_for(lambda: not any(Path(f"/proc/{worker}/cmdline").exists() for worker in stopped))


def test_an_error_leaves_no_process_and_no_thread(tmp_path: Path) -> None:
    plan, threads = core_plan(400), threading.active_count()
    (tmp_path / "file").touch()
    with pytest.raises(TargetError, match=r"^cannot write .*Not a directory"):
        list(local_processes(2).run(partial(make_chunk, Job(plan, tmp_path / "file" / "below")), plan.chunks(0), ignore))
    assert multiprocessing.active_children() == []
    assert threading.active_count() == threads


def _makes_pairs(process: int) -> bool:
    """Return whether a process was forked by a server, as workers are."""
    return b"forkserver" in Path(f"/proc/{process}/cmdline").read_bytes()


@pytest.mark.exhaustive
def test_a_hundred_kills(run: Run, start: Start, tmp_path: Path, files: Files) -> None:
    undisturbed = tmp_path / "undisturbed"
    run("synthesis", "make", *LARGE, "-o", undisturbed)
    chance = random.Random(1)  # noqa: S311 - reproducible kills
    kills = datasets = 0
    while kills < KILLS:
        folder = tmp_path / f"killed-{datasets}"
        datasets += 1
        kills += _kill_repeatedly(start, folder, KILLS - kills, chance)
        run("synthesis", "make", *LARGE, "-o", folder)
        assert files(folder) == files(undisturbed)
        ids = [
            json.loads(line)["id"] for path in sorted(folder.glob("pairs-*.jsonl")) for line in path.read_text().splitlines()
        ]
        assert ids == [f"{GENERATOR_VERSION}-2000-{index}" for index in range(10_000)], (
            "pairs are missing, repeated, or out of order"
        )
    print(f"{kills} kills, while {datasets} datasets of 10,000 pairs were made")


def _kill_repeatedly(start: Start, folder: Path, limit: int, chance: random.Random) -> int:
    """Kill the processes of a dataset at random moments until it is complete, at most ``limit`` times, and return how often."""
    kills = 0
    process = start(*LARGE, "-o", folder)
    while kills < limit and not (folder / "manifest.json").exists():
        if process.poll() is not None:
            stderr = process.communicate()[1]
            assert not re.search(r'File ".*warpsmith', stderr), stderr  # Python's resource tracker may print warnings
            process = start(*LARGE, "-o", folder)
        kills += kill_at_random(process, 3.0, chance)
    process.wait(600)
    return kills
