"""Synthesis of Warp kernels: random, valid and realistic kernels by seed, with the C++ and CUDA code that Warp generates.

`generate` returns one pair, and `pairs` yields an endless sequence. All names are loaded at first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpsmith.core.lazy import lazy_names

if TYPE_CHECKING:  # the lazy names, for type checkers and editors
    from warpsmith.core.records.pair import Pair
    from warpsmith.synthesis.api import generate, pairs

    __version__: str

__all__ = ["Pair", "__version__", "generate", "pairs"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Pair": "warpsmith.core.records.pair",
        "generate": "warpsmith.synthesis.api",
        "pairs": "warpsmith.synthesis.api",
    },
)
