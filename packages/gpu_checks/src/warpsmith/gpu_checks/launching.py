"""Compile a pair's own text for a device, load it, and launch it forward and backward."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import warp as wp

from warpsmith.core.inputs.values import Values, leaves
from warpsmith.core.records.ir import Code
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.pair import Pair
from warpsmith.extraction.loading import loaded_kernel
from warpsmith.extraction.split import join
from warpsmith.gpu_checks.arguments import DeviceArguments
from warpsmith.validation.running.launches import seed

_numbers = itertools.count()


@dataclass(frozen=True, slots=True)
class Results:
    """The arrays after a launch.

    Attributes:
        outputs: every array that the kernel writes, after the forward pass.
        gradients: the gradient of every array of floats that it reads; empty without a backward pass.
    """

    outputs: dict[str, Values]
    gradients: dict[str, Values]


class TextDiffers(Exception):
    """The compiled text is not the text of the pair."""


@contextmanager
def compiled_kernel(pair: Pair, device: str, folder: Path) -> Iterator[Any]:
    """Compile a pair for ``device`` through Warp's public ahead-of-time functions, load it, and yield the kernel.

    The compiled file has to contain the pair's text. Otherwise this would check the text that Warp generates today, and not
    the pair.

    Raises:
        TextDiffers: if the compiled file does not contain the pair's text.
    """
    target = "cpu" if device == "cpu" else "cuda"
    with loaded_kernel(
        pair.python_source, pair.metadata.kernel_name, pair.metadata.module_options, f"warpsmith_run_{next(_numbers)}"
    ) as kernel:
        if device == "cpu":  # the reference is the unoptimized text
            wp.config.enable_cpu_blocks = True
            wp.set_module_options({"optimization_level": 0, "cpu_compiler_flags": ""}, kernel.module)
        wp.compile_aot_module(kernel.module, device=device, module_dir=folder, strip_hash=True)
        (written,) = folder.glob(f"{file_stem(kernel)}.{'cpp' if target == 'cpu' else 'cu'}")
        forward, backward = pair.code(target)
        if forward is not None and not written.read_text().endswith(
            join(Code(pair.metadata.kernel_name, forward, backward), target)
        ):
            raise TextDiffers(f"the {target} text of the pair is not what Warp compiles for its Python")
        wp.load_aot_module(kernel.module, device=device, module_dir=folder, strip_hash=True)
        yield kernel


def file_stem(kernel: Any) -> str:
    """Return the stem of the files that Warp writes for a kernel's module."""
    return f"wp_{kernel.module.name}"


def launch_kernel(kernel: Any, launch: Launch, values: Mapping[str, Values], device: str, backward: bool) -> Results:
    """Launch ``kernel`` on ``device`` with ``values`` and return its results by leaf."""
    arguments = DeviceArguments(launch, kernel, values, device)
    block_dim = kernel.module.options["block_dim"]  # the compiled one; for 1, the default on the CPU, Warp would compile again
    wp.launch(kernel, dim=launch.dim, inputs=arguments.inputs, device=device, block_dim=block_dim)
    arrays = [leaf for leaf in leaves(launch) if leaf.kind != "value"]
    outputs = {leaf.name: arguments.content(leaf.name) for leaf in arrays if leaf.role != "input"}
    if not backward:
        return Results(outputs, {})
    floats = [leaf for leaf in arrays if leaf.kind == "array" and values[leaf.name].dtype.kind == "f"]
    arguments.seed({leaf.name: seed(outputs[leaf.name]) for leaf in floats if leaf.role != "input"})
    wp.launch(
        kernel, dim=launch.dim, inputs=arguments.inputs, adj_inputs=arguments.adjoints(), adjoint=True,
        device=device, block_dim=block_dim,
    )  # fmt: skip
    return Results(outputs, {leaf.name: arguments.gradient(leaf.name) for leaf in floats if leaf.role == "input"})
