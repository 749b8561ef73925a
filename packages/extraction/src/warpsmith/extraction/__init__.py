"""Extraction of pairs from Warp kernels: the Python of a kernel and the C++ and CUDA code that Warp generates for it.

`extract_ir` returns the generated code of one kernel, `extract_pair` returns a whole record. Both are loaded at first use:
importing Warp takes a second, which ``--help`` does not need.
"""

from __future__ import annotations

import importlib
from importlib import metadata
from typing import TYPE_CHECKING, Any

from warpsmith.core.records.ir import Code, KernelIR
from warpsmith.core.records.pair import Pair

if TYPE_CHECKING:  # the lazy names, for type checkers and editors
    from warpsmith.extraction.extract import extract_ir
    from warpsmith.extraction.harvest import extract_pair

    __version__: str

__all__ = ["Code", "KernelIR", "Pair", "__version__", "extract_ir", "extract_pair"]

_LAZY = {"extract_ir": "warpsmith.extraction.extract", "extract_pair": "warpsmith.extraction.harvest"}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return metadata.version("warpsmith-extraction")
    if name in _LAZY:
        return getattr(importlib.import_module(_LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
