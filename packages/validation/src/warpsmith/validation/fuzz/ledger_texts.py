"""Texts of issues for Warp's tracker: the script of a bug runs in a process of its own, and its output is part of the text."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

import numpy as np
import warp as wp

from warpsmith.core.errors import WarpsmithError
from warpsmith.validation.fuzz.ledger import issue_text, read_ledger

SECONDS = 120.0
"""The time limit of a script."""


def issue_of(folder: Path, name: str) -> str:
    """Run the script of a bug, and return the text of an issue.

    Raises:
        WarpsmithError: if the ledger does not contain the bug, or the script does not end.
    """
    bugs = {bug.name: bug for bug in read_ledger(folder)}
    if name not in bugs:
        raise WarpsmithError(f"{folder} contains no bug {name!r}: `warpsmith-fuzz ledger` lists them")
    command = [sys.executable, str(folder / f"{name}.py")]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=SECONDS)  # noqa: S603 - the ledger
    except subprocess.TimeoutExpired as error:
        raise WarpsmithError(f"{name}.py runs for more than {SECONDS:.0f} seconds") from error
    versions = f"Warp {wp.__version__}, NumPy {np.__version__} and Python {platform.python_version()}"
    printed = "\n".join(line for line in done.stdout.splitlines() if line.startswith(("right", "Warp:", "Warp, ", "not run")))
    return issue_text(bugs[name], printed, versions)
