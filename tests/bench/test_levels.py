"""The cost of the levels up to `gradient` for one pair, and of Warp's own compilation of the same kernels."""

from __future__ import annotations

import gc
import os
import re
import resource
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import warp as wp

from bench.figures import Figures
from plans import core_plan
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.jsonl import decode
from warpsmith.synthesis.production.dataset_plan import chosen_categories
from warpsmith.synthesis.production.generate_pairs import generate_pairs
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.registry import levels_to
from warpsmith.validation.worker.check_worker import COLLECTIONS, check_batch

PAIRS = int(os.environ.get("WARPSMITH_BENCH_LEVELS_COUNT", "500"))
BATCH = 500
"""The number of pairs of a batch of `warpsmith-validate`."""

COMPILED = 12
"""The number of kernels that Warp compiles after each batch."""


def seconds() -> float:
    """Return the processor time of this process and of finished children: the levels run machine code in forks."""
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def compile_with_warp(source: str, name: str, folder: Path) -> None:
    """Call `wp.compile_aot_module` for the CPU and for one CUDA architecture, as a user would."""
    file = folder / f"{name}.py"
    file.write_text(source)
    module = sys.modules[name] = ModuleType(name)
    module.__file__ = str(file)
    exec(compile(source, str(file), "exec"), vars(module))  # noqa: S102 - our own source
    wp.compile_aot_module(module, device="cpu", module_dir=folder / name)
    wp.compile_aot_module(module, arch=[90], module_dir=folder / name, use_ptx=True)


@pytest.fixture
def collections() -> Iterator[None]:
    """Collect garbage as often as a worker does."""
    before = gc.get_threshold()
    gc.set_threshold(*COLLECTIONS)
    yield
    gc.set_threshold(*before)


@pytest.mark.usefixtures("collections")
@pytest.mark.parametrize("group", ["core", "all"])
def test_levels_to_gradient(group: str, benchmark: Any, figures: Figures, tmp_path: Path) -> None:
    plan = core_plan(categories=chosen_categories([group]))
    raw = [encode(pair) for pair in generate_pairs(plan, plan.keys(range(PAIRS)))]
    lines = [decode(line, tmp_path / "pairs.jsonl", number) for number, line in enumerate(raw, start=1)]
    context, levels = BatchContext(tmp_path), levels_to("gradient")
    wp.config.log_level = wp.LOG_ERROR
    list(check_batch(lines[:5], levels, context))  # the first batch precompiles the headers
    written = [line.pair.python_source for line in lines if line.pair is not None]
    other = re.compile(r"wp\.overload\(|\bAny\b|\bmodule=")  # Warp compiles no overloads, and no kernel of another module
    sources = [source for source in written if not other.search(source)]
    compile_with_warp(sources[-1], "bench_warm", tmp_path)
    by_level: dict[str, float] = defaultdict(float)

    def alternate() -> tuple[float, float]:
        checking = compiling = 0.0
        for start in range(0, PAIRS, BATCH):
            begin = seconds()
            for verdict in check_batch(lines[start : start + BATCH], levels, context):
                by_level[verdict.level] += verdict.ms
            checking += seconds() - begin
            begin = seconds()
            for number, source in enumerate(sources[start : start + COMPILED]):
                compile_with_warp(source, f"bench_{start + number}", tmp_path)
            compiling += seconds() - begin
        return checking * 1000.0 / PAIRS, compiling * 1000.0 / (COMPILED * -(-PAIRS // BATCH))

    checking, compiling = benchmark.pedantic(alternate, rounds=1)
    figures.rate(f"{group}: levels of a pair, schema to gradient, one core", checking, "ms")
    figures.rate(f"{group}: compile_aot_module, cpu and one CUDA architecture", compiling, "ms")
    name = f"{group}: checked pairs over kernels that compile_aot_module compiles"
    figures.ratio(name, [(compiling, checking)], "times Warp's documented interface")
    for level, total in by_level.items():
        figures.rate(f"  {group}: {level}", total / PAIRS, "ms")
