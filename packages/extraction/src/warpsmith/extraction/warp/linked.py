"""Functions of libmathdx, which CUDA texts call: Warp compiles them while it generates the text.

Compiling one takes about seven seconds and 1.5 GB, and writes files. The text contains only the name of the function and, for
Fourier transforms, the shared memory that it needs.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from warpsmith.extraction.warp.private import warp_build


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
        others = (functions.get(symbol, 0) if suffix == ".meta" else b"" for suffix in extra_files or {})
        return (symbol in functions, b"", *others)

    compile_function, warp_build._build_lto_base = warp_build._build_lto_base, find
    try:
        yield
    finally:
        warp_build._build_lto_base = compile_function
