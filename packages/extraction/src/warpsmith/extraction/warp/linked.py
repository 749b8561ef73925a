"""Functions of libmathdx, which CUDA texts call: Warp compiles them while it generates the text.

Compiling one takes about seven seconds and 1.5 GB, and writes files. The text contains only the name of the function and, for
Fourier transforms, the shared memory that it needs.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import warnings
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, TypeAlias

from warpsmith.extraction.warp.private import warp_build

Compiled: TypeAlias = tuple[bool, dict[str, bytes | int]]
"""Whether a function could be compiled, and its files by their suffix; the number in a file of numbers."""


@contextlib.contextmanager
def compiled_in_forks() -> Iterator[None]:
    """Let Warp compile functions of libmathdx in forks of this process inside the block: libmathdx keeps its memory."""
    before = warp_build._build_lto_base

    def build(symbol: str, compile_function: Callable[..., Compiled], *arguments: Any) -> tuple[Any, ...]:
        result: tuple[Any, ...] = before(symbol, partial(_in_fork, compile_function), *arguments)
        return result

    warp_build._build_lto_base = build if hasattr(os, "fork") else before
    try:
        yield
    finally:
        warp_build._build_lto_base = before


def _in_fork(compile_function: Callable[..., Compiled], paths: Mapping[str, str]) -> Compiled:
    """Return what a function returns in a fork; if the fork ends without a result, the function is called here."""
    output, result = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # JAX and Python 3.12 warn of forks of processes with threads
        process = os.fork()
    if not process:
        try:
            with os.fdopen(result, "wb") as file:
                pickle.dump(compile_function(paths), file)
        finally:
            os._exit(0)
    os.close(result)
    with os.fdopen(output, "rb") as file:
        content = file.read()
    os.waitpid(process, 0)
    try:
        compiled: Compiled = pickle.loads(content)  # noqa: S301 - a fork of this process wrote it
    except (EOFError, pickle.UnpicklingError):
        return compile_function(paths)
    return compiled


@contextlib.contextmanager
def compiled_before(functions: Mapping[str, int]) -> Iterator[None]:
    """Let Warp generate texts inside the block without compiling functions of libmathdx: ``functions`` can be compiled.

    Args:
        functions: a result of `warpsmith.core.records.text_format.linked_functions`. Warp finds no other function, and refuses
            kernels that need one.
    """
    if not functions:
        yield
        return

    def find(symbol: str, _: Callable[..., Any], __: Any, extra_files: Mapping[str, Any] | None = None) -> tuple[Any, ...]:
        contents = (functions.get(symbol, 0) if suffix == ".meta" else b"" for suffix in extra_files or {})
        return (symbol in functions, b"", *contents)

    compile_function, warp_build._build_lto_base = warp_build._build_lto_base, find
    try:
        yield
    finally:
        warp_build._build_lto_base = compile_function
