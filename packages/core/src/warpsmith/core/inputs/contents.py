"""The stored values of a launch, checked: each belongs to an argument, has its size and range, and makes sense for objects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.elements import element
from warpsmith.core.inputs.launch_objects import MAX_DISTANCE, build_of, is_stored
from warpsmith.core.inputs.stored import decode_values
from warpsmith.core.records.launch import Argument, Domain

ROUNDING = 1.0e-6
"""How far a stored number may be outside of the range of its domain, relative to the larger end."""

_Numbers = npt.NDArray[Any]


def decoded(arrays: Sequence[Argument], objects: Sequence[Argument], stored: Mapping[str, str]) -> dict[str, _Numbers]:
    """Return the stored values of a launch by leaf.

    Args:
        arrays: the leaves with values of their own, including the arrays that objects are built from.
        objects: the objects of the launch.
        stored: the texts by leaf.

    Raises:
        WarpsmithError: if a leaf has no stored values, stored values belong to no leaf, or values do not fit their leaf.
    """
    wanted = {leaf.name: leaf for leaf in arrays if is_stored(leaf)}
    if missing := sorted(wanted.keys() - stored.keys()):
        raise WarpsmithError(f"argument {missing[0]!r}: no stored values")
    if surplus := sorted(stored.keys() - wanted.keys()):
        raise WarpsmithError(f"stored values of {surplus[0]!r:.80}, which no argument of domain 'stored' needs")
    values = {name: _decoded(leaf, stored[name]) for name, leaf in wanted.items()}
    for argument in objects:
        for problem in _object_problems(argument, values):
            raise WarpsmithError(f"argument {argument.name!r}: {problem}")
    return values


def _decoded(leaf: Argument, text: str) -> _Numbers:
    scalar, inner = element(leaf.dtype)
    halves = leaf.kind == "indexed_array"  # only the selected elements are stored
    shape = tuple(length // 2 for length in leaf.shape) if halves else leaf.shape
    try:
        values = decode_values(text, scalar, (*shape, *inner))
    except WarpsmithError as error:
        raise WarpsmithError(f"argument {leaf.name!r}: {error}") from None
    if leaf.domain is not None and not _is_within(values, leaf.domain):
        raise WarpsmithError(f"argument {leaf.name!r}: stored values beyond [{leaf.domain.low:g}, {leaf.domain.high:g}]")
    return values


def _is_within(values: _Numbers, domain: Domain) -> bool:
    finite = values[np.isfinite(values)]
    if not finite.size:
        return True
    least, largest = finite.min().item(), finite.max().item()
    slack = ROUNDING * max(abs(domain.low), abs(domain.high)) if values.dtype.kind == "f" else 0
    return bool(domain.low - slack <= least and largest <= domain.high + slack)


def _object_problems(argument: Argument, values: Mapping[str, _Numbers]) -> Iterator[str]:
    """Yield each reason why an object cannot be built from stored values."""
    name = argument.name
    if argument.kind == "hash_grid":
        points = values.get(build_of(argument).points or f"{name}.points")
        if points is not None and not _are_near([points], MAX_DISTANCE * min(build_of(argument).width, 1.0)):
            yield "points that are not finite, or too far away for cells of that width"
    if not is_stored(argument):
        return
    parts = [content for key, content in values.items() if key == name or key.startswith(f"{name}.")]
    if not _are_near(parts, MAX_DISTANCE):
        yield f"values that are not finite, or beyond {MAX_DISTANCE:g}"
    if argument.kind == "mesh":
        indices, count = values[f"{name}.indices"], argument.shape[0]
        if indices.min() < 0 or indices.max() >= count:
            yield f"indices from {indices.min()} to {indices.max()} for {count} points"
    elif argument.kind == "bvh" and np.any(values[f"{name}.lowers"] > values[f"{name}.uppers"]):
        yield "boxes whose lower corner is above the upper one"


def _are_near(parts: Iterable[_Numbers], limit: float) -> bool:
    return all(bool(np.all(np.abs(part.astype(np.float64)) <= limit)) for part in parts)  # false for NaN
