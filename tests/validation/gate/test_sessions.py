"""Sessions of pytest that are distributed, or do not end regularly: what was launched is checked, and the exit code stays."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import known_adjoints as known
from gate_project import run_pytest, write_project

BODIES = {"product": known.WRONG["product in a loop"], "summed": known.RIGHT["sum in a loop"]}

COUNTS = "2 launches of 2 kernels: 1 fail, 0 not checked, 0 inconclusive, 0 not applicable, 1 pass"

INTERNAL_ERROR = """
def pytest_runtest_logreport(report):
    if report.when == "call" and "summed" in report.nodeid:
        raise RuntimeError("a fault of a plugin")
"""

CRASH = """
import os

def test_crash():
    os._exit(9)
"""


def reports(output: str) -> list[str]:
    """Return the lines of the gate's report, without the duration of the session."""
    lines = output.partition("gradients of Warp kernels")[2].splitlines()
    return [line for line in lines if line and not re.search(r"passed|failed|short test summary|^=", line)]


def test_a_module_that_cannot_be_imported_does_not_lose_the_others(tmp_path: Path) -> None:
    """Launches of the collection are checked, and pytest's exit code for interrupted sessions stays."""
    write_project(tmp_path, BODIES)
    (tmp_path / "test_sim.py").write_text((tmp_path / "test_sim.py").read_text() + "\n\ntest_product()\n")
    (tmp_path / "test_zero.py").write_text("import a_module_that_is_not_there\n")
    done = run_pytest(tmp_path, "--warpsmith-gradients", expect=2)
    assert "first launched by the collection of tests" in done.stdout
    assert "1 launches of 1 kernels: 1 fail" in done.stdout


@pytest.mark.exhaustive
def test_an_internal_error_does_not_lose_what_was_captured(tmp_path: Path) -> None:
    write_project(tmp_path, BODIES)
    (tmp_path / "conftest.py").write_text(INTERNAL_ERROR)
    done = run_pytest(tmp_path, "--warpsmith-gradients", expect=3)
    assert COUNTS in done.stdout


@pytest.mark.exhaustive
def test_two_workers_have_the_results_of_one_process(tmp_path: Path) -> None:
    pytest.importorskip("xdist")
    write_project(tmp_path, BODIES)
    files = ("--warpsmith-gradients", "--warpsmith-strict", "--warpsmith-junit")
    alone = run_pytest(tmp_path, *files, "alone.xml", expect=1)
    shared = run_pytest(tmp_path, *files, "shared.xml", "-n", "2", expect=1)
    assert COUNTS in alone.stdout
    assert reports(shared.stdout) == reports(alone.stdout)
    assert (tmp_path / "shared.xml").read_text() == (tmp_path / "alone.xml").read_text()


@pytest.mark.exhaustive
def test_a_worker_that_crashes_loses_its_own_launches(tmp_path: Path) -> None:
    pytest.importorskip("xdist")
    write_project(tmp_path, BODIES)
    (tmp_path / "test_crash.py").write_text(CRASH)
    done = run_pytest(tmp_path, "--warpsmith-gradients", "-n", "2", expect=1)
    assert "workers without a report: 1; what they launched was not checked" in done.stdout
    assert COUNTS in done.stdout


def test_an_unknown_setting_is_an_error_that_names_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.warpsmith]\nbase-line = 'known.json'\n")
    done = run_pytest(tmp_path, "--warpsmith-gradients", expect=4)
    assert "[tool.warpsmith] has no key 'base-line': did you mean 'baseline'?" in done.stderr
    assert run_pytest(tmp_path, "-q", expect=5).stderr == ""
