"""The sizes of seeds and directions by draw: seeds of all sizes, and in some draws equal shares of all inputs or outputs.

The tolerance of a draw is in proportion to what all inputs contribute to all outputs. An error in the gradient of an input that
contributes a thousandth is a thousand times smaller than one in the gradient of an input that contributes everything. Draws
after the first ones therefore move inputs with a large share less, or give outputs with a large share smaller seeds.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from warpsmith.core.inputs.values import Values

NATURAL = 3
"""How many draws move all inputs by the range of their values; they measure the shares."""

SIZES = (1.0, 1.0e3, 1.0e-3, 30.0, 1.0 / 30.0, 1.0, 1.0)
"""The sizes of the seeds, by draw. An adjoint is linear in the seeds; one that is clipped or flushed is not."""

LEAST = 1.0e-3
"""The least factor, beyond which the differences of other leaves would consist of rounding."""


def size_of(draw: int) -> float:
    """Return the size of the seeds of a draw."""
    return SIZES[draw % len(SIZES)]


def random_seeds(shape: tuple[int, ...], random: np.random.Generator, size: float = 1.0) -> Values:
    """Return numbers of both signs around a size."""
    return np.asarray(random.choice((-size, size), shape) * random.uniform(0.5, 1.5, shape))


def input_factors(shares: Mapping[str, float], draw: int) -> dict[str, float]:
    """Return the factors of the directions of leaves in a draw; leaves without an entry keep their direction."""
    return _equalized(shares) if draw >= NATURAL and draw % 2 == 1 else {}


def output_factors(shares: Mapping[str, float], draw: int) -> dict[str, float]:
    """Return the factors of the seeds of leaves in a draw; leaves without an entry keep their seeds."""
    return _equalized(shares) if draw >= NATURAL and draw % 2 == 0 else {}


def _equalized(shares: Mapping[str, float]) -> dict[str, float]:
    """Return factors after which all shares are equal, as far as none is below `LEAST`.

    Examples:
        >>> _equalized({"x": 0.9, "y": 0.09, "z": 0.0})
        {'x': 0.1, 'y': 1.0}
    """
    known = {name: share for name, share in shares.items() if share > 0.0}
    least = max(min(known.values(), default=0.0), LEAST)
    return {name: min(1.0, least / share) for name, share in known.items()}
