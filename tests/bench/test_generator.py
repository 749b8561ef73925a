"""How close a worker comes to the least that Warp needs for the same kernels, and whether its memory stays flat."""

from __future__ import annotations

import gc
import json
import linecache
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import warp as wp

from warpsmith.extraction.extract import extract_ir
from warpsmith.extraction.jsonl import encode
from warpsmith.extraction.loading import loaded_kernel
from warpsmith.synthesis.production.local import settle_memory
from warpsmith.synthesis.production.plan import Plan, chosen_categories
from warpsmith.synthesis.production.shard import STEP, make_pairs
from warpsmith.synthesis.writing.generate import generate

MEMORY_COUNT = int(os.environ.get("WARPSMITH_BENCH_MEMORY_COUNT", "6000"))
BLOCK, BLOCKS = 25, 60


PLAN = Plan(
    count=1000,
    seed=2000,
    device="cuda",
    backward=True,
    codegen_only=True,
    categories=chosen_categories(["core"]),
    shard_size=1000,
)


def whole(indices: Sequence[int]) -> None:
    """What a worker does: write the kernel, have its code generated, encode the pair."""
    for start in range(0, len(indices), STEP):
        for pair in make_pairs(PLAN, indices[start : start + STEP]):
            encode(pair)


def bare(sources: Sequence[str]) -> None:
    """Warp alone, by its own functions: execute the Python, build the adjoint, print the CUDA text, drop the module."""
    context = wp._src.context
    for source in sources:
        context.function_key_counts.clear()
        linecache.cache["kernel.py"] = (len(source), None, source.splitlines(keepends=True), "kernel.py")
        module = sys.modules["bare_kernel"] = ModuleType("bare_kernel")
        exec(compile(source, "kernel.py", "exec"), vars(module))  # noqa: S102 - our own source
        kernel = next(value for value in vars(module).values() if isinstance(value, wp.Kernel))
        options = kernel.module.resolve_options(wp.config) | {"output_arch": 90, "strip_hash": True}
        kernel.module.options["strip_hash"] = True
        hasher = context.ModuleHasher([kernel], options)
        assert context.ModuleBuilder(kernel.module, options, hasher, target="cuda").codegen("cuda")
        context.user_modules.pop("bare_kernel")._detach_references()


def seconds(work: Callable[[Any], None], argument: Any) -> float:
    start = time.process_time()
    work(argument)
    return time.process_time() - start


def test_share_of_warps_own_work(benchmark: Any, note: Callable[[str, str], None]) -> None:
    sources = [generate(2000, index).source for index in range(BLOCK * BLOCKS)]
    whole(range(50))
    threshold = gc.get_threshold()
    settle_memory()  # as workers do, for both sides alike

    def alternate() -> tuple[float, float]:
        ours = warps = 0.0
        for start in range(0, BLOCK * BLOCKS, BLOCK):  # in turns, so that a busy machine is busy for both
            ours += seconds(whole, range(start, start + BLOCK))
            warps += seconds(bare, sources[start : start + BLOCK])
        return ours, warps

    ours, warps = benchmark.pedantic(alternate, rounds=1)
    gc.set_threshold(*threshold)
    gc.unfreeze()
    count = BLOCK * BLOCKS
    note("one worker, once started", f"{count / ours:.0f} pairs/s")
    note("Warp's bare code generation on the same kernels", f"{count / warps:.0f} kernels/s")
    note("one worker, as a share of bare code generation", f"{warps / ours:.1%}")


MEMORY = """
import gc, json, resource, sys
from pathlib import Path
from warpsmith.extraction.jsonl import encode
from warpsmith.synthesis.production.local import settle_memory
from warpsmith.synthesis.production.plan import Plan, chosen_categories
from warpsmith.synthesis.production.shard import STEP, make_pairs

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()

count = int(sys.argv[1])
plan = Plan(count=count, seed=2000, device="cuda", backward=True, codegen_only=True,
            categories=chosen_categories(["core"]), shard_size=1000)
settle_memory()
marks = {}
for start in range(0, count, STEP):
    for pair in make_pairs(plan, [Which(index) for index in range(start, start + STEP)]):
        encode(pair)
    if start + STEP in (count // 6, count):
        gc.collect()
        marks[start + STEP] = resident()
print(json.dumps(marks))
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads /proc, which this system does not have")
def test_memory_stays_flat(benchmark: Any, note: Callable[[str, str], None]) -> None:
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    command = [sys.executable, "-c", MEMORY, str(MEMORY_COUNT)]
    done = benchmark.pedantic(
        subprocess.run, (command,), {"capture_output": True, "text": True, "check": True, "env": environment}, rounds=1
    )
    (first, before), (last, after) = json.loads(done.stdout).items()
    assert after > 0
    note(f"memory, from pair {int(first):,} to pair {int(last):,}", f"{(after - before) / 1e6:+.1f} MB of {after / 1e6:.0f}")


def test_one_build_for_both_devices(benchmark: Any, note: Callable[[str, str], None]) -> None:
    sources = [generate(2000, index).source for index in range(100)]

    def time_devices() -> dict[str, float]:
        times = dict.fromkeys(("cuda", "both"), 0.0)
        for source in sources:
            for device in times:
                with loaded_kernel(source) as kernel:
                    times[device] += seconds(lambda item: extract_ir(item[0], item[1]) and None, (kernel, device))
        return times

    times = benchmark.pedantic(time_devices, rounds=1, warmup_rounds=1)
    note("both devices from one build, over one device", f"{times['both'] / times['cuda']:.2f} times")
