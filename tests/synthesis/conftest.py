"""What the tests of synthesis share: commands that can be disturbed while they run, and folders compared as bytes."""

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
PARTED = ("-n", 450, "-d", "cuda", "--codegen-only", "--shard-size", 450)

Files = dict[str, str]


@pytest.fixture(scope="session")
def files() -> Callable[[Path], Files]:
    """All files below a folder, hidden ones too, each with the SHA-256 of its bytes."""

    def digest(folder: Path) -> Files:
        paths = (path for path in folder.rglob("*") if path.is_file())
        return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in paths}

    return digest


@pytest.fixture(scope="session")
def parted(run: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of `PARTED`, whose one shard is made in three parts, by one worker and undisturbed."""
    folder = tmp_path_factory.mktemp("parted") / "cuda"
    run("synthesis", "make", *PARTED, "--workers", 1, "-o", folder)
    return folder


@pytest.fixture
def start() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start `warpsmith-synthesize make` in a process group of its own, which is gone after the test."""
    started: list[subprocess.Popen[str]] = []

    def begin(*arguments: Any) -> subprocess.Popen[str]:
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

    yield begin
    for process in started:
        with contextlib.suppress(ProcessLookupError):  # workers may outlive the process that started them
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@pytest.fixture(scope="session")
def wait_for() -> Callable[..., Any]:
    """Ask again and again until the answer is not empty, and return it; fail after a minute."""

    def poll(question: Callable[[], Any]) -> Any:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if answer := question():
                return answer
            time.sleep(0.005)
        pytest.fail("waited for a minute in vain")

    return poll
