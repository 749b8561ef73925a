"""CUDA kernels on a CPU: a SIMT machine runs the PTX that NVRTC writes, with checks and counts. No GPU or driver is needed.

All names are loaded at first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpsmith.core.lazy import lazy_names

if TYPE_CHECKING:  # the lazy names, for type checkers and editors
    __version__: str

__all__ = ["__version__"]

__getattr__, __dir__ = lazy_names(__name__, {})
