"""A bench run: tests collect figures, which are printed as one table, and stored and plotted in `.benchmarks`."""

from __future__ import annotations

import datetime as dt
import json
import os
import platform
import subprocess
from pathlib import Path

import pytest
import warp as wp

from bench.figures import Figures, drops, plot_ratios, read_history

GOAL = "target: 279 pairs/s"
FOLDER = Path(".benchmarks")
COLLECTED = Figures()


@pytest.fixture(scope="session")
def figures() -> Figures:
    """Return the figures of this run."""
    return COLLECTED


@pytest.fixture(scope="session")
def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not COLLECTED.found:
        return
    machine = f"Warp {wp.__version__}, Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores"
    now = dt.datetime.now(dt.timezone.utc).isoformat(timespec="seconds")
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False)
    run = COLLECTED.run(machine, now, commit.stdout.strip())
    FOLDER.mkdir(exist_ok=True)
    history = [*read_history(FOLDER / "history.jsonl"), run]
    (FOLDER / "history.jsonl").write_text("".join(f"{json.dumps(past)}\n" for past in history))
    plot_ratios(history, FOLDER / "history.png")
    terminalreporter.section(f"figures ({machine})")
    for name, figure in COLLECTED.found.items():
        terminalreporter.line(f"{name:<72} {figure!s:>16}")
    terminalreporter.line(GOAL)
    for warning in drops(run, history[:-1]):
        terminalreporter.line(f"WARNING: slower than usual: {warning}", yellow=True)
    terminalreporter.line(f"stored in {FOLDER / 'history.jsonl'}, ratios plotted in {FOLDER / 'history.png'}")
