"""Fixtures for the tests of synthesis: commands that tests can interrupt, and digests of folders."""

from __future__ import annotations

import contextlib
import hashlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

CODE = "from warpsmith.synthesis.start import main; main()"
CHUNKED = ("-n", 150, "-d", "cuda", "--shard-size", 150)

Files = dict[str, str]


@pytest.fixture(scope="session")
def files() -> Callable[[Path], Files]:
    """Return a function that returns the SHA-256 of every file below a folder, hidden files included."""

    def digest(folder: Path) -> Files:
        paths = (path for path in folder.rglob("*") if path.is_file())
        return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}

    return digest


@pytest.fixture(scope="session")
def chunked(run: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a dataset of `CHUNKED`: one shard, made in several chunks by one worker."""
    folder = tmp_path_factory.mktemp("chunked") / "cuda"
    run("synthesis", "make", *CHUNKED, "--workers", 1, "-o", folder)
    return folder


@pytest.fixture
def start() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Return a function that starts `warpsmith-synthesize make` in a new process group, which is killed after the test."""
    started: list[subprocess.Popen[str]] = []

    def start_command(*arguments: Any) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", CODE, "make", *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env=os.environ | {"PYTHONHASHSEED": "random"},
        )
        started.append(process)
        return process

    yield start_command
    for process in started:
        with contextlib.suppress(ProcessLookupError):  # workers may outlive the command
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@pytest.fixture(scope="session")
def wait_for() -> Callable[..., Any]:
    """Return a function that polls a condition until it is true, and returns its value; it fails after a minute."""

    def poll(condition: Callable[[], Any]) -> Any:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if value := condition():
                return value
            time.sleep(0.005)
        pytest.fail("the condition was false for a minute")

    return poll
