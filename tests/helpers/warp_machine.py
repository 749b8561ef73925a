"""Kernels of Warp on the SIMT machine, forward and backward: their CUDA text as NVRTC compiles it for a GPU."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from warpsmith.extraction.codegen.extract import extract_ir
from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.extraction.warp.codegen import preamble
from warpsmith.extraction.warp.runtime import ArrayDescriptor, launch_bounds
from warpsmith.simt import Finding, Module, compile_ptx
from warpsmith.simt.compilers.warp_options import warp_options
from warpsmith.simt.launches.device_memory import DeviceMemory

Arrays = Mapping[str, npt.NDArray[Any]]

SHARED_BYTES = 160 << 10
"""Dynamic shared memory of a block, enough for the tiles of these kernels."""

WITHOUT_MATHDX = {"enable_mathdx_gemm": False, "enable_mathdx_solver": False, "enable_mathdx_fft": False}


@dataclass(frozen=True, slots=True)
class MachineResult:
    """The result of a kernel on the machine.

    Attributes:
        arrays: the arrays after the forward pass.
        gradients: the gradients of the arrays after the backward pass.
        findings: the findings of both passes.
    """

    arrays: dict[str, npt.NDArray[Any]]
    gradients: dict[str, npt.NDArray[Any]]
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class MachineKernel:
    """A kernel as a module of PTX.

    Attributes:
        name: the name of the kernel in the generated code.
        module: the module.
        dimensions: the number of coordinates of ``wp.tid()``.
        block: the number of threads of a block.
    """

    name: str
    module: Module
    dimensions: int
    block: int

    def run(
        self, dim: Sequence[int], arrays: Arrays, outputs: Sequence[str], *, reverse: bool = False, backward: bool = True
    ) -> MachineResult:
        """Run both passes; the gradient of every element of the outputs is one, that of all other arrays zero."""
        memory = DeviceMemory()
        regions = {name: memory.add(array) for name, array in arrays.items()}
        gradients = {
            name: memory.add(np.ones_like(array) if name in outputs else np.zeros_like(array))
            for name, array in arrays.items()
            if backward
        }
        descriptors, adjoints = [], []
        for name, array in arrays.items():
            gradient = gradients[name].address if backward else 0
            layout = {"ndim": array.ndim, "shape": array.shape, "strides": array.strides}
            descriptors.append(ArrayDescriptor(data=regions[name].address, grad=gradient, **layout))
            adjoints.append(ArrayDescriptor(data=gradient, **layout))
        bounds = launch_bounds(tuple(dim), self.dimensions)
        grid = math.prod(dim) // self.block
        findings: list[Finding] = []
        passes = {"forward": [bounds, *descriptors], "backward": [bounds, *descriptors, *adjoints]}
        for direction, arguments in list(passes.items())[: 1 + backward]:
            kernel = f"{self.name}_cuda_kernel_{direction}"
            shared = SHARED_BYTES if self.module.program(kernel).uses_dynamic_shared else 0
            run = self.module.launch(kernel, grid, self.block, arguments, shared, memory=memory, reverse=reverse)
            findings += run.findings
        return MachineResult(_contents(regions, arrays), _contents(gradients, arrays), tuple(findings))


def machine_kernel(source: str, block: int, native: Path | None = None, *, precompiled: bool = True) -> MachineKernel:
    """Compile the kernel of a source text for blocks of some threads.

    Args:
        source: the Python text.
        block: the number of threads of a block.
        native: a folder of headers that replaces Warp's.
        precompiled: whether to keep precompiled headers for the next kernel.
    """
    options = {"block_dim": block, **WITHOUT_MATHDX}
    with loaded_kernel(source, None, options) as kernel:
        ir = extract_ir(kernel, "cuda", include_backward=True)
    assert ir.cuda is not None
    body = ir.cuda.forward_code + (ir.cuda.backward_code or "")
    flags = warp_options(fuse=False, precompiled=precompiled)
    if native is not None:
        flags = (*(flag for flag in flags if not flag.startswith("-I")), f"-I{native}")
    module = Module(compile_ptx(preamble("cuda", body, options) + body, options=flags))
    return MachineKernel(ir.kernel_name, module, _coordinates(source), block)


def _contents(regions: Mapping[str, Any], arrays: Arrays) -> dict[str, npt.NDArray[Any]]:
    return {name: region.memory.view(arrays[name].dtype).reshape(arrays[name].shape).copy() for name, region in regions.items()}


def _coordinates(source: str) -> int:
    """Return how many coordinates the only ``wp.tid()`` of a text returns."""
    line = next(line for line in source.splitlines() if line.endswith("= wp.tid()"))
    return line.count(",") + 1
