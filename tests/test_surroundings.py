"""Commands in poor surroundings: each works or ends with one line and exit code 2, and the same command continues."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from command_line import start_code

KERNELS = """import warp as wp


@wp.kernel
def double(values: wp.array(dtype=float)):
    i = wp.tid()
    values[i] = 2.0 * values[i]
"""

MAKE = ("synthesis", "make", "-n", "3", "-d", "cpu", "--workers", "1", "-o", "{folder}/new")
EXTRACT = ("extraction", "{folder}/kernels.py", "-o", "{folder}/pairs.jsonl")
REPORT = ("report", "{folder}/data/some.jsonl", "--workers", "1")
STATS = ("stats", "{folder}/data/some.jsonl", "--workers", "1")
SHOW = ("core", "show", "{folder}/data/some.jsonl", "--index", "0")


def slow(*values: Any) -> list[Any]:
    """Return parameters of tests that run only in `exhaustive`."""
    return [pytest.param(value, marks=pytest.mark.exhaustive) for value in values]


Prepare = Callable[[], object]


@pytest.fixture
def folder(small: Path, tmp_path: Path) -> Path:
    """Return a folder with a dataset of few pairs and a file of kernels."""
    (tmp_path / "data").mkdir()
    lines = (small / "pairs-00000.jsonl").read_bytes().splitlines(keepends=True)
    (tmp_path / "data" / "some.jsonl").write_bytes(b"".join(lines[:3]))
    (tmp_path / "kernels.py").write_text(KERNELS)
    return tmp_path


def process(command: tuple[str, ...], folder: Path, prepare: Prepare | None, **environment: str) -> subprocess.Popen[str]:
    tool, *arguments = (part.format(folder=folder) for part in command)
    return subprocess.Popen(
        [sys.executable, "-c", start_code(tool), *arguments],
        env={**os.environ, "PYTHONHASHSEED": "0"} | environment,
        preexec_fn=prepare,  # noqa: PLW1509 - limits of the command
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(command: tuple[str, ...], folder: Path, prepare: Prepare | None = None, **environment: str) -> tuple[int, list[str]]:
    """Return the exit code of a command, and its lines on stderr that are not about progress."""
    started = process(command, folder, prepare, **environment)
    _, shown = started.communicate(timeout=60)
    return started.returncode, [line for line in shown.splitlines() if not line.endswith(" s left")]


def limit(kind: int, most: int) -> Prepare:
    return lambda: resource.setrlimit(kind, (most, most))


def assert_done_or_one_line(code: int, shown: list[str]) -> None:
    assert code in {0, 1, 2}, shown
    if code == 2:
        (line,) = shown
        assert line.startswith("error: ")
    assert "Traceback" not in "".join(shown)


@pytest.mark.parametrize("command", [EXTRACT, *slow(MAKE, STATS)])
@pytest.mark.parametrize("home", ["{folder}/kernels.py", *slow("/proc", "{folder}/missing/home")])
def test_an_unusable_home(folder: Path, command: tuple[str, ...], home: str) -> None:
    assert_done_or_one_line(*run(command, folder, HOME=home.format(folder=folder)))


@pytest.mark.parametrize("command", [MAKE, *slow(EXTRACT, REPORT, STATS, SHOW)])
def test_a_temporary_folder_that_does_not_exist(folder: Path, command: tuple[str, ...]) -> None:
    assert_done_or_one_line(*run(command, folder, TMPDIR=str(folder / "missing")))


@pytest.mark.parametrize("command", [MAKE, *slow(EXTRACT, REPORT, STATS, SHOW)])
def test_few_file_handles(folder: Path, command: tuple[str, ...]) -> None:
    assert_done_or_one_line(*run(command, folder, limit(resource.RLIMIT_NOFILE, 12)))


def test_without_shared_memory_workers_cannot_start(folder: Path) -> None:
    mounted = ["unshare", "-rm", "sh", "-c", 'mount -t tmpfs -o ro tmpfs /dev/shm && exec "$@"', "sh"]
    if not shutil.which("unshare") or subprocess.run([*mounted, "true"], check=False, capture_output=True).returncode:
        pytest.skip("this machine forbids mounts")
    tool, *arguments = (part.format(folder=folder) for part in MAKE)
    done = subprocess.run(
        [*mounted, sys.executable, "-c", start_code(tool), *arguments], capture_output=True, text=True, check=False
    )
    assert_done_or_one_line(done.returncode, done.stderr.splitlines())
    assert done.returncode == 2


@pytest.mark.parametrize("command", [EXTRACT, *slow(MAKE, REPORT)])
def test_a_full_disk_is_one_line_and_the_same_command_continues(folder: Path, command: tuple[str, ...]) -> None:
    code, shown = run(command, folder, limit(resource.RLIMIT_FSIZE, 1024))
    assert code == 2
    assert len(shown) == 1
    assert any(words in shown[0] for words in ("File too large", "the size of files is limited"))  # a report starts a worker
    assert run(command, folder)[0] == 0
    assert_no_temporary_files(folder)


@pytest.mark.parametrize("command", [EXTRACT, *slow(MAKE, REPORT)])
def test_what_a_killed_run_leaves_is_removed_by_the_next_one(folder: Path, command: tuple[str, ...]) -> None:
    stop_at_rename = "import pathlib, time; pathlib.Path.replace = lambda *_: time.sleep(60); "
    tool, *arguments = (part.format(folder=folder) for part in command)
    started = subprocess.Popen(
        [sys.executable, "-c", stop_at_rename + start_code(tool), *arguments],
        env={**os.environ, "PYTHONHASHSEED": "0"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + 30.0
    while not temporary_files(folder) and time.monotonic() < deadline:
        time.sleep(0.02)
    os.killpg(started.pid, signal.SIGKILL)
    started.wait()
    assert temporary_files(folder)
    assert run(command, folder)[0] == 0
    assert_no_temporary_files(folder)


def temporary_files(folder: Path) -> list[Path]:
    suffixes = {".tmp", ".partial", ".progress"}
    return [path for path in folder.rglob("*") if path.suffix in suffixes or path.name.startswith("warpsmith-build")]


def assert_no_temporary_files(folder: Path) -> None:
    assert temporary_files(folder) == []
