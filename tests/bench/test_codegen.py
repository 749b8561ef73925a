"""A worker compared with Warp on the same kernels: with Warp's code generation alone, and with its documented interface."""

from __future__ import annotations

import contextlib
import gc
import linecache
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import warp as wp

from bench.figures import Figures
from plans import core_plan
from warpsmith.core.errors import KernelRejected
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.ir import TARGETS, Device
from warpsmith.extraction.accelerate import acceleration
from warpsmith.extraction.codegen.extract import extract_ir
from warpsmith.extraction.targets.importing import import_target
from warpsmith.extraction.warp.registries import live_kernels
from warpsmith.extraction.warp.runtime import start_runtime
from warpsmith.synthesis.kernel_key import KernelKey
from warpsmith.synthesis.production.dataset_plan import Plan
from warpsmith.synthesis.production.generate_pairs import PAIRS_PER_BATCH, generate_pairs
from warpsmith.synthesis.production.synthesis_workers import tune_garbage_collection
from warpsmith.synthesis.writing.generate import write_kernel

BLOCK, BLOCKS = 50, 30
PLAIN = 12
"""Half the number of kernels that are compiled through the documented interface, which takes about fifty times as long."""

TURNS = 4
"""The number of turns in which pairs and these kernels alternate."""


def whole(wanted: Plan, indices: Sequence[int]) -> None:
    """Do the work of a worker: write kernels, generate their code, encode the pairs."""
    for start in range(0, len(indices), PAIRS_PER_BATCH):
        for pair in generate_pairs(wanted, [wanted.key(index) for index in indices[start : start + PAIRS_PER_BATCH]]):
            encode(pair)


def bare(targets: Sequence[str], sources: Sequence[str]) -> None:
    """Generate code with Warp's functions only: execute the Python, build the adjoint, generate the text, drop the module."""
    for source in sources:
        wp._src.context.function_key_counts.clear()
        linecache.cache["kernel.py"] = (len(source), None, source.splitlines(keepends=True), "kernel.py")
        module = sys.modules["bare_kernel"] = ModuleType("bare_kernel")
        exec(compile(source, "kernel.py", "exec"), vars(module))  # noqa: S102 - our own source
        kernel = next(value for value in vars(module).values() if isinstance(value, wp.Kernel))
        bare_kernel(targets, kernel)
        wp._src.context.user_modules.pop("bare_kernel", None)  # a kernel with module="unique" has another module
        kernel.module._detach_references()


def bare_kernel(targets: Sequence[str], kernel: Any) -> None:
    """Generate the text of one live kernel; one build serves both devices, while Warp builds once for each device."""
    context, module = wp._src.context, kernel.module
    options = module.resolve_options(wp.config) | {"output_arch": 90, "strip_hash": True}
    hasher = context.ModuleHasher([kernel], options)
    builder = context.ModuleBuilder(module, options, hasher, target=targets[-1])
    assert all(builder.codegen(target) for target in targets)


def plain(sources: Sequence[tuple[str, str]], folder: Path) -> None:
    """Use the documented interface: write a file, import it, call `wp.compile_aot_module`, and read the text."""
    for name, source in sources:
        file = folder / f"{name}.py"
        file.write_text(source)
        module = sys.modules[name] = ModuleType(name)
        module.__file__ = str(file)
        exec(compile(source, str(file), "exec"), vars(module))  # noqa: S102 - our own source
        wp.compile_aot_module(module, arch=[90], module_dir=folder / name, use_ptx=True, strip_hash=True)
        assert next((folder / name).glob("*.cu")).read_text()


def seconds(work: Callable[..., Any], *arguments: Any) -> float:
    start = time.process_time()
    work(*arguments)
    return time.process_time() - start


@contextlib.contextmanager
def settled() -> Iterator[Callable[[], contextlib.AbstractContextManager[None]]]:
    """Bring the process into the state of a worker; yield a context manager that installs the caches without clearing them."""
    kept = acceleration()
    threshold = gc.get_threshold()
    tune_garbage_collection()
    try:
        yield kept.active if kept is not None else contextlib.nullcontext
    finally:
        gc.set_threshold(*threshold)
        gc.unfreeze()


