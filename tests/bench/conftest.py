"""Figures of a bench run: collected by the tests, printed as one table at the end, and kept in `.benchmarks/figures.json`."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable
from pathlib import Path

import pytest
import warp as wp

GOAL = "the figure to reach: 279 pairs/s"
FIGURES: dict[str, str] = {}

Note = Callable[[str, str], None]


@pytest.fixture(scope="session")
def note() -> Note:
    """Keep a figure under a name, with its unit."""

    def keep(name: str, figure: str) -> None:
        FIGURES[name] = figure

    return keep


@pytest.fixture(scope="session")
def cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if not FIGURES:
        return
    machine = f"Warp {wp.__version__}, Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores"
    terminalreporter.section(f"figures ({machine})")
    for name, figure in FIGURES.items():
        terminalreporter.line(f"{name:<64} {figure:>24}")
    terminalreporter.line(GOAL)
    folder = Path(".benchmarks")
    folder.mkdir(exist_ok=True)
    (folder / "figures.json").write_text(json.dumps({"machine": machine, "figures": FIGURES}, indent=2) + "\n")
