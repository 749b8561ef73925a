"""The objects of Warp among the arguments of a launch: the arrays that they are built from, and their limits.

Validation builds them, see `warpsmith.validation.running.warp_objects`. A kernel receives a texture as a texture type, and any
other object as a ``wp.uint64``.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.stored import stored_rows
from warpsmith.core.records.launch import Argument, Build, Domain

DIMENSIONS = {"mesh": (2,), "bvh": (1,), "hash_grid": (3,), "volume": (1, 3), "texture": (1, 2, 3)}
"""The possible lengths of an object's shape, by kind."""

MAX_ELEMENTS = 1 << 16
"""The largest total of vertices, boxes, cells, voxels and texels in a launch; every run of a check builds all of them."""

MAX_DISTANCE = 1.0e6
"""The largest absolute value in an object, and of the points of a hash grid."""

HALF_SIZES = Domain(kind="uniform", low=0.05, high=0.3)
"""The half sizes of the boxes of a BVH."""

_ANY = Domain(kind="stored", low=-(2**31), high=2**31 - 1)
"""The stored arrays of an object: `warpsmith.core.inputs.contents` checks them together."""

_POINT_BYTES = 12

_TRANSFORM = 12
"""The numbers of a volume's transform: a matrix, row by row, and a translation."""

_SPARSE = ("index", "nanovdb")
"""The volumes that only stored values describe."""

_BYTES_PER_ELEMENT = 32
"""How many bytes of a volume in its own format count as an element."""

_CHANNELS = {1: "float32", 2: "vec2f", 4: "vec4f"}


def is_object(argument: Argument) -> bool:
    """Return whether an argument is an object of Warp."""
    return argument.kind in DIMENSIONS


def build_of(argument: Argument) -> Build:
    """Return how to build an object."""
    return argument.build or Build()


def is_stored(argument: Argument) -> bool:
    """Return whether the values of an argument, or the arrays that an object is built from, are in the record."""
    return argument.domain is not None and argument.domain.kind == "stored"


def ingredients(argument: Argument, stored: Mapping[str, str]) -> tuple[Argument, ...]:
    """Return the arrays that an object is built from; their values depend on their names, as for other arrays.

    ``mesh``: heights, and ``.velocities`` of the vertices. ``bvh``: centers of boxes and ``.half_sizes``. ``volume``: voxels.
    ``texture``: texels. A ``hash_grid`` is built from another argument.

    With the domain ``stored``, a ``mesh`` has ``.points``, ``.indices`` and maybe ``.velocities``, a ``bvh`` has ``.lowers``
    and ``.uppers``, both maybe ``.groups``, and a ``hash_grid`` may have ``.points``. A ``volume`` of indices has
    ``.voxels`` and ``.transform``, and one in its own format is a row of bytes.

    Args:
        argument: the object.
        stored: the stored values of the launch.

    Raises:
        WarpsmithError: if the stored points of a hash grid cannot be read.
    """
    name, shape = argument.name, argument.shape
    match argument.kind, is_stored(argument):
        case "mesh", True:
            velocities = (_array(argument, f"{name}.velocities", "vec3f", shape[:1]),)
            return (
                _array(argument, f"{name}.points", "vec3f", shape[:1]),
                _array(argument, f"{name}.indices", "int32", (3 * shape[1],)),
                *(velocities if f"{name}.velocities" in stored else ()),
                *_groups(argument, shape[1], stored),
            )
        case "mesh", False:
            return _array(argument, name, "float32", shape), _array(argument, f"{name}.velocities", "vec3f", shape)
        case "bvh", True:
            corners = _array(argument, f"{name}.lowers", "vec3f", shape), _array(argument, f"{name}.uppers", "vec3f", shape)
            return *corners, *_groups(argument, shape[0], stored)
        case "bvh", False:
            halves = _array(argument, f"{name}.half_sizes", "vec3f", shape, HALF_SIZES)
            return _array(argument, name, "vec3f", shape), halves
        case "hash_grid", True:
            return (_array(argument, f"{name}.points", "vec3f", (_stored_point_count(argument, stored),)),)
        case "volume", True if build_of(argument).voxels == "index":
            voxels = _array(argument, f"{name}.voxels", "vec3i", shape)
            return voxels, _array(argument, f"{name}.transform", "float32", (_TRANSFORM,))
        case "volume", True if build_of(argument).voxels == "nanovdb":
            return (_array(argument, name, "uint8", shape),)
        case "volume", _:
            return (_array(argument, name, build_of(argument).voxels, shape),)
        case "texture", _:
            return (_array(argument, name, _CHANNELS[build_of(argument).channels], shape),)
    return ()


def _groups(argument: Argument, count: int, stored: Mapping[str, str]) -> tuple[Argument, ...]:
    """Return the array of the groups of triangles or boxes, if there are any."""
    name = f"{argument.name}.groups"
    return (_array(argument, name, "int32", (count,)),) if name in stored else ()