@pytest.mark.parametrize("device", ["cuda", "both"])
def test_one_worker_over_bare_code_generation(benchmark: Any, figures: Figures, device: Device) -> None:
    count = BLOCK * BLOCKS
    sources = [write_kernel(KernelKey(2000, index)).source for index in range(count)]
    with settled() as cached:

        def alternate() -> list[tuple[float, float]]:
            rounds = []
            with cached():
                # Fill the caches, as they are for nearly all pairs of a worker.
                whole(core_plan(device=device), range(count, count + 600))
            for start in range(0, count, BLOCK):  # alternate, so that other load affects both
                with cached():
                    ours = seconds(whole, core_plan(device=device), range(start, start + BLOCK))
                rounds.append((seconds(bare, TARGETS[device], sources[start : start + BLOCK]), ours))
            return rounds

        rounds = benchmark.pedantic(alternate, rounds=1)
    warps, ours = map(sum, zip(*rounds, strict=True))
    figures.rate(f"{device}: one worker, once started", count / ours, "pairs/s")
    figures.rate(f"{device}: Warp's bare code generation of the same kernels", count / warps, "kernels/s")
    figures.ratio(f"{device}: one worker over bare code generation", rounds, "times Warp's own code generation")


def test_examples_over_bare_code_generation(benchmark: Any, figures: Figures) -> None:
    """Compare accelerated `extract_ir` with Warp's own functions on the kernels that Warp includes."""
    start_runtime()
    import_target("warp.examples")
    kernels = [kernel for kernel in live_kernels() if not kernel.is_generic and kernel.module.name.startswith("warp.examples")]
    good = []
    for kernel in kernels:
        with contextlib.suppress(KernelRejected):
            extract_ir(kernel, "cuda")
            good.append(kernel)
    with settled() as cached:

        def alternate() -> list[tuple[float, float]]:
            rounds = []
            for turn in range(6):
                ours = warps = 0.0
                for kernel in good:
                    with cached():
                        ours += seconds(extract_ir, kernel, "cuda")
                    warps += seconds(bare_kernel, ("cuda",), kernel) if turn else 0.0
                rounds.append((warps, ours))
            return rounds[1:]  # the first turn fills the caches

        rounds = benchmark.pedantic(alternate, rounds=1)
    assert len(good) > 100
    name = "kernels of warp.examples: extract_ir over bare code generation"
    figures.ratio(name, rounds, "times Warp's own code generation")


def test_one_worker_over_the_documented_interface(benchmark: Any, figures: Figures, tmp_path: Path) -> None:
    start_runtime()
    wp.config.log_level = wp.LOG_ERROR
    written = [write_kernel(KernelKey(2000, index)).source for index in range(4 * PLAIN)]
    compiled = [source for source in written if "wp.overload(" not in source]  # the interface refuses some generic kernels
    first, second, *sources = [(f"plain_{index}", source) for index, source in enumerate(compiled[: 2 * PLAIN])]
    plain((first, second), tmp_path)  # Warp precompiles headers once
    pairs = 400 // TURNS
    with settled() as cached:

        def alternate() -> list[tuple[float, float]]:
            rounds = []
            with cached():
                whole(core_plan(device="cuda"), range(400))
            for turn in range(TURNS):
                start = 400 + turn * pairs
                with cached():
                    ours = seconds(whole, core_plan(device="cuda"), range(start, start + pairs)) / pairs
                kernels = sources[turn::TURNS]
                rounds.append((seconds(plain, kernels, tmp_path) / len(kernels), ours))
            return rounds

        rounds = benchmark.pedantic(alternate, rounds=1)
    name = "cuda: one worker over file, import and compile_aot_module"
    figures.ratio(name, rounds, "times Warp's documented interface")
