"""The size of a launch, from its record alone: what checks of it need, before any number is made."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from warpsmith.core.records.launch import Argument, Launch

MAX_DIMENSIONS = 4
"""The most dimensions of a launch and of an array in Warp."""

MAX_THREADS = 1 << 24
"""The most threads of a launch."""

MAX_ARGUMENTS = 1024
"""The most arguments of a launch, with the members of structs."""

MAX_DEPTH = 16
"""How deep structs are nested at most."""

COPIES = 224
"""How often memory holds an argument while a pair is checked.

There are 13 different launches of a pair, each with its inputs, and with outputs of the forward and the backward pass. Level
``emulate`` adds up to 17 launches with contents, gradients and copies between the passes, level ``gradient`` up to 15 in double
precision. The sum is measured: a worker that checked a large launch up to ``gradient`` took 203 copies.
"""

MANY_THREADS = 1 << 14
"""The most threads of a launch that is checked in all variants."""

FEW_COPIES = 100
"""The copies of an argument while a pair with more threads is checked: there are two variants instead of twelve."""

MAX_BYTES = 2 << 30
"""The most bytes that the arguments of a launch may take, with all `COPIES`: more than two million floats."""

_OBJECT_BYTES = 32
"""Bytes for one element of an object of Warp, such as a vertex with its share of the BVH, for each copy."""

_OBJECT_ELEMENTS = 1 << 16
"""The most elements of an object that count: `warpsmith.core.inputs.launch_objects` refuses larger ones."""

_DESCRIPTOR_BYTES = 128
"""Bytes of the descriptor of an array."""

_OBJECTS = ("mesh", "bvh", "hash_grid", "volume", "texture")
_LENGTHS = {"quat": 4, "transform": 7, "spatial_vector": 6, "spatial_matrix": 36}
_COMPOSITE = re.compile(r"(?:vec(\d+)|mat(\d)(\d)|(quat|transform|spatial_vector|spatial_matrix))([a-z]+)")
_SCALAR_BITS = re.compile(r"[a-z]+(8|16|32|64)")
_LETTER_BYTES = {"h": 2, "bf": 2, "f": 4, "b": 1, "ub": 1, "s": 2, "us": 2, "i": 4, "u": 4, "ui": 4, "bool": 1}


@dataclass(frozen=True, slots=True)
class LaunchSize:
    """The size of a launch.

    Attributes:
        arguments: how many arguments it has, with the members of structs.
        depth: how deep structs are nested.
        dimensions: the most dimensions of an argument.
        bytes: the memory that its arguments take, with all `COPIES`.
    """

    arguments: int
    depth: int
    dimensions: int
    bytes: int


def launch_size(launch: Launch) -> LaunchSize:
    """Return the size of a launch, whatever its shapes; dimensions beyond `MAX_DIMENSIONS` do not count."""
    waiting: list[tuple[Argument, int, int]] = [(argument, 1, 0) for argument in launch.args]
    count = deepest = dimensions = total = 0
    while waiting:
        argument, outer, depth = waiting.pop()
        if depth > MAX_DEPTH:
            return LaunchSize(count, depth, dimensions, total)
        count, deepest, dimensions = count + 1, max(deepest, depth), max(dimensions, len(argument.shape))
        elements = outer * _product(argument.shape)
        total += _DESCRIPTOR_BYTES * outer if argument.shape else 0
        if argument.fields:
            waiting.extend((member, elements, depth + 1) for member in argument.fields)
        elif argument.kind in _OBJECTS:
            if argument.kind == "mesh" and argument.domain is not None and argument.domain.kind == "stored":
                elements = sum(argument.shape)  # points and triangles
            total += _OBJECT_BYTES * min(elements, _OBJECT_ELEMENTS)
        elif argument.kind == "indexed_array":
            total += element_bytes(argument.dtype) * elements * 2 ** min(len(argument.shape), MAX_DIMENSIONS)
        else:
            total += element_bytes(argument.dtype) * elements
    copies = COPIES if math.prod(launch.dim) <= MANY_THREADS else FEW_COPIES
    return LaunchSize(count, deepest, dimensions, copies * total)


def argument_bytes(launch: Launch) -> int:
    """Return the memory that one copy of the arguments of a launch takes."""
    copies = COPIES if math.prod(launch.dim) <= MANY_THREADS else FEW_COPIES
    return launch_size(launch).bytes // copies


def problems(launch: Launch) -> Iterator[str]:
    """Yield each limit that a launch exceeds."""
    if len(launch.dim) > MAX_DIMENSIONS:
        yield f"{len(launch.dim)} launch dimensions, more than {MAX_DIMENSIONS}"
    elif math.prod(launch.dim) > MAX_THREADS:
        yield f"launch dim {launch.dim}, more than {MAX_THREADS} threads"
    size = launch_size(launch)
    if size.depth > MAX_DEPTH:
        yield f"structs nested more than {MAX_DEPTH} deep"
    if size.arguments > MAX_ARGUMENTS:
        yield f"{size.arguments} arguments and members, more than {MAX_ARGUMENTS}"
    if size.dimensions > MAX_DIMENSIONS:
        yield f"an argument with {size.dimensions} dimensions, more than {MAX_DIMENSIONS}"
    if size.bytes > MAX_BYTES:
        yield f"arguments that take more than {MAX_BYTES} bytes with all copies that checks make"


@lru_cache(256)
def element_bytes(dtype: str) -> int:
    """Return the bytes of one element of a type; 8 for each number of an unknown type.

    Examples:
        >>> [element_bytes(dtype) for dtype in ("bool", "float16", "uint64", "vec3f", "mat33d", "transformf")]
        [1, 2, 8, 12, 72, 28]
    """
    if match := _COMPOSITE.fullmatch(dtype):
        length = int(match[1] or 0) or int(match[2] or 0) * int(match[3] or 0) or _LENGTHS.get(match[4] or "", 1)
        return length * _LETTER_BYTES.get(match[5], 8)
    if match := _SCALAR_BITS.fullmatch(dtype):
        return int(match[1]) // 8
    return 1 if dtype == "bool" else 8


def _product(shape: tuple[int, ...]) -> int:
    return math.prod(max(length, 0) for length in shape[:MAX_DIMENSIONS])
