"""The memory of a worker: its peak, and its growth with the number of pairs."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from bench.figures import Figures

COUNT = int(os.environ.get("WARPSMITH_BENCH_MEMORY_COUNT", "6000"))

WORKER = """
import gc, json, resource, sys
from pathlib import Path
from warpsmith.extraction.accelerate import accelerated
from warpsmith.core.records.encoding import encode
from warpsmith.synthesis.production.synthesis_workers import tune_garbage_collection
from warpsmith.synthesis.production.dataset_plan import Plan, chosen_categories
from warpsmith.synthesis.production.generate_pairs import PAIRS_PER_BATCH, generate_pairs

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()

count = int(sys.argv[1])
plan = Plan(count=count, seed=2000, device="both", backward=True, codegen_only=True,
            categories=chosen_categories(["core"]), shard_size=1000)
marks = {}
with accelerated():
    tune_garbage_collection()
    for start in range(0, count, PAIRS_PER_BATCH):
        for pair in generate_pairs(plan, [plan.key(index) for index in range(start, start + PAIRS_PER_BATCH)]):
            encode(pair)
        if start + PAIRS_PER_BATCH in (min(10_000, count // 2), count):
            gc.collect()
            marks[start + PAIRS_PER_BATCH] = resident()
# not ru_maxrss, which a process inherits from its parent
peak = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM")) * 1024
print(json.dumps({"marks": marks, "peak": peak}))
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="this system has no /proc")
def test_memory_stays_flat(benchmark: Any, figures: Figures) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-c", WORKER, str(COUNT)]
    done = benchmark.pedantic(
        subprocess.run, (command,), {"capture_output": True, "text": True, "check": True, "env": environment}, rounds=1
    )
    result = json.loads(done.stdout)
    (first, before), (last, after) = result["marks"].items()
    assert after > 0
    figures.rate(f"memory of a worker, from pair {int(first):,} to pair {int(last):,}", (after - before) / 1e6, "MB more")
    figures.rate("memory of a worker, peak", result["peak"] / 1e6, "MB")
