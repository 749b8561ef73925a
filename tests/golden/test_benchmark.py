"""The benchmark is fixed: digests of its first tasks, and seeds that no other dataset uses."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
import warp as wp

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
SEEDS = range(7_000_000, 7_001_000)
"""The seeds that the documentation reserves for benchmarks."""


def test_the_first_tasks_match_the_golden_digests() -> None:
    if wp.__version__ not in json.loads((HERE / "benchmark.json").read_text())["warp"]:
        pytest.skip(f"there are no digests for Warp {wp.__version__}")
    done = subprocess.run([sys.executable, HERE / "benchmark.py"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_seed_belongs_to_the_benchmark_alone() -> None:
    commands = subprocess.run(["make", "-n", "benchmark"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    used = {int(found) for found in re.findall(r"--seed (\d+)", commands)}
    assert len(used) == 1
    assert used <= set(SEEDS)
    sources = [*(ROOT / "packages").rglob("*.py"), ROOT / "noxfile.py", *(ROOT / "tests" / "mutants").glob("*.py")]
    defaults = {int(found) for path in sources for found in re.findall(r"seed\D{1,30}(\d+)", path.read_text())}
    defaults |= {int(found) for found in re.findall(r"^SEED \?= (\d+)$", (ROOT / "Makefile").read_text(), re.MULTILINE)}
    assert 2000 in defaults
    assert not defaults & set(SEEDS)


def test_the_documentation_names_the_seeds() -> None:
    text = (ROOT / "notes" / "how-to" / "score.md").read_text()
    assert f"{SEEDS[0]:,} to {SEEDS[-1]:,}" in text
