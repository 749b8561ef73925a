"""Kernels that reach everything through modules."""

from __future__ import annotations

from typing import Any

import warp as wp

import project

from ._parts import kinds, lengths
from ._parts import lengths as _other_lengths
from ._parts.kinds import Kind, Limits
from ._parts.lengths import State

settings = kinds.Settings(4)


@wp.func
def mixed(a: wp.Scalar, b: wp.types.vector(length=Any, dtype=wp.Scalar)):
    return a * b


@wp.func
def with_default(x: float, factor: float = lengths.TINY):
    return x * factor


@wp.func
def _pick(x: Any, y: Any):
    return wp.where(x > y, x, y)


@wp.kernel
def constants_of_modules(x: wp.array[float], out: wp.array[float]):
    i = wp.tid()
    TINY = x[i]  # noqa: N806 - the name of constants
    out[i] = TINY + kinds.TINY + wp.max(lengths.TINY, x[i]) + kinds.Settings.RADIUS + project.lengths.TINY


@wp.kernel
def functions_of_one_name(x: wp.array[float], out: wp.array[float]):
    i = wp.tid()
    out[i] = kinds.scaled(x[i]) + _other_lengths.scaled(x[i])


@wp.kernel
def structs_of_one_name(first: State, second: kinds.State, out: wp.array[wp.vec3]):
    out[wp.tid()] = second.low * first.length


@wp.kernel
def name_of_a_builtin(x: wp.array[wp.spatial_vector], out: wp.array[wp.vec3]):
    i = wp.tid()
    out[i] = lengths.velocity_at_point(x[i], wp.vec3(1.0, 2.0, 3.0))


@wp.kernel
def enumerations(kind: wp.array[int], out: wp.array[int]):
    i = wp.tid()
    if kind[i] == kinds.Kind.SOME or kind[i] == int(Kind.NONE.value):
        out[i] = Kind.next_of(kind[i])


@wp.kernel
def functions_in_types(x: wp.array[float], out: wp.array[float]):
    i = wp.tid()
    limits = Limits(x[i], 1.0, 2.0, 3.0)
    out[i] = Limits.low(limits)


@wp.kernel
def generic_functions(x: wp.array[wp.vec3], out: wp.array[wp.vec3]):
    i = wp.tid()
    out[i] = mixed(_pick(x[i][0], 2.0), x[i])


@wp.kernel
def defaults_and_tuples(x: wp.array[float], out: wp.array[float]):
    i = wp.tid()
    first, second = lengths._both(x[i])
    out[i] = with_default(first) + second


@wp.kernel
def numpy_scalars(x: wp.array[float], out: wp.array[float]):
    i = wp.tid()
    out[i] = x[i] + lengths.EPSILON


@wp.kernel
def captured_settings(x: wp.array[float], out: wp.array[float]):
    i = wp.tid()
    total = 0.0 * x[i]
    for j in range(wp.static(settings.total())):
        total += x[i] * float(wp.static(settings.count) + j)
    out[i] = total


@wp.kernel
def textures(image: wp.Texture2D, out: wp.array[float]):
    i = wp.tid()
    out[i] = wp.texture_sample(image, wp.vec2(0.5, 0.5), dtype=float)


@wp.kernel(module="unique", module_options={"deterministic": wp.DeterministicMode.RUN_TO_RUN, "fuse_fp": False})
def deterministic(x: wp.array[float], out: wp.array[float]):
    wp.atomic_add(out, 0, x[wp.tid()])


_UNREGISTERED = wp.Module("unregistered", None)


@wp.kernel(module=_UNREGISTERED, enable_backward=False)
def in_an_unregistered_module(x: wp.array[float]):
    x[wp.tid()] *= 2.0
