"""CUDA texts to PTX and to binaries."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from warpsmith.core.errors import WarpsmithError
from warpsmith.simt.compilers.cuda_headers import (
    HEADERS,
    header_folders,
    includes_cuda_headers,
    missing_header,
    replacements,
    require_headers,
)
from warpsmith.simt.compilers.nvrtc_program import CUBIN, PTX, CudaCompileError, architectures, compile_results

_ALWAYS = ("-w", "--device-as-default-execution-space")
_LINES = "--generate-line-info"

_PRECOMPILED = ("--pch", "-pch", "--create-pch", "--use-pch")

_CAUSED_BY_PRECOMPILED_HEADERS = ("unable to obtain mapped memory", "catastrophic error", "pch", "precompiled header")

_FILE = re.compile(r'^(\s*\.file\s+\d+\s+")([^"]*)(?=")', re.MULTILINE)

_LAUNCH = re.compile(r"<<<.*>>>", re.DOTALL)


def compile_ptx(
    text: str,
    arch: int = 90,
    options: Sequence[str] = (),
    name: str = "kernel.cu",
    headers: bool = False,
    *,
    lines: bool = True,
) -> str:
    """Compile CUDA C++ to PTX. Neither a GPU nor a driver is needed.

    Args:
        text: device code. Host code needs guards: ``#ifndef __CUDACC_RTC__``.
        arch: the compute capability, times ten.
        options: further options of NVRTC, such as ``--fmad=false`` or ``-DN=4``.
        name: the name of the text in errors, in the line table of the PTX and in findings.
        headers: whether the folders of CUDA's headers are needed. They are also used if the text includes one of these headers.
        lines: whether the PTX has line numbers.

    Raises:
        CudaCompileError: if NVRTC rejects the text; the error contains the compiler's log.
        WarpsmithError: if the architecture is unknown, or the text needs headers that are not installed.

    Examples:
        >>> ptx = compile_ptx("__global__ void fill(float* x) { x[threadIdx.x] = 1.0f; }")
        >>> ".entry _Z4fillPf" in ptx
        True
    """
    target = f"--gpu-architecture=compute_{check_arch(arch)}"
    (result,) = _compile(text, name, (target, *((_LINES,) if lines else ()), *options), headers, (PTX,))
    return _relative_files(result.rstrip(b"\0").decode())


def compile_cubin(
    text: str, arch: int = 90, options: Sequence[str] = (), name: str = "kernel.cu", headers: bool = False
) -> bytes:
    r"""Compile CUDA C++ to a binary of one architecture; arguments and errors are those of `compile_ptx`.

    Examples:
        >>> compile_cubin("__global__ void fill(float* x) { x[threadIdx.x] = 1.0f; }")[:4]
        b'\x7fELF'
    """
    target = f"--gpu-architecture=sm_{check_arch(arch)}"
    (result,) = _compile(text, name, (target, _LINES, *options), headers, (CUBIN,))
    return result


def compile_both(text: str, arch: int = 90, options: Sequence[str] = (), name: str = "kernel.cu") -> tuple[str, bytes]:
    """Compile CUDA C++ once to PTX without line numbers, and to the binary that the assembler makes of this PTX.

    Arguments and errors are those of `compile_ptx`; ``headers`` is left out.
    """
    target = f"--gpu-architecture=sm_{check_arch(arch)}"
    ptx, cubin = _compile(text, name, (target, *options), False, (PTX, CUBIN))
    return _relative_files(ptx.rstrip(b"\0").decode()), cubin


def check_arch(arch: int) -> int:
    """Return an architecture that NVRTC supports.

    Raises:
        WarpsmithError: for others.
    """
    if arch not in architectures():
        known = ", ".join(map(str, architectures()))
        hint = f", such as {arch * 10}" if arch * 10 in architectures() else ""
        raise WarpsmithError(f"the architecture {arch} is not supported: use the compute capability times ten{hint}: {known}")
    return arch


def _compile(text: str, name: str, options: Sequence[str], headers: bool, results: Sequence[str]) -> list[bytes]:
    arguments = [*_standard(options), *_ALWAYS, *options, *_include_options(text, options, headers)]
    try:
        return _with_precompiled_headers(text, name, arguments, results)
    except CudaCompileError as failure:
        missing = missing_header(failure.log)
        if missing is not None and not header_folders():
            raise WarpsmithError(f"{failure.log.splitlines()[0]}: {HEADERS.missing}") from None
        if _LAUNCH.search(text):
            hint = "note: kernels only: guard the code of the host with #ifndef __CUDACC_RTC__ … #endif"
            raise CudaCompileError(f"{failure.log}\n{name}: {hint}") from None
        raise


def _with_precompiled_headers(text: str, name: str, options: Sequence[str], results: Sequence[str]) -> list[bytes]:
    """Compile; if precompiled headers may have caused an error, compile again without them."""
    precompiled = any(option.startswith(_PRECOMPILED) for option in options)
    try:
        # options for precompiled headers belong to texts with their own headers
        return compile_results(text, name, options, None if precompiled else replacements(text), results)
    except CudaCompileError as failure:
        if not precompiled or not any(words in failure.log.lower() for words in _CAUSED_BY_PRECOMPILED_HEADERS):
            raise
    return compile_results(text, name, [option for option in options if not option.startswith(_PRECOMPILED)], None, results)


def _standard(options: Sequence[str]) -> tuple[str, ...]:
    named = any(option.startswith(("--std", "-std")) for option in options)
    return () if named else ("--std=c++17",)


def _include_options(text: str, options: Sequence[str], headers: bool) -> list[str]:
    if headers:
        folders = require_headers()
    elif includes_cuda_headers(text, options) and not any(option.startswith(_PRECOMPILED) for option in options):
        folders = header_folders()
    else:
        folders = ()
    return [f"-I{folder}" for folder in folders]


def _relative_files(ptx: str) -> str:
    """Name the files below the working directory as the caller named them: PTX then does not depend on the folder."""
    here = f"{os.getcwd()}/"  # noqa: PTH109 - a text
    return _FILE.sub(lambda match: match[1] + match[2].removeprefix(here), ptx)
