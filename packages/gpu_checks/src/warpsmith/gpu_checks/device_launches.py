"""Compile a pair's own text for a device, load it, and launch it forward and backward; no Python of the pair is loaded."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import warp as wp

from warpsmith.core.inputs.values import Values
from warpsmith.core.records import text_format
from warpsmith.core.records.ir import Code
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.pair import Pair
from warpsmith.extraction.codegen.split import join
from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.extraction.warp.ahead_of_time import compile_text, largest_shared_memory
from warpsmith.extraction.warp.objects import warp_module
from warpsmith.gpu_checks.device_arguments import DeviceArguments
from warpsmith.gpu_checks.device_results import Results, float_leaves, output_leaves, select
from warpsmith.gpu_checks.kernel_stub import stand_in
from warpsmith.validation.running.entry_calls import seed

OPTIONS = ("block_dim", "fast_math", "fuse_fp", "mode", "optimization_level")
"""The module options that the compiler needs; the others affect only the text, which the pair contains."""

STATIC_SHARED_MEMORY = 16 << 10
"""Bytes of shared memory that are left to the static variables of a kernel whose threads synchronize."""

_numbers = itertools.count()


@dataclass(frozen=True, slots=True)
class Program:
    """What the driver of a device has to run.

    Attributes:
        code: the text of a kernel for ``target``.
        target: ``"cpu"`` or ``"cuda"``.
        launch: the launch of the kernel.
        identity: the id of the pair, which the inputs follow from.
        options: the module options of the pair.
    """

    code: Code
    target: str
    launch: Launch
    identity: str
    options: Mapping[str, Any]

    @property
    def backward(self) -> bool:
        """Whether the text has a backward pass."""
        return self.code.backward_code is not None

    @property
    def block_dim(self) -> int:
        """Threads per block: what the module option says, or as many as the kernel accepts, if these are fewer."""
        requested = int(self.options.get("block_dim", text_format.DEFAULT_BLOCK))
        limit = text_format.LARGEST_BLOCK.search(self.code.forward_code)
        return min(requested, int(limit[1])) if limit else requested


def target_of(device: str) -> str:
    """Return the target of the texts that run on ``device``."""
    return "cpu" if device == "cpu" else "cuda"


def program_of(pair: Pair, device: str, code: Code | None = None) -> Program | None:
    """Return the program of a pair for ``device``; None if the pair has no launch or no text for the device.

    Args:
        pair: the pair.
        device: Warp's name of the device.
        code: the text to run; by default the one that the pair contains.
    """
    target = target_of(device)
    forward, backward = pair.code(target)
    if code is None and forward is not None:
        code = Code(pair.metadata.kernel_name, forward, backward)
    if code is None or pair.metadata.launch is None:
        return None
    return Program(code, target, pair.metadata.launch, pair.id, pair.metadata.module_options)


@contextmanager
def built_kernel(program: Program, device: str, folder: Path) -> Iterator[Any]:
    """Compile the text of ``program`` for ``device``, load it, and yield the kernel that launches it.

    Args:
        program: the text and its launch.
        device: Warp's name of the device.
        folder: an empty folder.

    Raises:
        WarpsmithError: if no kernel can have the name or the parameters of the program.
        Exception: any exception of Warp for a text that does not compile.
    """
    text = join(program.code, program.target)
    found = text_format.LAUNCH_DIMENSIONS.search(program.code.forward_code)
    source = stand_in(program.code.kernel_name, program.launch, int(found[1]) if found else 1)
    options = {name: program.options[name] for name in OPTIONS if name in program.options}
    options |= {"enable_backward": program.backward, "default_grid_stride": text_format.GRID_STRIDE_STEP in text}
    if device == "cpu":  # the reference is the unoptimized text
        wp.config.enable_cpu_blocks = True
        options |= {"optimization_level": 0, "cpu_compiler_flags": ""}
    if target_of(device) == "cuda":
        options["block_dim"] = program.block_dim
    shared_memory = 0
    if text_format.BLOCK_OPERATION.search(program.code.forward_code):
        shared_memory = max(largest_shared_memory(device) - STATIC_SHARED_MEMORY, 0)  # more than the text needs does no harm
    with loaded_kernel(source, program.code.kernel_name, options, f"warpsmith_run_{next(_numbers)}") as kernel:
        compile_text(kernel, text, program.target, folder, shared_memory=shared_memory, device=device)
        wp.load_aot_module(warp_module(kernel), device=device, module_dir=folder, strip_hash=True)
        yield kernel


def launch_kernel(kernel: Any, launch: Launch, values: Mapping[str, Values], device: str, backward: bool) -> Results:
    """Launch ``kernel`` on ``device`` with ``values`` and return its results by leaf."""
    return launch_with(DeviceArguments(launch, kernel, values, device), kernel, launch, values, device, backward)


def launch_with(
    arguments: DeviceArguments, kernel: Any, launch: Launch, values: Mapping[str, Values], device: str, backward: bool
) -> Results:
    """Do the work of `launch_kernel` with ``arguments`` that exist already."""
    # the compiled size: for 1, the default on the CPU, Warp would compile again
    block_dim = warp_module(kernel).options["block_dim"]
    wp.launch(kernel, dim=launch.dim, inputs=arguments.inputs, device=device, block_dim=block_dim)
    outputs = {leaf.name: arguments.content(leaf.name) for leaf in output_leaves(launch)}
    if not backward:
        return Results(outputs, {})
    floats = float_leaves(launch, values)
    arguments.seed({leaf.name: seed(outputs[leaf.name]) for leaf in floats if leaf.role != "input"})
    wp.launch(
        kernel, dim=launch.dim, inputs=arguments.inputs, adj_inputs=arguments.adjoints(), adjoint=True,
        device=device, block_dim=block_dim,
    )  # fmt: skip
    read = {leaf.name: arguments.gradient(leaf.name) for leaf in floats if leaf.role == "input"}
    return select(launch, values, outputs, read)
