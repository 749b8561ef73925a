"""warpsmith.extraction: Warp kernels to pairs of Python and generated C++ and CUDA code.

Names are loaded at first use, so that ``--help`` and the readers of datasets do not wait for Warp.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from warpsmith.core.records.pair import Pair
    from warpsmith.extraction.extract import KernelIR, extract_ir
    from warpsmith.extraction.split import Code

__all__ = ["Code", "KernelIR", "Pair", "extract_ir"]

_HOME = {"KernelIR": "extract", "extract_ir": "extract", "Pair": "record", "Code": "split"}


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(f"warpsmith.extraction.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
