"""Fixtures for tests of confined processes."""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from command_processes import CommandProcesses
from confinement import ACTIONS, Attempt


@pytest.fixture(scope="session")
def processes() -> Iterator[CommandProcesses]:
    """Provide processes that have loaded what `confined_actions` imports."""
    with CommandProcesses(["mmap", "resource", "select", "subprocess", "warpsmith.validation.confinement"]) as started:
        yield started


@pytest.fixture
def attempt(tmp_path: Path, processes: CommandProcesses) -> Attempt:
    """Return a function that runs an action in a confined process and returns its result, error or signal."""

    def run(confinement: str, action: str, argument: object = "") -> str:
        scratch = tempfile.mkdtemp(prefix="scratch ", dir=tmp_path)
        code = f"import runpy; runpy.run_path({str(ACTIONS)!r}, run_name='__main__')"
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        done = processes.run(code, [confinement, action, scratch, str(argument)], environment, seconds=30.0)
        if done.returncode < 0:
            return signal.Signals(-done.returncode).name
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return run


@pytest.fixture
def target(tmp_path: Path) -> Callable[[], Path]:
    """Return a function that creates a new file outside of every scratch folder."""
    folder = tmp_path / "outside"
    folder.mkdir()
    count = iter(range(100))

    def make() -> Path:
        path = folder / f"file {next(count)}"
        path.write_text("precious")
        return path

    return make
