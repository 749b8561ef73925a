"""What a launch leaves, and its form as bytes, whose lengths follow from the pair's ``launch`` alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from warpsmith.core.inputs.values import Values, leaves
from warpsmith.core.records.launch import Argument, Launch


@dataclass(frozen=True, slots=True)
class Results:
    """The arrays after a launch.

    Attributes:
        outputs: every array that the kernel writes, after the forward pass.
        gradients: the gradient of every array of floats that it reads; empty without a backward pass.
    """

    outputs: dict[str, Values]
    gradients: dict[str, Values]


def output_leaves(launch: Launch) -> list[Argument]:
    """Return the arrays that a kernel writes."""
    return [leaf for leaf in leaves(launch) if leaf.kind != "value" and leaf.role != "input"]


def float_leaves(launch: Launch, values: Mapping[str, Values]) -> list[Argument]:
    """Return the arrays that have gradients."""
    return [leaf for leaf in leaves(launch) if leaf.kind == "array" and values[leaf.name].dtype.kind == "f"]


def select(
    launch: Launch, values: Mapping[str, Values], outputs: Mapping[str, Values], gradients: Mapping[str, Values]
) -> Results:
    """Return the results among all ``outputs`` and ``gradients`` of a launch; no gradients mean that none were computed."""
    read = [leaf.name for leaf in float_leaves(launch, values) if leaf.role == "input"] if gradients else []
    return Results({leaf.name: outputs[leaf.name] for leaf in output_leaves(launch)}, {name: gradients[name] for name in read})


def empty_results(launch: Launch, values: Mapping[str, Values], backward: bool) -> Results:
    """Return arrays of the types and shapes that the results of a launch have."""
    return select(launch, values, values, values if backward else {})


def size_of(like: Results) -> int:
    """Return the number of bytes of results with the types and shapes of ``like``."""
    return sum(array.nbytes for array in _arrays(like))


def to_bytes(results: Results, like: Results) -> bytes:
    """Return the bytes of ``results``, which have the types and shapes of ``like``.

    Raises:
        ValueError: if a type or shape differs.
    """
    parts = []
    for kind, name, expected in _named(like):
        array = getattr(results, kind)[name]
        if (array.shape, array.dtype) != (expected.shape, expected.dtype):
            raise ValueError(f"{name} is an array of {array.dtype}{array.shape}, not of {expected.dtype}{expected.shape}")
        parts.append(np.ascontiguousarray(array).tobytes())
    return b"".join(parts)


def from_bytes(content: bytes, like: Results) -> Results:
    """Return the results with the types and shapes of ``like`` that ``content`` contains; its length is `size_of` them."""
    read, start = Results({}, {}), 0
    for kind, name, expected in _named(like):
        array = np.frombuffer(content, expected.dtype, expected.size, start).reshape(expected.shape)
        getattr(read, kind)[name] = array
        start += array.nbytes
    return read


def _named(results: Results) -> Iterator[tuple[str, str, Values]]:
    for kind in ("outputs", "gradients"):
        for name, array in getattr(results, kind).items():
            yield kind, name, array


def _arrays(results: Results) -> Iterator[Values]:
    return (array for _, _, array in _named(results))
