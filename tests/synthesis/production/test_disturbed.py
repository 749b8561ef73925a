"""The promise that a dataset cannot be hurt: whatever ends a run, the same command goes on, and the end is the same bytes."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import re
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from plans import core_plan
from processes import children_of, descendants_of, kill
from warpsmith.core.errors import TargetError
from warpsmith.core.execution.executor import ignore
from warpsmith.synthesis.production.shards import Job, make_chunk
from warpsmith.synthesis.production.workers import local_processes

SMALL = ("-n", 40, "-d", "both", "-b", "--codegen-only", "--shard-size", 10, "--workers", 1)  # that of the fixture `small`
LARGE = ("-n", 10_000, "-d", "cuda", "-b", "--codegen-only", "--shard-size", 500)
KILLS = 100

Run = Callable[..., subprocess.CompletedProcess[str]]
Start = Callable[..., subprocess.Popen[str]]
Files = Callable[[Path], dict[str, str]]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Callable[[str], Path]]:
    """A file system of its own; called with options it is mounted, or mounted anew with them."""
    folder = tmp_path / "disk"
    folder.mkdir()

    def mount(options: str) -> Path:
        again = "remount," if os.path.ismount(folder) else ""
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", again + options, "tmpfs", folder], capture_output=True, check=False
        )
        if done.returncode:
            pytest.skip(f"no file system can be mounted here: {done.stderr.decode().strip()}")
        return folder

    yield mount
    if os.path.ismount(folder):
        subprocess.run(["umount", folder], check=True)


def test_a_disk_that_is_full_and_then_has_room(run: Run, small: Path, disk: Callable[[str], Path], files: Files) -> None:
    room = sum(path.stat().st_size for path in small.glob("pairs-*.jsonl")) * 3 // 5
    folder = disk(f"size={room}") / "both"
    error = run("synthesis", "make", *SMALL, "-o", folder, expect=2).stderr.splitlines()[-1]
    assert error.startswith("error: cannot write ")
    assert error.endswith("No space left on device; free space or choose another folder")
    kept = {path.name: path.stat().st_ino for path in folder.glob("pairs-*.jsonl")}
    assert 1 <= len(kept) < 4
    assert not list(folder.rglob("*.tmp"))

    disk("size=64m")
    run("synthesis", "make", *SMALL, "-o", folder)

    assert files(folder) == files(small)
    assert {name: (folder / name).stat().st_ino for name in kept} == kept, "what was finished was made again"


def test_a_disk_that_is_full_while_pairs_are_judged(run: Run, small: Path, disk: Callable[[str], Path], files: Files) -> None:
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


def test_a_disk_that_can_only_be_read(run: Run, disk: Callable[[str], Path]) -> None:
    disk("size=1m")
    folder = disk("ro") / "both"
    (error,) = run("synthesis", "make", *SMALL, "-o", folder, expect=2).stderr.splitlines()
    assert error == f"error: cannot write in {folder}: Read-only file system; choose another --output"


@pytest.mark.parametrize(("by", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["SIGINT", "SIGTERM"])
def test_a_run_that_is_asked_to_end_says_how_to_go_on(
    run: Run, start: Start, wait_for: Callable[..., Any], small: Path, tmp_path: Path, files: Files, by: int, code: int
) -> None:
    folder = tmp_path / "stopped"
    process = start(*SMALL, "-o", folder)
    wait_for(lambda: list(folder.glob("pairs-00000.jsonl")))
    below = descendants_of(process.pid)
    process.send_signal(by)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == code
    assert stderr.splitlines()[-1] == "stopped; what is finished is kept, and the same command continues"
    assert "Traceback" not in stderr
    wait_for(lambda: not below & descendants_of(os.getpid()))
    run("synthesis", "make", *SMALL, "-o", folder)
    assert files(folder) == files(small)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds workers in /proc")
def test_a_worker_that_hangs_is_replaced(tmp_path: Path, wait_for: Callable[..., Any]) -> None:
    plan = core_plan(400)
    work = tmp_path / ".work"
    work.mkdir()
    stopped: set[int] = set()

    def stop_the_first() -> None:
        wait_for(lambda: list(work.glob("*-000.jsonl.json")))
        stopped.update(worker for worker in children_of(children_of([os.getpid()])) if _makes_pairs(worker))
        for worker in stopped:
            os.kill(worker, signal.SIGSTOP)

    thread = threading.Thread(target=stop_the_first)
    thread.start()
    counted: list[int] = []
    made = dict(local_processes(1, timeout=4.0).run(partial(make_chunk, Job(plan, tmp_path)), plan.chunks(0), counted.append))
    thread.join()
    assert stopped, "nothing was stopped"
    assert {chunk: summary.pairs for chunk, summary in made.items()} == dict.fromkeys(plan.chunks(0), 50)
    assert sum(counted) >= 400
    wait_for(lambda: not any(Path(f"/proc/{worker}/cmdline").exists() for worker in stopped))


def test_an_error_leaves_no_process_and_no_thread(tmp_path: Path) -> None:
    plan, threads = core_plan(400), threading.active_count()
    with pytest.raises(TargetError, match=r"^cannot write .*No such file or directory"):
        list(local_processes(2).run(partial(make_chunk, Job(plan, tmp_path / "nowhere")), plan.chunks(0), ignore))
    assert multiprocessing.active_children() == []
    assert threading.active_count() == threads


def _makes_pairs(process: int) -> bool:
    """Whether a process was forked by a server, as workers are; tests running beside have none of the kind below this one."""
    return b"forkserver" in Path(f"/proc/{process}/cmdline").read_bytes()


@pytest.mark.exhaustive
def test_a_hundred_kills(run: Run, start: Start, tmp_path: Path, files: Files) -> None:
    undisturbed = tmp_path / "undisturbed"
    run("synthesis", "make", *LARGE, "-o", undisturbed)
    chance = random.Random(1)  # noqa: S311 - the same kills every time
    kinds: list[str] = []
    datasets = 0
    while len(kinds) < KILLS:
        folder = tmp_path / f"killed-{datasets}"
        datasets += 1
        kinds += _kill_on_the_way(start, folder, KILLS - len(kinds), chance)
        run("synthesis", "make", *LARGE, "-o", folder)
        assert files(folder) == files(undisturbed)
        ids = [
            json.loads(line)["id"] for path in sorted(folder.glob("pairs-*.jsonl")) for line in path.read_text().splitlines()
        ]
        assert ids == [f"2-2000-{index}" for index in range(10_000)], "pairs are lost, doubled, or out of order"
    print(f"{len(kinds)} kills, {dict(Counter(kinds))}, on the way to {datasets} datasets of 10,000 pairs")


def _kill_on_the_way(start: Start, folder: Path, most: int, chance: random.Random) -> list[str]:
    """Begin a dataset and kill what makes it, at random moments, until it is complete or ``most`` kills were made."""
    kinds: list[str] = []
    process = start(*LARGE, "-o", folder)
    while len(kinds) < most and not (folder / "manifest.json").exists():
        if process.poll() is not None:
            complaints = process.communicate()[1]
            assert not re.search(r'File ".*warpsmith', complaints), complaints  # Python's own tracker may well complain
            process = start(*LARGE, "-o", folder)
        time.sleep(chance.uniform(0.0, 3.0))
        kind = chance.choice(["all", "command", "one"])
        kinds += [kind] * _kill(process, kind, chance)
    process.wait(600)
    return kinds


def _kill(process: subprocess.Popen[str], kind: str, chance: random.Random) -> int:
    """Kill all processes of a run, the command alone, or one that it started; tell how often that hit."""
    if process.poll() is not None:
        return 0
    below = sorted(descendants_of(process.pid))
    if kind == "one" and below:
        kill(chance.choice(below))
        return 1
    if kind == "all":
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait(60)
    return 1
