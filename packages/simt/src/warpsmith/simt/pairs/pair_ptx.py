"""The PTX of a pair, as NVRTC writes it for the file that Warp compiles, and the figures of its kernels."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from multiprocessing.util import Finalize
from pathlib import Path

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.files.temporary_folders import TemporaryFolder
from warpsmith.core.records.ir import Code
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.ptx_figures import KernelFigures, PtxFigures
from warpsmith.core.records.text_format import LINKED_LIBRARY, kernel_prefix
from warpsmith.extraction.codegen.preamble import pair_preamble
from warpsmith.extraction.codegen.split import join
from warpsmith.simt.compilers.ptx_compiler import check_arch, compile_both, compile_ptx
from warpsmith.simt.compilers.resource_usage import ResourceUsage, resource_usage
from warpsmith.simt.compilers.warp_options import warp_options
from warpsmith.simt.ptx.isolated_kernel import instruction_count, isolated_kernel

NAME = "kernel.cu"
"""The name of the text, which PTX may contain in names of variables."""

PREFIX = "sm_"


def read_arch(arch: str) -> int:
    """Return the compute capability, times ten, of an architecture such as ``"sm_80"``.

    Raises:
        WarpsmithError: if it has another form, NVRTC does not support it, or NVRTC cannot be loaded.
    """
    number = arch.removeprefix(PREFIX)
    if not arch.startswith(PREFIX) or not (number.isascii() and number.isdecimal() and len(number) < 4):
        raise WarpsmithError(f"{arch!r} is no architecture: write it as sm_80, the compute capability times ten")
    return check_arch(int(number))


def with_ptx(pair: Pair, arch: str) -> Pair:
    """Return a pair with its PTX and the figures of its kernels.

    NVRTC compiles the file that Warp would compile for the pair: the preamble, and the CUDA of both passes. Each field contains
    one kernel of the result, with the variables and functions that it uses. The bytes depend on the pair, the architecture and
    the versions of NVRTC and of Warp only. NVRTC works in this process: the pair has to come from a source that you trust.

    Args:
        pair: a pair with CUDA code.
        arch: the architecture, such as ``"sm_80"``.

    Raises:
        WarpsmithError: if the pair has no CUDA code, see also `read_arch`.
        CudaCompileError: if NVRTC rejects the text.

    Examples:
        >>> from warpsmith.synthesis import generate
        >>> pair = with_ptx(generate(seed=2000, index=17, device="cuda"), "sm_80")
        >>> ".target sm_80" in pair.ptx_forward, pair.metadata.ptx.forward.spill_stores
        (True, 0)
    """
    number = read_arch(arch)
    if pair.cuda_ir_forward is None:
        raise WarpsmithError(f"{pair.id} has no CUDA code: PTX needs the device cuda or both")
    name = pair.metadata.kernel_name
    text = pair_preamble(pair, "cuda") + join(Code(name, pair.cuda_ir_forward, pair.cuda_ir_backward), "cuda")
    module, usage = _compile(text, number, pair.metadata.module_options)
    prefix = kernel_prefix(name, "cuda")
    forward = isolated_kernel(module, f"{prefix}forward")
    backward = None if pair.cuda_ir_backward is None else isolated_kernel(module, f"{prefix}backward")
    figures = PtxFigures(
        arch=arch,
        forward=_figures(forward, usage.get(f"{prefix}forward")),
        backward=None if backward is None else _figures(backward, usage.get(f"{prefix}backward")),
    )
    return replace(pair, ptx_forward=forward, ptx_backward=backward, metadata=replace(pair.metadata, ptx=figures))


def _compile(text: str, arch: int, module_options: Mapping[str, object]) -> tuple[str, Mapping[str, ResourceUsage]]:
    """Return the PTX of a text, and what its kernels need; nothing if the assembler lacks functions of a library."""
    options = (
        *warp_options(module_options.get("fuse_fp") is not False, folder=_headers(os.getpid())),
        *(("--use_fast_math",) if module_options.get("fast_math") is True else ()),
    )
    if LINKED_LIBRARY in text:
        return compile_ptx(text, arch, options, NAME, lines=False), {}
    ptx, cubin = compile_both(text, arch, options, NAME)
    return ptx, resource_usage(cubin)


@cache
def _headers(_process: int) -> Path:
    """Return the folder of the precompiled headers of this process; those of another process cannot be used."""
    folder = TemporaryFolder()
    Finalize(None, folder.remove, exitpriority=0)  # also at the end of a worker, which does not run what atexit has
    return folder.path


def _figures(ptx: str, usage: ResourceUsage | None) -> KernelFigures:
    instructions = instruction_count(ptx)
    if usage is None:
        return KernelFigures(instructions=instructions)
    return KernelFigures(
        instructions=instructions,
        registers=usage.registers,
        stack=usage.stack,
        shared=usage.shared,
        spill_stores=usage.spill_stores,
        spill_loads=usage.spill_loads,
    )
