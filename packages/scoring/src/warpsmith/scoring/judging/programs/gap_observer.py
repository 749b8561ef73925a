"""Copies of the variables of a gap before and after its statements, while a program runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import warp as wp

from warpsmith.scoring.judging.programs.program_effects import GapEffect
from warpsmith.validation.programs.observed_program import ArrayContent, content_of

GAP_RUNS = 2
"""The runs of a gap that are kept."""


@dataclass
class GapObserver:
    """Receives variables before the statements of a gap, and reads their arrays behind it.

    Attributes:
        runs: the first runs of the statements.
    """

    runs: list[GapEffect] = field(default_factory=list)
    _values: Mapping[str, Any] | None = None
    _before: dict[str, ArrayContent] = field(default_factory=dict)

    def started(self, /, **values: Any) -> None:
        """Copy variables before the statements."""
        if len(self.runs) < GAP_RUNS:
            self._values, self._before = values, _contents(values)

    def ended(self) -> None:
        """Copy the arrays after the statements: the memory that they had before, whatever the names are now."""
        if self._values is None:
            return
        arrays = {name: value for name, value in self._values.items() if isinstance(value, wp.array)}
        self.runs.append(GapEffect(self._before, _contents(arrays), _problem(self._values, arrays, self._before)))
        self._values = None


def numbers_of(value: Any) -> ArrayContent | None:
    """Return numbers, lists of numbers and arrays as contents; None for anything else."""
    try:
        values = np.asarray(value.numpy() if isinstance(value, wp.array) else value)
    except (ValueError, TypeError, RuntimeError):
        return None
    return content_of(values) if values.dtype.kind in "fiub" else None


def _contents(values: Mapping[str, Any]) -> dict[str, ArrayContent]:
    return {name: content for name, value in values.items() if (content := numbers_of(value)) is not None}


def _problem(values: Mapping[str, Any], arrays: Mapping[str, Any], before: Mapping[str, ArrayContent]) -> str:
    """Return why a function with pointers cannot receive variables; empty if it can."""
    missing = [name for name in values if name not in before]
    missing += [name for name, array in arrays.items() if not array.is_contiguous]
    memory = [array.ptr for array in arrays.values() if array.size]
    if len(set(memory)) < len(memory):
        missing.append("one of two names of an array")
    return f"{missing[0]} has no memory of its own, or no contents" if missing else ""
