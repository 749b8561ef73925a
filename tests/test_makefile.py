"""The Makefile sets up the environment: unsupported Pythons are refused before, and a broken one is made anew."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

installers = pytest.mark.parametrize(("uv", "creates"), [("", "-m venv .venv"), ("uv", "uv venv --quiet")], ids=["pip", "uv"])
"""What the Makefile runs without uv and with it."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the Makefile and what it depends on, whose name contains a space."""
    copied = tmp_path / "a project"
    for name in ("requirements", *(f"packages/{path.parent.name}" for path in ROOT.glob("packages/*/pyproject.toml"))):
        (copied / name).mkdir(parents=True)
        for path in (ROOT / name).glob("*.t*"):
            shutil.copy(path, copied / name)
    shutil.copy(ROOT / "Makefile", copied)
    return copied


def make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(["make", *arguments], cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_an_unsupported_python_is_refused_before_anything_is_made(folder: Path) -> None:
    old = folder / "old-python"
    old.write_text(f'#!/bin/sh\nexec {sys.executable} -c "import sys; sys.version_info = (3, 9, 1)\n$2"\n')
    old.chmod(0o755)
    done = make(folder, "lint", "PYTHON=./old-python")
    assert done.returncode == 2
    assert "error: ./old-python is not Python 3.10 to 3.13: name one, such as PYTHON=python3.11" in done.stderr
    assert not (folder / ".venv").exists()


@installers
def test_a_broken_environment_is_made_anew(folder: Path, uv: str, creates: str) -> None:
    (folder / ".venv" / "bin").mkdir(parents=True)
    for name in ("bin/nox", ".ready"):
        (folder / ".venv" / name).touch()
    done = make(folder, "-n", "lint", f"UV={uv}")
    assert ".venv is broken and is made anew" in done.stdout
    assert not (folder / ".venv").exists()
    assert creates in done.stdout


@installers
def test_a_working_environment_stays(folder: Path, uv: str, creates: str) -> None:
    (folder / ".venv" / "bin").mkdir(parents=True)
    (folder / ".venv" / "bin" / "python").symlink_to(sys.executable)
    for name in ("bin/nox", ".ready"):
        (folder / ".venv" / name).touch()
    done = make(folder, "-n", "lint", f"UV={uv}")
    assert (folder / ".venv").exists()
    assert creates not in done.stdout


def test_folders_may_contain_spaces(folder: Path) -> None:
    done = make(folder, "-n", "cuda-dataset", "OUT=my data")
    assert "--output 'my data'" in done.stdout
    assert "warpsmith-validate run 'my data' --if-changed" in done.stdout
    assert "warpsmith-dataset show 'my data'" in done.stdout
