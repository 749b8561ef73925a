"""The compilers that Warp contains: NVRTC for CUDA, clang for C++. Neither needs a GPU."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

import warp as wp

from warpsmith.extraction.warp.codegen import CUDA_ARCH
from warpsmith.extraction.warp.private import warp_build, warp_context

NATIVE = Path(wp.config.__file__).parent / "native"
"""The folder of the headers that generated code includes."""


def compile_cuda(text: str, folder: Path, arch: int = CUDA_ARCH, binary: bool = False) -> bool:
    """Compile a whole CUDA file with Warp's NVRTC, to PTX or to a binary for one architecture; no GPU is needed.

    The optimization level is the lowest: it affects the speed of the result, not which code is accepted. The compiler prints
    errors to the standard streams of the process.

    Args:
        text: preamble and code.
        folder: the folder for the source and the result.
        arch: the compute capability to compile for, times ten.
        binary: whether to compile to a cubin instead of PTX.

    Returns:
        Whether the compiler accepted the text.
    """
    source, result = folder / "pair.cu", folder / ("pair.cubin" if binary else "pair.ptx")
    source.write_text(text, encoding="utf-8")
    try:
        warp_build.build_cuda(
            str(source), arch, str(result), pch_dir=warp_context.runtime.get_nvrtc_pch_dir(), optimization_level=1
        )
    except Exception:  # noqa: BLE001 - Warp raises bare exceptions here
        return False
    return True


def compile_cpp(
    text: str,
    result: Path,
    headers: Path,
    block_dim: int,
    flags: tuple[str, ...] = (),
    pch_folder: Path | None = None,
    optimization: int = 0,
) -> bool:
    """Compile a whole C++ file with Warp's clang to an object for `runtime.load_object`.

    The compiler prints errors to the standard streams of the process.

    Args:
        text: the content of the file.
        result: the path of the object.
        headers: a folder whose ``builtin.h`` is included in place of Warp's, which it can include with ``#include_next``.
        block_dim: threads a block.
        flags: additional arguments for clang's front end.
        pch_folder: the folder in which clang keeps the precompiled header between calls.
        optimization: the level of optimization, 0 to 3.

    Returns:
        Whether the compiler accepted the text.
    """
    arguments = ["-I", str(NATIVE), *flags]
    array = (ctypes.c_char_p * (len(arguments) + 1))(*map(os.fsencode, arguments), None)
    precompile = pch_folder is not None
    code: int = warp_context.runtime.llvm.wp_compile_cpp(
        text.encode(), b"unit.cpp", os.fsencode(headers), os.fsencode(result), False, False, False, True,
        array, optimization, False, precompile, os.fsencode(pch_folder) if pch_folder else None, block_dim,
    )  # fmt: skip
    return code == 0
