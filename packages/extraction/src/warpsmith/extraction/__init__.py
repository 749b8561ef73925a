"""Extraction of pairs from Warp kernels: the Python of a kernel and the C++ and CUDA code that Warp generates for it.

`extract_ir` returns the generated code of one kernel, `extract_pair` returns a whole record, and `capture` observes the kernels
that a program launches. They are loaded at first use: importing Warp takes a second, which ``--help`` does not need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpsmith.core.lazy import lazy_names
from warpsmith.core.records.ir import Code, KernelIR
from warpsmith.core.records.pair import Pair
from warpsmith.extraction.codegen.unsaved import explain_unsaved_kernels

if TYPE_CHECKING:  # the lazy names, for type checkers and editors
    from warpsmith.extraction.capturing.capture_session import capture
    from warpsmith.extraction.codegen.extract import extract_ir
    from warpsmith.extraction.harvest import extract_pair

    __version__: str

__all__ = ["Code", "KernelIR", "Pair", "__version__", "capture", "extract_ir", "extract_pair"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "capture": "warpsmith.extraction.capturing.capture_session",
        "extract_ir": "warpsmith.extraction.codegen.extract",
        "extract_pair": "warpsmith.extraction.harvest",
    },
)

explain_unsaved_kernels()
