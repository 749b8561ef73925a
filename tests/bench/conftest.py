"""A bench run: tests collect figures, which are printed as one table; the ratios are stored for `bench.compare`."""

from __future__ import annotations

import datetime as dt
import os
import subprocess

import pytest
import warp as wp

from bench.figures import Figures
from bench.history import FOLDER, Run, read_history, this_machine

GOAL = "target: 279 pairs/s"
COLLECTED = Figures()


@pytest.fixture(scope="session")
def figures() -> Figures:
    """Return the figures of this run."""
    return COLLECTED


@pytest.fixture(scope="session")
def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def pytest_sessionstart() -> None:
    read_history(FOLDER / "history.jsonl")  # a broken line is an error before the measurements, which take minutes


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    git = ("git", "describe", "--always", "--dirty", "--exclude", "*")
    commit = subprocess.run(git, capture_output=True, text=True, check=False).stdout.strip()
    date = dt.datetime.now(dt.timezone.utc).isoformat(timespec="seconds")
    run = Run(commit, date, this_machine(wp.__version__), COLLECTED.ratios)
    FOLDER.mkdir(parents=True, exist_ok=True)
    (FOLDER / "run.json").write_text(run.to_json() + "\n", encoding="utf-8")
    terminalreporter.section(f"figures ({run.machine})")
    for name, figure in {**COLLECTED.rates, **COLLECTED.ratios}.items():
        terminalreporter.line(f"{name:<72} {figure}")
    terminalreporter.line(GOAL)
    terminalreporter.line(f"ratios stored in {FOLDER / 'run.json'}")
