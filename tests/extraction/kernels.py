"""A user's module with kernels for every feature that extraction supports or rejects."""

import enum
from typing import Any

import numpy as np
import other_functions
import warp as wp
from other_functions import halve as half_of

LIMIT = 4
SCALE = wp.constant(2.5)
OFFSET = wp.vec3(1.0, 2.0, 3.0)
SMALL = wp.vec2d(1.0 / 512.0)
ORIGIN = wp.transform_identity()
EPSILON = np.float32(0.25)
WIDTHS = (1, 2, 3)
vec5 = wp.types.vector(length=5, dtype=float)


class Mode(enum.IntEnum):
    OFF = 0
    ON = 1


@wp.struct
class Material:
    stiffness: float
    color: wp.vec3


@wp.struct
class Body:
    position: wp.vec3
    material: Material


def squares(count):
    return [number * number for number in range(count)]


@wp.func
def inner(x: float):
    return x * SCALE


@wp.func
def outer(x: float):
    return inner(x) + inner(2.0 * x)


@wp.func
def twice(x: float):
    return x + x


@wp.func
def twice(x: wp.vec3):  # noqa: F811 - an overload
    return x + x + OFFSET


@wp.func
def cube(x: float):
    return x * x * x


@wp.func_grad(cube)
def adj_cube(x: float, adj_ret: float):
    wp.adjoint[x] += 3.0 * x * x * adj_ret


@wp.func
def count_up(values: wp.array(dtype=float), i: int):
    values[i] = values[i] + 1.0


@wp.func_replay(count_up)
def replay_count_up(values: wp.array(dtype=float), i: int):
    pass


SNIPPET = """
    out[tid] = 2.0f * x[tid];
    // static void adj_of_nobody( {
"""
ADJOINT_SNIPPET = """
    adj_x[tid] += 2.0f * adj_out[tid];
"""


@wp.func_native(SNIPPET, adj_snippet=ADJOINT_SNIPPET)
def doubled(x: wp.array(dtype=float), out: wp.array(dtype=float), tid: int): ...


@wp.kernel
def nested_functions(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = outer(x[i]) + half_of(x[i]) + other_functions.triple(x[i])


@wp.kernel
def overloaded_functions(x: wp.array(dtype=float), v: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    x[i] = twice(x[i])
    v[i] = twice(v[i])


@wp.kernel
def structs(bodies: wp.array(dtype=Body), one: Material, out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    out[i] = bodies[i].position * bodies[i].material.stiffness + one.color


@wp.kernel
def custom_gradient(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = cube(x[i])


@wp.kernel
def custom_replay(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    count_up(out, i)
    out[i] = x[i]


@wp.kernel
def native_snippet(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    doubled(x, out, i)


@wp.kernel(enable_backward=False)
def forward_only(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = outer(x[i])


@wp.kernel
def gradient_call(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = slope_of(x[i])


@wp.func
def slope_of(x: float):
    return wp.grad(inner)(x)


@wp.kernel
def static_expressions(out: wp.array(dtype=float)):
    i = wp.tid()
    total = 0.0
    for j in range(wp.static(len(WIDTHS))):
        total += wp.static(float(sum(squares(4)))) * float(j)
    if LIMIT > Mode.ON:
        out[i] = total


@wp.kernel
def warp_constants(x: wp.array(dtype=wp.vec2d), out: wp.array(dtype=wp.transform)):
    i = wp.tid()
    x[i] = x[i] * wp.float64(wp.static(float(EPSILON))) + SMALL
    out[i] = ORIGIN


@wp.kernel
def tiles(a: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(a[i], shape=32)
    s = wp.tile_sum(t)
    wp.tile_store(out[i], s)


@wp.kernel
def halves(x: wp.array(dtype=wp.float16), out: wp.array(dtype=vec5)):
    i = wp.tid()
    v = vec5()
    v[0] = float(x[i] * wp.float16(0.5))
    out[i] = v


@wp.kernel
def generic(x: wp.array(dtype=Any), factor: Any):
    i = wp.tid()
    x[i] = x[i] * factor


wp.overload(generic, [wp.array(dtype=wp.float32), wp.float32])
wp.overload(generic, [wp.array(dtype=wp.vec3), wp.float32])


@wp.kernel
def generic_alone(x: wp.array(dtype=Any)):
    i = wp.tid()
    x[i] = x[i] + x[i]


def make_power(exponent, dtype):
    @wp.func
    def step(x: dtype):
        return x * dtype(exponent)

    @wp.kernel
    def power(x: wp.array(dtype=dtype), out: wp.array(dtype=dtype)):
        i = wp.tid()
        result = x[i]
        for _ in range(exponent):
            result = step(result) * x[i]
        out[i] = result

    return power


squared = make_power(1, wp.float32)
cubed = make_power(2, wp.float64)


@wp.kernel(module="unique")
def in_own_module(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = inner(x[i])


@wp.kernel
def lean(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = wp.quat_to_rpy(wp.quat(0.0, 0.0, 0.0, x[i]))[0]


@wp.kernel
def numpy_constant(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + EPSILON


captured_object = object()


def make_hopeless(thing):
    @wp.kernel
    def hopeless(x: wp.array(dtype=float)):
        i = wp.tid()
        x[i] = wp.static(float(id(thing) * 0))

    return hopeless


hopeless = make_hopeless(captured_object)


@wp.kernel
def broken(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] + wp.vec3(1.0, 2.0, 3.0)
