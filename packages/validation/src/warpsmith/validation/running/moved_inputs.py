"""How far results move with the inputs of a launch: what rounding decides although double precision may not show it.

Two triangles are as near as each other, a sum is compared with its limit, or a gradient is zero up to rounding. And a device
interpolates textures with less exact weights than a CPU.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from warpsmith.core.inputs.values import Values, objects
from warpsmith.core.records.launch import Launch

MOVED_RUNS = 32
"""How often a launch runs with inputs that are moved."""

ROUNDINGS = 4
"""How far floats are moved, in units in the last place: as far as rounding may move a value that is compared."""

TEXTURE_STEP = 2.0**-9
"""How far texels are moved, relative to their range.

A device interpolates with weights of eight fractional bits (CUDA programming guide, "Linear Filtering"): it errs by half of the
last one.
"""


def moved_inputs(launch: Launch, values: Mapping[str, Values]) -> Iterator[dict[str, Values]]:
    """Yield the values of a launch several times, with each float moved up or down; always the same."""
    textures = {argument.name for argument in objects(launch) if argument.kind == "texture"}
    stream = np.random.default_rng(0)
    for _ in range(MOVED_RUNS):
        yield {name: _moved(value, name in textures, stream) for name, value in values.items()}


def _moved(values: Values, is_texture: bool, stream: np.random.Generator) -> Values:
    if values.dtype.kind != "f" or values.size == 0:
        return values
    steps = TEXTURE_STEP * np.ptp(values) if is_texture else ROUNDINGS * np.spacing(np.abs(values))
    moved: Values = (values + steps * stream.choice((-1, 1), values.shape)).astype(values.dtype)
    return moved


def largest_changes(expected: Mapping[str, Values], moved: Iterable[Mapping[str, Values]]) -> dict[str, Values]:
    """Return the largest change of each element, by array.

    Args:
        expected: the arrays without moved inputs.
        moved: the same arrays of each run with moved inputs.
    """
    changes = {name: np.zeros(array.shape) for name, array in expected.items()}
    for arrays in moved:
        for name, array in expected.items():
            with np.errstate(invalid="ignore"):
                change = np.abs(arrays[name].astype(np.float64) - array.astype(np.float64))
            changes[name] = np.maximum(changes[name], np.nan_to_num(change, nan=np.inf))
    return changes
