"""Validation of pairs: verdicts on the Python of a kernel and on the C++ and CUDA code that Warp generates for it.

`validate` checks pairs once; `Validator` keeps a sandboxed worker between calls; `reduce_pair` shrinks a pair that fails. They
are loaded at first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpsmith.core.lazy import lazy_names
from warpsmith.core.records.verdict import Verdict

if TYPE_CHECKING:  # the lazy names, for type checkers and editors
    from warpsmith.validation.reduction.search import Reduction, reduce_pair
    from warpsmith.validation.validator import Validator, validate

    __version__: str

__all__ = ["Reduction", "Validator", "Verdict", "__version__", "reduce_pair", "validate"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Reduction": "warpsmith.validation.reduction.search",
        "Validator": "warpsmith.validation.validator",
        "reduce_pair": "warpsmith.validation.reduction.search",
        "validate": "warpsmith.validation.validator",
    },
)
