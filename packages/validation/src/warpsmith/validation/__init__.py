"""Validation of pairs: verdicts on the Python of a kernel and on the C++ and CUDA code that Warp generates for it.

`validate` checks pairs once; `Validator` keeps a sandboxed worker between calls. Both are loaded at first use.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from warpsmith.core.records.verdict import Verdict

if TYPE_CHECKING:  # the lazy names, for type checkers and editors
    from warpsmith.validation.validator import Validator, validate

__version__ = "0.1.0"

__all__ = ["Validator", "Verdict", "__version__", "validate"]

_LAZY = {"Validator": "warpsmith.validation.validator", "validate": "warpsmith.validation.validator"}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(importlib.import_module(_LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
