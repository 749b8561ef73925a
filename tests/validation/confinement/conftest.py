"""Fixtures for tests of confined processes."""

from __future__ import annotations

import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from confinement import ACTIONS, Attempt


@pytest.fixture
def attempt(tmp_path: Path) -> Attempt:
    """Return a function that runs an action in a confined process and returns its result, error or signal."""

    def run(confinement: str, action: str, argument: object = "") -> str:
        scratch = tempfile.mkdtemp(prefix="scratch ", dir=tmp_path)
        done = subprocess.run(
            [sys.executable, ACTIONS, confinement, action, scratch, str(argument)],
            capture_output=True,
            text=True,
            check=False,
            timeout=30,
        )
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
