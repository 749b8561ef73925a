"""The time of a pair by phase, with and without acceleration: `python tests/bench/phases.py [COUNT]` prints a table.

Clocks wrap functions of Warp and of warpsmith. The time of a phase excludes the time of the phases within it.
"""

from __future__ import annotations

import contextlib
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import warp as wp

from warpsmith.core.records.encoding import encode
from warpsmith.extraction.accelerate import accelerated
from warpsmith.synthesis.production import generate_pairs
from warpsmith.synthesis.production.dataset_plan import Plan, chosen_categories
from warpsmith.synthesis.production.synthesis_workers import tune_garbage_collection
from warpsmith.synthesis.writing import generate
from warpsmith.synthesis.writing.dry_run.kernel_run import DryRun

WARM = 400
PHASES = {
    "choosing ideas": (generate, "choose_program"),
    "composing the kernel": (generate, "Composition"),
    "rendering its file": (generate, "render"),
    "estimating its length": (generate, "is_too_long"),
    "values of its launch": (generate, "make_inputs"),
    "compiling its Python": (generate, "compile_module"),
    "dry run": (DryRun, "rejection_reason"),
    "stale values": (generate, "stale_use"),
    "decorating its function": (wp, "kernel"),
    "hashing": (wp._src.context.ModuleHasher, "__init__"),
    "building the adjoint": (wp._src.context.ModuleBuilder, "__init__"),
    "generating the text": (wp._src.context.ModuleBuilder, "codegen"),
    "splitting the text": (sys.modules["warpsmith.extraction.codegen.extract"], "split"),
    "writing JSON": (sys.modules[__name__], "encode"),
    "loading, record, everything else": (generate_pairs, "run_interleaved"),
}


class Clock:
    """Seconds by phase, without the seconds of phases within a phase."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self._inside: list[float] = []

    @contextlib.contextmanager
    def on(self, owner: Any, name: str, phase: str) -> Iterator[None]:
        """Measure the time in a function of ``owner``."""
        stock = getattr(owner, name)

        def counted(*args: Any, **kwargs: Any) -> Any:
            self._inside.append(0.0)
            start = time.perf_counter()
            try:
                return stock(*args, **kwargs)
            finally:
                taken = time.perf_counter() - start
                self.seconds[phase] += taken - self._inside.pop()
                if self._inside:
                    self._inside[-1] += taken

        setattr(owner, name, counted)
        try:
            yield
        finally:
            setattr(owner, name, stock)


def measure(count: int, accelerate: bool) -> dict[str, float]:
    """Return milliseconds per pair by phase."""
    plan = Plan(
        count=count, seed=2000, device="cuda", backward=True, codegen_only=True,
        categories=chosen_categories(["core"]), shard_size=1000,
    )  # fmt: skip
    with accelerated(accelerate), contextlib.ExitStack() as clocks:
        generate_pairs.generate_pairs(plan, [plan.key(index) for index in range(WARM)])
        clock = Clock()
        for phase, (owner, name) in PHASES.items():
            clocks.enter_context(clock.on(owner, name, phase))
        for start in range(WARM, WARM + count, generate_pairs.PAIRS_PER_BATCH):
            for pair in generate_pairs.generate_pairs(
                plan, [plan.key(index) for index in range(start, start + generate_pairs.PAIRS_PER_BATCH)]
            ):
                encode(pair)
    return {phase: seconds / count * 1000.0 for phase, seconds in clock.seconds.items()}


def main(count: int = 2000) -> None:
    """Print the table."""
    tune_garbage_collection()
    columns = [measure(count, accelerate) for accelerate in (False, True)]
    print("| milliseconds per pair | unmodified Warp | accelerated |\n|---|---:|---:|")
    for phase in PHASES:
        print(f"| {phase} | {columns[0].get(phase, 0.0):.2f} | {columns[1].get(phase, 0.0):.2f} |")
    print(f"| **all** | **{sum(columns[0].values()):.2f}** | **{sum(columns[1].values()):.2f}** |")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