def _stored_point_count(argument: Argument, stored: Mapping[str, str]) -> int:
    """Return how many stored points a hash grid has: the record of a grid has the shape of its cells only."""
    if argument.kind != "hash_grid" or not is_stored(argument):
        return 0
    name = f"{argument.name}.points"
    if name not in stored:
        raise WarpsmithError(f"argument {name!r}: no stored values")
    try:
        return stored_rows(stored[name], _POINT_BYTES)
    except WarpsmithError as error:
        raise WarpsmithError(f"argument {name!r}: {error}") from None


def _array(argument: Argument, name: str, dtype: str, shape: tuple[int, ...], domain: Domain | None = None) -> Argument:
    domain = domain or (_ANY if is_stored(argument) else argument.domain)
    return Argument(name=name, kind="array", dtype=dtype, role="input", shape=shape, domain=domain)


def problems(objects: Sequence[Argument], leaves: Mapping[str, Argument], stored: Mapping[str, str]) -> Iterator[str]:
    """Yield each reason why the objects of a launch cannot be built.

    Args:
        objects: all objects of the launch.
        leaves: the arguments and members of the launch by name.
        stored: the stored values of the launch.

    Raises:
        WarpsmithError: if the stored points of a hash grid cannot be read.
    """
    count = sum(map(_elements, objects))
    for argument in objects:
        count += _stored_point_count(argument, stored) if count <= MAX_ELEMENTS else 0
    if count > MAX_ELEMENTS:
        yield f"objects of {count} elements, more than {MAX_ELEMENTS}"
    for argument in objects:
        yield from (f"argument {argument.name!r}: {problem}" for problem in _problems(argument, leaves))


def _elements(argument: Argument) -> int:
    if argument.kind == "volume" and build_of(argument).voxels == "nanovdb":
        return -(-math.prod(argument.shape) // _BYTES_PER_ELEMENT)
    if argument.kind == "volume" and len(argument.shape) == 3:  # memory is allocated in tiles
        return math.prod(-(-length // 8) * 8 for length in argument.shape)
    if argument.kind == "mesh" and is_stored(argument):  # points and triangles
        return sum(argument.shape)
    return math.prod(argument.shape)


def _problems(argument: Argument, leaves: Mapping[str, Argument]) -> Iterator[str]:
    kind, shape = argument.kind, argument.shape
    least = 2 if kind == "mesh" and not is_stored(argument) else 1
    if len(shape) not in DIMENSIONS[kind] or min(shape) < least:
        yield f"a {kind} of shape {list(shape)}"
    if kind == "volume" and not _is_volume(argument):
        yield f"a volume of {build_of(argument).voxels} of shape {list(shape)}, stored or not"
    if argument.dtype != (f"Texture{len(shape)}D" if kind == "texture" else "uint64"):
        yield f"a {kind} with {len(shape)} dimensions that the kernel takes as {argument.dtype}"
    if argument.role != "input" or argument.fields:
        yield f"a {kind} that is written, or has members"
    if _has_width(argument) and not 1.0 / MAX_DISTANCE <= build_of(argument).width <= MAX_DISTANCE:
        yield f"a {kind} of width {build_of(argument).width:g}"
    elif kind == "hash_grid":
        yield from _point_problems(argument, leaves)
    if kind != "hash_grid" and (argument.domain is None or not _is_near(argument.domain)):
        yield f"a {kind} with values beyond {MAX_DISTANCE:g}, or none"


def _is_volume(argument: Argument) -> bool:
    """Return whether the shape of a volume, and where its values are, fit the type of its voxels."""
    sparse = build_of(argument).voxels in _SPARSE
    return len(argument.shape) == 1 and is_stored(argument) if sparse else len(argument.shape) == 3


def _has_width(argument: Argument) -> bool:
    return argument.kind == "hash_grid" or (argument.kind == "volume" and build_of(argument).voxels not in _SPARSE)


def _point_problems(argument: Argument, leaves: Mapping[str, Argument]) -> Iterator[str]:
    build = build_of(argument)
    if is_stored(argument):
        if build.points:
            yield f"a hash_grid with stored points and over {build.points!r}"
        return
    points = leaves.get(build.points)
    if points is None or (points.kind, points.dtype, len(points.shape), points.role) != ("array", "vec3f", 1, "input"):
        yield f"a hash_grid over {build.points!r}, which is no row of vec3f that is read only"
    elif points.domain is None or not _is_near(points.domain, MAX_DISTANCE * min(build.width, 1.0)):
        yield f"a hash_grid over {build.points!r}, whose points are too far away for cells of that width"


def _is_near(domain: Domain, limit: float = MAX_DISTANCE) -> bool:
    return domain.kind in ("uniform", "fill", "stored") and -limit <= domain.low <= domain.high <= limit
