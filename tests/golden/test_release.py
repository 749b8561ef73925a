"""A version in work: other ids for other sources, no golden files, and the release that ends it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from warpsmith.synthesis import kernel_key
from warpsmith.synthesis.kernel_key import IN_WORK, STATED_VERSION, identified

ROOT = Path(__file__).parents[2]
KERNEL_KEY = "packages/synthesis/src/warpsmith/synthesis/kernel_key.py"
NEXT = f"{int(STATED_VERSION.removesuffix(IN_WORK)) + (not STATED_VERSION.endswith(IN_WORK))}{IN_WORK}"


def test_a_version_in_work_contains_a_digest_of_the_generator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert identified("3") == "3"
    (tmp_path / "writing" / "catalogue").mkdir(parents=True)
    monkeypatch.setattr(kernel_key, "__file__", str(tmp_path / "kernel_key.py"))
    seen = {identified("4.dev")}
    for name in ("generate.py", "catalogue/bodies.ideas", "catalogue/order"):
        (tmp_path / "writing" / name).write_text("x = 1\n")
        seen.add(identified("4.dev"))
    (tmp_path / "writing" / "generate.py").write_text("x = 2\n")
    (tmp_path / "writing" / "notes.txt").write_text("not a source")
    seen.add(identified("4.dev"))
    assert len(seen) == 5
    assert all(version.startswith("4.dev") and len(version) == len("4.dev") + 8 for version in seen)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Return a copy of the repository whose generator is in work."""
    for name in ("packages", "tests", "data/samples", "notes"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("Makefile", "README.md"):
        shutil.copy(ROOT / name, tmp_path)
    text = (tmp_path / KERNEL_KEY).read_text().replace(f'"{STATED_VERSION}"\n', f'"{NEXT}"\n', 1)
    (tmp_path / KERNEL_KEY).write_text(text)
    return tmp_path


def run(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    sources = os.pathsep.join(str(package / "src") for package in (copy / "packages").iterdir())
    command = [sys.executable, *arguments]
    environment = {**os.environ, "PYTHONPATH": sources, "PYTHONHASHSEED": "0"}
    return subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.exhaustive
def test_a_generator_in_work_has_no_golden_files(copy: Path) -> None:
    for script in (("digests.py", "--check"), ("gallery.py", "--check"), ("benchmark.py",)):
        done = run(copy, f"tests/golden/{script[0]}", *script[1:])
        assert done.returncode == 0, done.stdout + done.stderr


def test_versions_follow_the_released_one(copy: Path) -> None:
    text = (copy / KERNEL_KEY).read_text()
    (copy / KERNEL_KEY).write_text(text.replace(f'"{NEXT}"\n', '"17.dev"\n', 1))
    done = run(copy, "tests/golden/digests.py", "--check")
    assert done.returncode == 1
    assert "the version 17.dev follows no release" in done.stdout


@pytest.mark.exhaustive
def test_a_release_moves_everything_at_once(copy: Path) -> None:
    """Other ids, and so other golden files, which match afterwards; the samples need the environment of make."""
    release = copy / "tests/golden/release.py"
    release.write_text(release.read_text().replace('("make", "--no-print-directory", "samples")', '("true",)'))
    done = run(copy, "tests/golden/release.py")
    assert done.returncode == 0, done.stdout + done.stderr
    version = NEXT.removesuffix(IN_WORK)
    assert f'STATED_VERSION = "{version}"\n' in (copy / KERNEL_KEY).read_text()
    assert json.loads((copy / "tests/golden/digests.json").read_text())["generator_version"] == version
    assert f"`{version}" in (copy / "notes/reference/gallery.md").read_text()
    for script in (("digests.py", "--check"), ("gallery.py", "--check"), ("benchmark.py",)):
        done = run(copy, f"tests/golden/{script[0]}", *script[1:])
        assert done.returncode == 0, done.stdout + done.stderr
    done = run(copy, "tests/golden/release.py")
    assert done.returncode == 1
    assert "is released" in done.stderr
