"""Builds a pair's own text on a device, loads it, and launches it forward and backward."""

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
from warpsmith.gpu_checks.arguments import Given
from warpsmith.validation.running.launches import seed

_numbers = itertools.count()


@dataclass(frozen=True, slots=True)
class Results:
    """What a kernel leaves: every array it writes after the forward pass, and the gradient of every array of floats it reads.

    ``gradients`` is empty where there is no backward pass.
    """

    outputs: dict[str, Values]
    gradients: dict[str, Values]


class TextDiffers(Exception):
    """What was built is not the text of the pair."""


@contextmanager
def built(pair: Pair, device: str, folder: Path) -> Iterator[Any]:
    """Compile a pair for ``device`` through Warp's public ahead-of-time functions, load it, and yield the kernel.

    The file that the compiler was given must hold the pair's text: that is what makes this a check of the pair and not of
    whatever Warp generates today.

    Raises:
        TextDiffers: if it does not.
    """
    target = "cpu" if device == "cpu" else "cuda"
    with loaded_kernel(
        pair.python_source, pair.metadata.kernel_name, pair.metadata.module_options, f"warpsmith_run_{next(_numbers)}"
    ) as kernel:
        if device == "cpu":  # the reference runs the text that was compiled, and has to be right, not fast
            wp.config.enable_cpu_blocks = True
            wp.set_module_options({"optimization_level": 0, "cpu_compiler_flags": ""}, kernel.module)
        wp.compile_aot_module(kernel.module, device=device, module_dir=folder, strip_hash=True)
        (written,) = folder.glob(f"{wp_name(kernel)}.{'cpp' if target == 'cpu' else 'cu'}")
        forward, backward = pair.code(target)
        if forward is not None and not written.read_text().endswith(
            join(Code(pair.metadata.kernel_name, forward, backward), target)
        ):
            raise TextDiffers(f"the {target} text of the pair is not what Warp compiles for its Python")
        wp.load_aot_module(kernel.module, device=device, module_dir=folder, strip_hash=True)
        yield kernel


def wp_name(kernel: Any) -> str:
    """The stem of the files that Warp writes for a kernel's module."""
    return f"wp_{kernel.module.name}"


def launch(kernel: Any, how: Launch, values: Mapping[str, Values], device: str, backward: bool) -> Results:
    """Launch ``kernel`` on ``device`` with ``values`` and return what it leaves, by leaf."""
    arguments = Given(how, kernel, values, device)
    block_dim = kernel.module.options["block_dim"]  # what was compiled ahead of time; the CPU would compile anew for 1
    wp.launch(kernel, dim=how.dim, inputs=arguments.inputs, device=device, block_dim=block_dim)
    found = [leaf for leaf in leaves(how) if leaf.kind != "value"]
    outputs = {leaf.name: arguments.content(leaf.name) for leaf in found if leaf.role != "input"}
    if not backward:
        return Results(outputs, {})
    floats = [leaf for leaf in found if leaf.kind == "array" and values[leaf.name].dtype.kind == "f"]
    arguments.seed({leaf.name: seed(outputs[leaf.name]) for leaf in floats if leaf.role != "input"})
    wp.launch(
        kernel, dim=how.dim, inputs=arguments.inputs, adj_inputs=arguments.adjoints(), adjoint=True,
        device=device, block_dim=block_dim,
    )  # fmt: skip
    read = [leaf.name for leaf in floats if leaf.role == "input"]
    return Results(outputs, {name: arguments.gradient(name) for name in read})
