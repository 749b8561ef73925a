"""Validation of pairs: verdicts on the Python of a kernel and on the C++ and CUDA code that Warp generates for it.

`validate` checks pairs once; `Validator` keeps a sandboxed worker between calls. Both are loaded at first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpsmith.core.lazy import lazy_names
from warpsmith.core.records.verdict import Verdict

if TYPE_CHECKING:  # the lazy names, for type checkers and editors
    from warpsmith.validation.validator import Validator, validate

    __version__: str

__all__ = ["Validator", "Verdict", "__version__", "validate"]

__getattr__, __dir__ = lazy_names(
    __name__, {"Validator": "warpsmith.validation.validator", "validate": "warpsmith.validation.validator"}
)
