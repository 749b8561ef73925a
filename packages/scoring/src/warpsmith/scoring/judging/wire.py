"""Arrays, launches and outputs in the messages between the scorer and its workers. Outputs from a worker are checked."""

from __future__ import annotations

import base64
import binascii
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from warpsmith.core.inputs.values import Values, leaves
from warpsmith.core.records.launch import Launch
from warpsmith.scoring.judging.trials import Trial
from warpsmith.scoring.judging.worker_messages import EncodedArray, EncodedTrial, NonsenseError
from warpsmith.validation.running.outputs import LaunchOutputs

Arrays = dict[str, Values]


def from_arrays(arrays: Mapping[str, Values]) -> dict[str, EncodedArray]:
    """Return arrays as text."""
    return {
        name: EncodedArray(value.dtype.str, value.shape, base64.b64encode(np.ascontiguousarray(value).tobytes()).decode())
        for name, value in arrays.items()
    }


def to_arrays(encoded: Mapping[str, EncodedArray]) -> Arrays:
    """Return the arrays that the scorer has sent."""
    return {
        name: np.frombuffer(base64.b64decode(array.data), np.dtype(array.dtype)).reshape(array.shape).copy()
        for name, array in encoded.items()
    }


def from_trial(trial: Trial, shapes: Sequence[int]) -> EncodedTrial:
    """Return a trial as the scorer sends it, for the shapes of grids with the numbers ``shapes``."""
    return EncodedTrial(trial.launch, from_arrays(trial.values), from_arrays(trial.gradients), tuple(shapes))


def to_trial(encoded: EncodedTrial) -> Trial:
    """Return the trial that the scorer has sent."""
    return Trial("", encoded.launch, to_arrays(encoded.values), to_arrays(encoded.gradients), encoded.shapes)


def from_outputs(outputs: LaunchOutputs) -> str:
    """Return the bytes of all arrays in a fixed order, as text; `to_outputs` knows their types and shapes."""
    groups = (outputs.arrays, outputs.gradients, outputs.rewritten)
    content = b"".join(np.ascontiguousarray(group[name]).tobytes() for group in groups for name in sorted(group))
    return base64.b64encode(content).decode()


def to_outputs(content: str | None, trial: Trial, backward: bool, double: bool = False) -> LaunchOutputs:
    """Return the outputs in a worker's answer.

    Args:
        content: the text of `from_outputs`; None if the worker has sent no text.
        trial: the launch, which determines types and shapes.
        backward: whether the backward pass ran.
        double: whether floats of single precision have become double.

    Raises:
        NonsenseError: if the answer has another length or is no Base64.
    """
    if not isinstance(content, str):
        raise NonsenseError
    try:
        raw = base64.b64decode(content, validate=True)
    except (ValueError, binascii.Error):
        raise NonsenseError from None
    names = array_names(trial.launch)
    groups: tuple[Iterable[str], ...] = (names, sorted(trial.gradients), names) if backward else (names,)
    likes = [(name, _like(trial.values[name], double)) for group in groups for name in group]
    if len(raw) != sum(dtype.itemsize * math.prod(shape) for _, (dtype, shape) in likes):
        raise NonsenseError
    arrays, start = [], 0
    for _, (dtype, shape) in likes:
        count = math.prod(shape)
        arrays.append(np.frombuffer(raw, dtype, count, start).reshape(shape))
        start += dtype.itemsize * count
    found = iter(arrays)
    filled = [{name: next(found) for name in group} for group in groups]
    return LaunchOutputs(filled[0], *(filled[1:] if backward else ({}, {})))


def array_names(launch: Launch) -> list[str]:
    """Return the names of the leaves that are arrays, sorted."""
    return sorted(leaf.name for leaf in leaves(launch) if leaf.kind != "value")


def _like(value: Values, double: bool) -> tuple[np.dtype[Any], tuple[int, ...]]:
    narrow = value.dtype.kind == "f" and value.dtype.itemsize < 8
    return (np.dtype(np.float64) if double and narrow else value.dtype), value.shape
