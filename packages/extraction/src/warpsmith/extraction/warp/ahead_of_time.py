"""Compilation of a given text by Warp's ahead-of-time compiler, in place of the text that Warp generates for a kernel."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import warp as wp

from warpsmith.extraction.warp import codegen
from warpsmith.extraction.warp.private import warp_context


def compile_text(kernel: Any, text: str, target: str, folder: Path, *, shared_memory: int = 0, **where: Any) -> None:
    """Compile ``text`` as Warp compiles the module of ``kernel``; ``wp.load_aot_module`` loads the result.

    Architecture, options, file names and the compiler are those of ``wp.compile_aot_module``; only the text is another.

    Args:
        kernel: a kernel with the name and the parameters of the kernel in the text; it is alone in its module.
        text: the code without the preamble.
        target: ``"cpu"`` or ``"cuda"``.
        folder: an empty folder for the files of the module.
        shared_memory: bytes of dynamic shared memory that each block of threads gets on a CUDA device.
        where: the ``device``, or the ``arch`` and other arguments of ``wp.compile_aot_module``.

    Raises:
        Exception: any exception of Warp for a text that does not compile.
    """
    module = kernel.module
    source = codegen.preamble(target, text, dict(module.resolve_options(wp.config))) + text
    with _generating(source, shared_memory):
        wp.compile_aot_module(module, module_dir=folder, strip_hash=True, **where)


@contextlib.contextmanager
def _generating(text: str, shared_memory: int) -> Iterator[None]:
    """Let Warp's generator return ``text`` inside the block."""
    builder = warp_context.ModuleBuilder
    generate, describe = builder.codegen, builder.build_meta
    builder.codegen = lambda *_: text
    builder.build_meta = lambda self: dict.fromkeys(describe(self), shared_memory)
    try:
        yield
    finally:
        builder.codegen, builder.build_meta = generate, describe


def largest_shared_memory(device: str) -> int:
    """Return how many bytes of shared memory a block may have on ``device``; 0 for the CPU."""
    size: int = wp.get_device(device).max_shared_memory_per_block if device != "cpu" else 0
    return size
