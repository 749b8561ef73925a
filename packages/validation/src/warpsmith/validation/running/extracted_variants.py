"""Variants of the launch of an extracted kernel: floats change, and all that gives them a meaning stays.

Sizes, counts, indices and other integers are those of the pair's own launch, and so are the arrays that objects are built from.
Floats are drawn again from their domain. Stored floats move a little within their range: zeros and signs stay.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from warpsmith.core.inputs.launch_objects import is_stored
from warpsmith.core.inputs.values import Values, generator, leaves, make_inputs
from warpsmith.core.records.launch import Argument, Launch

DRAWS = tuple(range(1, 7))
"""The numbers of the draws."""

MOVE = 0.02
"""The largest change of a stored float, relative to its value."""

LARGE = 1 << 14
"""The most threads of a launch with all variants: each variant of a larger one shows more, and takes longer."""

FEW = 2
"""How many variants larger launches have."""


def extracted_variants(launch: Launch, launch_values: Mapping[str, Values], identity: str) -> Iterator[dict[str, Values]]:
    """Yield other values for a launch.

    Args:
        launch: the launch.
        launch_values: the values of the pair's launch.
        identity: determines the values.
    """
    floats = [leaf for leaf in leaves(launch) if launch_values[leaf.name].dtype.kind == "f"]
    for draw in DRAWS if math.prod(launch.dim) <= LARGE else DRAWS[:FEW]:
        drawn = make_inputs(launch, f"{identity}/draw {draw}")
        varied = {
            leaf.name: _varied(leaf, launch_values[leaf.name], drawn[leaf.name], f"{identity}/move {draw}") for leaf in floats
        }
        yield {**launch_values, **varied}


def ends(launch: Launch, launch_values: Mapping[str, Values], identity: str) -> list[dict[str, Values]]:
    """Return values between which and those of the launch comparisons may turn, in any thread.

    The numbers of all arrays are their largest ones, their least ones, or either; or elements change places. Numbers that are
    not finite stay.
    """
    random = generator(f"{identity}/ends")
    floats = {leaf.name: launch_values[leaf.name] for leaf in leaves(launch) if leaf.role == "input" and leaf.shape}
    floats = {name: values for name, values in floats.items() if np.isfinite(values).any() and values.dtype.kind == "f"}
    ends = [{name: _extreme(values, random, share) for name, values in floats.items()} for share in (1.0, 0.0, 0.5)]
    return [{**launch_values, **end} for end in (*ends, {name: _shuffled(values, random) for name, values in floats.items()})]


def _extreme(values: Values, random: np.random.Generator, share: float) -> Values:
    """Return an array whose finite numbers are its largest one, for a share of them, or its least one."""
    finite = values[np.isfinite(values)]
    chosen = np.where(random.random(values.shape) < share, finite.max(), finite.min())
    return np.asarray(np.where(np.isfinite(values), chosen, values), values.dtype)


def _shuffled(values: Values, random: np.random.Generator) -> Values:
    """Return an array with its elements in another order, of those whose numbers are all finite."""
    rows = values.reshape(len(values), -1)
    places = np.flatnonzero(np.isfinite(rows).all(axis=1))
    moved = rows.copy()
    moved[places] = rows[random.permutation(places)]
    return np.asarray(moved.reshape(values.shape), values.dtype)


def _varied(leaf: Argument, values: Values, drawn: Values, key: str) -> Values:
    if not is_stored(leaf):
        return drawn
    return values if leaf.role == "output" else _moved(values, generator(f"{key}/{leaf.name}"))


def _moved(values: Values, random: np.random.Generator) -> Values:
    """Return values that are slightly different, but not beyond the least and the largest one."""
    finite = values[np.isfinite(values)]
    if not finite.size:
        return values
    factors = 1.0 + MOVE * random.uniform(-1.0, 1.0, values.shape)
    with np.errstate(invalid="ignore", over="ignore"):
        moved = np.clip(values * factors, finite.min(), finite.max())
    return np.where(np.isfinite(values), moved, values).astype(values.dtype)
