"""Synthesis of Warp kernels: random, valid and realistic kernels by seed, with the C++ and CUDA code that Warp generates.

`generate` returns one pair, and `pairs` yields an endless sequence. All names are loaded at first use.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # the lazy names, for type checkers and editors
    from warpsmith.core.records.pair import Pair
    from warpsmith.synthesis.api import generate, pairs

__version__ = "0.1.0"

__all__ = ["Pair", "__version__", "generate", "pairs"]

_LAZY = {
    "Pair": "warpsmith.core.records.pair",
    "generate": "warpsmith.synthesis.api",
    "pairs": "warpsmith.synthesis.api",
}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(importlib.import_module(_LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
