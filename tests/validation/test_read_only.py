"""Datasets in folders that cannot be written: the results are printed, and another place can be named for what is kept."""

from __future__ import annotations

import ctypes
import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., Any]

_PR_CAPBSET_DROP, _CAP_DAC_OVERRIDE = 24, 1


def obey_permissions() -> None:
    """Let the permissions of files hold for this process even if it belongs to root."""
    ctypes.CDLL(None).prctl(_PR_CAPBSET_DROP, _CAP_DAC_OVERRIDE, 0, 0, 0)


@pytest.fixture
def locked(small: Path, tmp_path: Path) -> Iterator[Path]:
    """Return a copy of `small` in a read-only folder."""
    folder = Path(shutil.copytree(small, tmp_path / "locked", ignore=shutil.ignore_patterns("verdicts*", "stats*", "report*")))
    folder.chmod(0o555)
    yield folder
    folder.chmod(0o755)


@pytest.fixture
def inside(run: Run) -> Run:
    """Return a function that runs a command for which permissions hold."""
    return lambda *arguments, **settings: run(*arguments, preexec_fn=obey_permissions, **settings)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_verdicts_are_printed(inside: Run, locked: Path) -> None:
    before = names(locked)
    done = inside("validation", "run", locked, "--workers", 1)
    assert "verdicts on 40 pairs" in done.stdout
    assert "parse" in done.stdout
    assert "is read-only: verdicts are printed and not kept (-o FOLDER keeps them)" in done.stderr
    assert names(locked) == before


def test_verdicts_are_kept_elsewhere(inside: Run, locked: Path, tmp_path: Path) -> None:
    kept = tmp_path / "new" / "verdicts"
    first = json.loads(inside("validation", "run", locked, "-o", kept, "--workers", 1, "--json").stdout)
    again = json.loads(inside("validation", "run", locked, "-o", kept, "--workers", 1, "--json").stdout)
    assert (first["reused"], again["reused"]) == (0, 40)
    assert first["levels"] == again["levels"]
    assert names(kept) == {f"verdicts-{number:05}.{ending}" for number in range(4) for ending in ("json", "jsonl")}


def test_verdicts_of_the_folder_are_reused(run: Run, inside: Run, locked: Path, tmp_path: Path) -> None:
    locked.chmod(0o755)
    run("validation", "run", locked, "--workers", 1)
    locked.chmod(0o555)
    done = json.loads(inside("validation", "run", locked, "-o", tmp_path / "kept", "--workers", 1, "--json").stdout)
    assert done["reused"] == 40


@pytest.mark.exhaustive
def test_statistics_are_printed(inside: Run, locked: Path, tmp_path: Path) -> None:
    done = inside("stats", locked, "--workers", 1)
    assert "Warp builtins called" in done.stdout
    assert "the statistics are not kept: cannot write" in done.stderr
    assert "or name a file by -o" in done.stderr
    done = inside("stats", locked, "--workers", 1, "-o", tmp_path / "new" / "stats.json", "--json")
    assert json.loads((tmp_path / "new" / "stats.json").read_text()) == json.loads(done.stdout)["statistics"]
    assert "not kept" not in done.stderr


@pytest.mark.exhaustive
def test_a_report_needs_another_file(inside: Run, locked: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="reports need matplotlib")
    done = inside("report", locked, "--workers", 1, expect=2)
    assert done.stderr.splitlines() == [f"error: {locked} is read-only: name the file of the page by -o"]
    page = tmp_path / "new" / "page.html"
    inside("report", locked, "--workers", 1, "-o", page, "--report-pairs", 3)
    assert "<html" in page.read_text()


@pytest.mark.parametrize("option", ["-o", "--reproducer"])
def test_a_reduction_fails_before_its_work(inside: Run, locked: Path, option: str) -> None:
    identity = json.loads((locked / "pairs-00000.jsonl").read_text().splitlines()[0])["id"]
    done = inside("validation", "reduce", locked, identity, "--level", "parse", option, locked / "reduced", expect=2)
    assert done.stderr.splitlines() == [
        f"error: cannot write {locked / 'reduced'}: {locked} is read-only; choose another folder"
    ]


def test_the_permissions_hold(locked: Path) -> None:
    """The other tests mean something: the folder cannot be written."""
    child = os.fork()
    if child == 0:
        obey_permissions()
        os.execv("/bin/sh", ["sh", "-c", f"touch '{locked}/x' 2> /dev/null"])  # noqa: S606 - capabilities change at exec
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) != 0
