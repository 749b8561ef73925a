"""What the scorer and its workers exchange: arrays and launches as JSON. Whatever a worker answers is checked."""

from __future__ import annotations

import base64
import binascii
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
import numpy as np

from warpsmith.core.inputs.values import Values, leaves
from warpsmith.core.records.launch import Launch
from warpsmith.scoring.judging.trials import Trial
from warpsmith.validation.running.outputs import LaunchOutputs

READ = "warpsmith.scoring.judging.answer_reader:read_texts"
RUN = "warpsmith.scoring.judging.answer_runner:run_texts"
COMPILE_PLAIN = "warpsmith.scoring.judging.plain.plain_compiling:compile_plain"
RUN_PLAIN = "warpsmith.scoring.judging.plain.plain_runner:run_plain"
"""The tasks of a worker: to read answers, to compile and launch them, and for plain CUDA to compile and to launch them."""

MACHINE, UNSUPPORTED = "machine", "unsupported"
"""Stages of a rejection that are none of an answer's: the machine prevented the judgement, or the emulation lacks something."""

Arrays = dict[str, Values]


class NonsenseError(Exception):
    """A worker answered something that is no answer to the request."""


def from_arrays(arrays: Mapping[str, Values]) -> dict[str, Any]:
    """Return arrays as JSON."""
    return {
        name: [value.dtype.str, list(value.shape), base64.b64encode(np.ascontiguousarray(value).tobytes()).decode()]
        for name, value in arrays.items()
    }


def to_arrays(content: Mapping[str, Any]) -> Arrays:
    """Return the arrays in trusted JSON."""
    return {
        name: np.frombuffer(base64.b64decode(data), np.dtype(dtype)).reshape(shape).copy()
        for name, (dtype, shape, data) in content.items()
    }


def from_trial(trial: Trial, shapes: Sequence[int]) -> dict[str, Any]:
    """Return a trial as JSON, for the shapes of grids with the numbers ``shapes``."""
    return {
        "launch": msgspec.to_builtins(trial.launch),
        "values": from_arrays(trial.values),
        "gradients": from_arrays(trial.gradients),
        "shapes": list(shapes),
    }


def to_trial(content: Mapping[str, Any]) -> Trial:
    """Return a trial from the scorer's JSON."""
    launch = msgspec.convert(content["launch"], Launch)
    return Trial("", launch, to_arrays(content["values"]), to_arrays(content["gradients"]), tuple(content["shapes"]))


def from_outputs(outputs: LaunchOutputs) -> str:
    """Return the bytes of all arrays in a fixed order, as text; `to_outputs` knows their types and shapes."""
    groups = (outputs.arrays, outputs.gradients, outputs.rewritten)
    content = b"".join(np.ascontiguousarray(group[name]).tobytes() for group in groups for name in sorted(group))
    return base64.b64encode(content).decode()


def to_outputs(content: Any, trial: Trial, backward: bool, double: bool = False) -> LaunchOutputs:
    """Return the outputs in a worker's answer.

    Args:
        content: the answer.
        trial: the launch, which determines types and shapes.
        backward: whether the backward pass ran.
        double: whether floats of single precision have become double.

    Raises:
        NonsenseError: if the answer has another length or is no text.
    """
    try:
        raw = base64.b64decode(content, validate=True)
    except (TypeError, ValueError, binascii.Error):
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
