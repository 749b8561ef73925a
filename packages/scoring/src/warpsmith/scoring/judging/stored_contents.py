"""Recorded values of a captured launch for arrays of other shapes: they repeat, or the last ones are left out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from warpsmith.core.inputs.elements import element
from warpsmith.core.inputs.launch_objects import is_stored
from warpsmith.core.inputs.stored import encode_values
from warpsmith.core.inputs.values import leaves, make_inputs
from warpsmith.core.records.launch import Launch


def with_stored_contents(changed: Launch, recorded: Launch) -> Launch:
    """Return a launch whose recorded values fit its shapes.

    Args:
        changed: the launch with other shapes.
        recorded: the launch whose values were recorded.
    """
    stored = [leaf for leaf in leaves(changed) if is_stored(leaf)]
    if not stored:
        return changed
    values = make_inputs(recorded, "")
    contents = {leaf.name: np.resize(values[leaf.name], (*leaf.shape, *element(leaf.dtype)[1])) for leaf in stored}
    return replace(changed, stored={**changed.stored, **{name: encode_values(value) for name, value in contents.items()}})
