"""Changes of outputs between two launches, by element, times the seeds: their sums, and corners between them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from warpsmith.core.inputs.values import Values

Changes = Mapping[str, Values]
"""The change of each element of the outputs, by name."""


def total(changes: Changes) -> tuple[float, float]:
    """Return the sum of all elements, and that of their absolute values."""
    with np.errstate(invalid="ignore"):
        found = sum(float(change.sum()) for change in changes.values())
    return found, sum(size(change) for change in changes.values())


def size(change: Values) -> float:
    """Return the sum of the absolute values of the elements of one output."""
    return float(np.abs(change).sum())


def corner_of(near: tuple[Changes, Changes], far: tuple[Changes, Changes]) -> float:
    """Return by how much the slopes of outputs to both sides differ, in all elements: corners do not cancel each other.

    The sides differ by curvature in proportion to the step, which cancels here; at a corner they differ with any step.

    Args:
        near: the changes above and below the point, over half of the step.
        far: those over the step.
    """
    return sum(size(2.0 * (near[0][name] - near[1][name]) - (far[0][name] - far[1][name])) for name in near[0])
