"""What all tests share. Warp starts here without its banner, and every process that tests start has the pinned hash seed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

ROOT = Path(__file__).parents[1]

# What runs in the background of a shell ignores Ctrl-C, and so do its children; some tests send it to theirs.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# What takes a fifth of a second on a machine at rest takes any time on one with work to do: no test fails for that.
settings.register_profile("unhurried", parent=settings.default, deadline=None)
settings.load_profile("unhurried")


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def run() -> Command:
    """Run one of the four commands as a user does, in a process of its own."""

    def start(tool: str, *arguments: Any, expect: int | None = 0, **options: Any) -> subprocess.CompletedProcess[str]:
        code = f"from warpsmith.{tool}.cli import main; main()"
        environment = {**os.environ, "PYTHONHASHSEED": "random"} | options.pop("env", {})
        done = subprocess.run(
            [sys.executable, "-c", code, *map(str, arguments)],
            capture_output=True,
            check=False,
            text=True,
            env=environment,
            **options,
        )
        if expect is not None:
            assert done.returncode == expect, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done

    return start


@pytest.fixture(scope="session")
def dataset(run: Command, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small dataset, both devices, forward and backward: 200 pairs in four shards. Tests do not write into it."""
    folder = tmp_path_factory.mktemp("dataset") / "both"
    run("synthesis", "-n", 200, "-d", "both", "-b", "--codegen-only", "--shard-size", 50, "-o", folder)
    return folder


@pytest.fixture(scope="session")
def small(run: Command, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The like of `dataset`, as quick as can be for commands that go through it: 40 pairs in four shards."""
    folder = tmp_path_factory.mktemp("small") / "both"
    run("synthesis", "-n", 40, "-d", "both", "-b", "--codegen-only", "--shard-size", 10, "--workers", 1, "-o", folder)
    return folder


@pytest.fixture
def own_dataset(dataset: Path, tmp_path: Path) -> Path:
    """A copy of `dataset` to spoil."""
    return _copy(dataset, tmp_path / "copy")


@pytest.fixture
def own_small(small: Path, tmp_path: Path) -> Path:
    """A copy of `small` to spoil."""
    return _copy(small, tmp_path / "copy")


def _copy(dataset: Path, copy: Path) -> Path:
    copy.mkdir()
    for path in dataset.iterdir():
        if path.is_file() and not path.name.startswith("verdicts"):
            (copy / path.name).write_bytes(path.read_bytes())
    return copy
