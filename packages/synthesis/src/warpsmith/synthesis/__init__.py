"""Synthesis of Warp kernels: random, valid and realistic kernels by seed, with the C++ and CUDA code that Warp generates.

`generate` returns one pair, `generate_program` one program, and `pairs` yields an endless sequence of pairs. All
names are loaded at first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpsmith.core.lazy import lazy_names

if TYPE_CHECKING:  # the lazy names, for type checkers and editors
    from warpsmith.core.records.pair import Pair
    from warpsmith.core.records.program_record import ProgramRecord
    from warpsmith.synthesis.api import generate, generate_program, pairs

    __version__: str

__all__ = ["Pair", "ProgramRecord", "__version__", "generate", "generate_program", "pairs"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Pair": "warpsmith.core.records.pair",
        "ProgramRecord": "warpsmith.core.records.program_record",
        "generate": "warpsmith.synthesis.api",
        "generate_program": "warpsmith.synthesis.api",
        "pairs": "warpsmith.synthesis.api",
    },
)
