"""Functions of libmathdx, which CUDA texts call: Warp compiles them while it generates the text.

Compiling one takes about seven seconds and 1.5 GB, and writes files. The text contains only the name of the function and, for
Fourier transforms, the shared memory that it needs.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from warpsmith.core.records import text_format
from warpsmith.extraction.warp.private import warp_build


def linked_functions(cuda_forward: str | None) -> dict[str, int]:
    """Return the functions of libmathdx that a CUDA text calls, and the bytes of shared memory that each needs, if known."""
    text = cuda_forward or ""
    if text_format.LINKED_LIBRARY not in text:
        return {}
    memory = {name: int(size) for name, size in text_format.FFT_MEMORY.findall(text)}
    return {name: memory.get(name, 0) for name in text_format.LINKED_FUNCTION.findall(text)}


@contextlib.contextmanager
def compiled_before(functions: Mapping[str, int]) -> Iterator[None]:
    """Let Warp generate texts inside the block without compiling functions of libmathdx: ``functions`` can be compiled.

    Args:
        functions: a result of `linked_functions`; Warp finds no other function, and refuses kernels that need one.
    """
    if not functions:
        yield
        return

    def find(symbol: str, _: Callable[..., Any], __: Any, extra_files: Mapping[str, Any] | None = None) -> tuple[Any, ...]:
        others = (functions.get(symbol, 0) if suffix == ".meta" else b"" for suffix in extra_files or {})
        return (symbol in functions, b"", *others)

    compile_function, warp_build._build_lto_base = warp_build._build_lto_base, find
    try:
        yield
    finally:
        warp_build._build_lto_base = compile_function
