"""The objects of Warp among the arguments of a launch: the arrays that they are built from, and their limits.

`warpsmith.validation.running.objects` builds them. A kernel receives a texture as a texture type, and any other object as a
``wp.uint64``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from warpsmith.core.records.launch import Argument, Build, Domain

DIMENSIONS = {"mesh": (2,), "bvh": (1,), "hash_grid": (3,), "volume": (3,), "texture": (1, 2, 3)}
"""The possible lengths of an object's shape, by kind."""

MAX_ELEMENTS = 1 << 16
"""The largest total of vertices, boxes, cells, voxels and texels in a launch; every run of a check builds all of them."""

MAX_DISTANCE = 1.0e6
"""The largest absolute value in an object, and of the points of a hash grid."""

HALF_SIZES = Domain(kind="uniform", low=0.05, high=0.3)
"""The half sizes of the boxes of a BVH."""

_CHANNELS = {1: "float32", 2: "vec2f", 4: "vec4f"}


def is_object(argument: Argument) -> bool:
    """Return whether an argument is an object of Warp."""
    return argument.kind in DIMENSIONS


def build_of(argument: Argument) -> Build:
    """Return how to build an object."""
    return argument.build or Build()


def ingredients(argument: Argument) -> tuple[Argument, ...]:
    """Return the arrays that an object is built from; their values depend on their names, as for other arrays.

    ``mesh``: heights, and ``.velocities`` of the vertices. ``bvh``: centers of boxes and ``.half_sizes``. ``volume``: voxels.
    ``texture``: texels. A ``hash_grid`` is built from another argument.
    """
    name = argument.name
    match argument.kind:
        case "mesh":
            return _array(argument, name, "float32"), _array(argument, f"{name}.velocities", "vec3f")
        case "bvh":
            return _array(argument, name, "vec3f"), _array(argument, f"{name}.half_sizes", "vec3f", HALF_SIZES)
        case "volume":
            return (_array(argument, name, build_of(argument).voxels),)
        case "texture":
            return (_array(argument, name, _CHANNELS[build_of(argument).channels]),)
    return ()


def _array(argument: Argument, name: str, dtype: str, domain: Domain | None = None) -> Argument:
    return Argument(name=name, kind="array", dtype=dtype, role="input", shape=argument.shape, domain=domain or argument.domain)


def problems(objects: Sequence[Argument], leaves: Mapping[str, Argument]) -> Iterator[str]:
    """Yield each reason why the objects of a launch cannot be built.

    Args:
        objects: all objects of the launch.
        leaves: the arguments and members of the launch by name.
    """
    if (count := sum(map(_elements, objects))) > MAX_ELEMENTS:
        yield f"objects of {count} elements, more than {MAX_ELEMENTS}"
    for argument in objects:
        yield from (f"argument {argument.name!r}: {problem}" for problem in _problems(argument, leaves))


def _elements(argument: Argument) -> int:
    if argument.kind == "volume":  # memory is allocated in tiles
        return math.prod(-(-length // 8) * 8 for length in argument.shape)
    return math.prod(argument.shape)


def _problems(argument: Argument, leaves: Mapping[str, Argument]) -> Iterator[str]:
    kind, shape, build = argument.kind, argument.shape, build_of(argument)
    least = 2 if kind == "mesh" else 1
    if len(shape) not in DIMENSIONS[kind] or min(shape) < least:
        yield f"a {kind} of shape {list(shape)}"
    if argument.dtype != (f"Texture{len(shape)}D" if kind == "texture" else "uint64"):
        yield f"a {kind} with {len(shape)} dimensions that the kernel takes as {argument.dtype}"
    if argument.role != "input" or argument.fields:
        yield f"a {kind} that is written, or has members"
    if kind in ("hash_grid", "volume") and not 1.0 / MAX_DISTANCE <= build.width <= MAX_DISTANCE:
        yield f"a {kind} of width {build.width:g}"
    elif kind == "hash_grid":
        points = leaves.get(build.points)
        if points is None or (points.kind, points.dtype, len(points.shape), points.role) != ("array", "vec3f", 1, "input"):
            yield f"a hash_grid over {build.points!r}, which is no row of vec3f that is read only"
        elif points.domain is None or not _is_near(points.domain, MAX_DISTANCE * min(build.width, 1.0)):
            yield f"a hash_grid over {build.points!r}, whose points are too far away for cells of that width"
    if kind != "hash_grid" and (argument.domain is None or not _is_near(argument.domain)):
        yield f"a {kind} with values beyond {MAX_DISTANCE:g}, or none"


def _is_near(domain: Domain, limit: float = MAX_DISTANCE) -> bool:
    return domain.kind in ("uniform", "fill") and -limit <= domain.low <= domain.high <= limit
