"""Warp's private modules, imported once, after a check that this release of Warp is supported.

The other modules of this package import them from here. Outside this package only `accelerate` does, which replaces functions
of the modules in `PRIVATE`.
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

import warp as wp

from warpsmith.extraction.warp.supported import check_supported

check_supported(wp.__version__)

# Imported after the check: an unsupported Warp ends in a clear message instead of an AttributeError.
warp_build: Any = importlib.import_module("warp._src.build")
warp_codegen: Any = importlib.import_module("warp._src.codegen")
warp_context: Any = importlib.import_module("warp._src.context")
warp_types: Any = importlib.import_module("warp._src.types")
warp_jax: Any = importlib.import_module("warp._src.jax.ffi")

PRIVATE: dict[str, ModuleType] = {
    "codegen": warp_codegen,
    "context": warp_context,
    "types": warp_types,
    "builtins": importlib.import_module("warp._src.builtins"),
}
"""The modules in which `accelerate` replaces functions, by the name that paths of functions start with."""
