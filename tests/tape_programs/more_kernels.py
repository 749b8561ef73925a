"""Kernels with other types of arrays than `kernels`; the adjoint of each one is right."""

import warp as wp


@wp.struct
class Particle:
    position: wp.vec3
    mass: float


@wp.kernel
def moments(particles: wp.array(dtype=Particle), loss: wp.array(dtype=float)):
    i = wp.tid()
    wp.atomic_add(loss, 0, particles[i].mass * wp.dot(particles[i].position, particles[i].position))


@wp.kernel
def rotated(turn: wp.array(dtype=wp.mat33), v: wp.array(dtype=wp.vec3), out: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    out[i] = turn[i] * v[i]


@wp.kernel
def squared_length(v: wp.array(dtype=wp.vec3), loss: wp.array(dtype=float)):
    i = wp.tid()
    wp.atomic_add(loss, 0, wp.dot(v[i], v[i]))


@wp.kernel
def table_product(a: wp.array2d(dtype=float), b: wp.array2d(dtype=float), c: wp.array2d(dtype=float)):
    i, j = wp.tid()
    c[i, j] = a[i, j] * b[i, j]


@wp.kernel
def table_total(c: wp.array2d(dtype=float), loss: wp.array(dtype=float)):
    i, j = wp.tid()
    wp.atomic_add(loss, 0, c[i, j] * c[i, j])


@wp.kernel
def squared_double(x: wp.array(dtype=wp.float64), loss: wp.array(dtype=wp.float64)):
    i = wp.tid()
    wp.atomic_add(loss, 0, x[i] * x[i] * x[i])


@wp.kernel
def weighted(x: wp.array(dtype=float), weight: wp.array(dtype=float), y: wp.array(dtype=float), extra: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = x[i] * x[i] * weight[0]
    if extra:
        y[i] = y[i] + extra[i]


@wp.kernel
def tile_squares(x: wp.array2d(dtype=float), loss: wp.array(dtype=float)):
    i = wp.tid()
    row = wp.tile_load(x[i], shape=4)
    wp.tile_atomic_add(loss, wp.tile_sum(row * row), offset=0)


@wp.kernel
def counted(x: wp.array(dtype=float), counts: wp.array(dtype=int), y: wp.array(dtype=float)):
    i = wp.tid()
    wp.atomic_add(counts, 0, 1)
    y[i] = x[i] * x[i]


@wp.kernel
def root(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = wp.sqrt(x[i])


@wp.kernel
def squared_in_place(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = x[i] * x[i]


@wp.kernel
def row_sums(y: wp.array(dtype=float), count: int, rows: wp.array(dtype=float)):
    i = wp.tid()
    rows[i] = 0.0
    for j in range(count):
        rows[i] += y[i * count + j]
