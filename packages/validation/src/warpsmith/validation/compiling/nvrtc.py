"""Compilation of CUDA units with NVRTC: the NVRTC wheel if it is installed, otherwise the NVRTC in Warp. Neither needs a GPU.

The wheel (``nvidia-cuda-nvrtc``, used through ``cuda-bindings``, which needs no driver) can stop after its front end, which
reports all errors of a text; that takes a twentieth of the time of PTX. A sample of pairs is also compiled to binaries.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from warpsmith.extraction.warp import compilers, runtime
from warpsmith.extraction.warp.compiler_log import Log
from warpsmith.validation.compiling.batch import CompileError, compile_parts, first_error, rejection
from warpsmith.validation.compiling.part import UnitPart
from warpsmith.validation.compiling.translation_unit import plain
from warpsmith.validation.confinement.machine_problems import MachineProblem

BINARY_ARCHS = (80, 90)
"""The architectures that a sample is compiled for: Ampere and Hopper."""

_OPTIONS = (
    "--std=c++17",
    "--define-macro=WP_NO_CRT",
    "--device-as-default-execution-space",
    "--relocatable-device-code=true",
    "-w",
)

_NOT_OF_THE_TEXT = ("unable to obtain mapped memory", "catastrophic error")
"""Messages of NVRTC that precompiled headers can cause: their addresses are in use, or they cannot be written."""


def check_parts(parts: Sequence[UnitPart], scratch: Path) -> dict[str, str]:
    """Compile ``parts``, those with the same options together, and return the errors by key."""

    def compile_unit(unit: Sequence[UnitPart]) -> None:
        compile_unit_text(plain(unit), scratch)

    errors: dict[str, str] = {}
    for options in sorted({repr(part.options) for part in parts}):
        errors |= compile_parts([part for part in parts if repr(part.options) == options], compile_unit)
    return errors


def compile_unit_text(text: str, scratch: Path) -> None:
    """Compile a unit with Warp's headers to find its errors.

    Raises:
        CompileError: if NVRTC rejects the text.
        MachineProblem: if the machine prevents the compilation.
    """
    if _wheel() is None:
        _compile_with_warp(text, scratch, 90, binary=False)
        return
    options = ("--gpu-architecture=compute_90", "--fdevice-syntax-only")
    try:
        _compile(text, (*options, "--pch", f"--pch-dir={scratch}"))
    except (CompileError, MachineProblem) as failure:
        if not any(words in str(failure).lower() for words in _NOT_OF_THE_TEXT):
            raise
        _compile(text, options)


def check_text(text: str, scratch: Path) -> str | None:
    """Compile a CUDA text that includes nothing, without Warp's options, and return the first error, or None."""
    try:
        compile_plain(text, scratch)
    except CompileError as failure:
        return first_error(str(failure))
    return None


def compile_plain(text: str, scratch: Path) -> None:
    """Compile a CUDA text that includes nothing, without Warp's options.

    Raises:
        CompileError: if NVRTC rejects the text.
        MachineProblem: if the machine prevents the compilation.
    """
    if _wheel() is not None:
        _run(text, ("--std=c++17", "-w", "--gpu-architecture=compute_90", "--fdevice-syntax-only"))
    else:
        _compile_with_warp(text, scratch, 90, binary=False)


def check_binary(part: UnitPart, arch: int, scratch: Path) -> str | None:
    """Compile one part to a binary for ``sm_<arch>`` and return the error, or None."""
    try:
        if _wheel() is not None:
            _compile(plain([part]), (f"--gpu-architecture=sm_{arch}",))
        else:
            _compile_with_warp(plain([part]), scratch, arch, binary=True)
    except CompileError as failure:
        return str(failure)
    return None


@cache
def _wheel() -> Any:
    """Return the bindings of NVRTC, or None if the wheel or the bindings are not installed."""
    try:
        from cuda.bindings import nvrtc

        nvrtc.nvrtcVersion()
    except Exception:  # noqa: BLE001 - Warp's own compiler replaces a wheel that is absent or broken for any reason
        return None
    return nvrtc


def _compile(text: str, options: Sequence[str]) -> None:
    _run(text, (*_OPTIONS, f"-I{compilers.NATIVE}", *options))


def _run(text: str, options: Sequence[str]) -> None:
    nvrtc = _wheel()
    arguments = [option.encode() for option in options]
    error, program = nvrtc.nvrtcCreateProgram(text.encode(), b"unit", 0, [], [])
    if error != 0:
        raise CompileError(f"error: NVRTC does not take the program: {error.name}")
    try:
        (error,) = nvrtc.nvrtcCompileProgram(program, len(arguments), arguments)
        if error != 0:
            _, size = nvrtc.nvrtcGetProgramLogSize(program)
            log = b" " * size
            nvrtc.nvrtcGetProgramLog(program, log)
            raise rejection(log.rstrip(b"\0 \n").decode(errors="replace") or f"error: {error.name}")
    finally:
        nvrtc.nvrtcDestroyProgram(program)


def _compile_with_warp(text: str, scratch: Path, arch: int, binary: bool) -> None:
    runtime.start_runtime()
    with Log(scratch) as log:
        done = compilers.compile_cuda(text, scratch, arch, binary)
    if not done:
        raise rejection(log.text())
