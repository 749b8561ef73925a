"""A short run of the fuzzer finds no fault."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

FUZZER = Path(__file__).with_name("fuzz.py")


def fuzz(*options: str) -> str:
    completed = subprocess.run(
        [sys.executable, FUZZER, *options], capture_output=True, text=True, timeout=1500, check=False, cwd=FUZZER.parents[2]
    )
    assert completed.returncode == 0, completed.stdout + completed.stderr
    return completed.stdout


@pytest.mark.exhaustive
def test_short_run() -> None:
    assert "1000 texts, 0 faults" in fuzz("--count", "1000", "--seed", "77000")
