"""The kernels of the programs; the adjoint of each one but ``powered`` is right."""

import warp as wp


@wp.struct
class Body:
    mass: wp.array(dtype=float)
    speed: wp.array(dtype=float)


@wp.kernel
def squared(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = x[i] * x[i]


@wp.kernel
def scaled(x: wp.array(dtype=float), factor: float, y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = factor * x[i]


@wp.kernel
def product(a: wp.array(dtype=float), b: wp.array(dtype=float), c: wp.array(dtype=float)):
    i = wp.tid()
    c[i] = a[i] * b[i]


@wp.kernel
def gathered(x: wp.array(dtype=float), indices: wp.array(dtype=int), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = x[indices[i]] * x[i]


@wp.kernel
def total(y: wp.array(dtype=float), loss: wp.array(dtype=float)):
    i = wp.tid()
    wp.atomic_add(loss, 0, y[i])


@wp.kernel
def sums(y: wp.array(dtype=float), rows: wp.array(dtype=float)):
    i = wp.tid()
    wp.atomic_add(rows, i / 2, y[i])


@wp.kernel(enable_backward=False)
def squared_forward_only(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = x[i] * x[i]


@wp.kernel
def powered(x: wp.array(dtype=float), n: int, y: wp.array(dtype=float)):
    i = wp.tid()
    s = float(1.0)  # noqa: UP018 - a variable of Warp
    for _ in range(n):
        s = s * x[i]
    y[i] = s


@wp.kernel
def powered_by_hand(x: wp.array(dtype=float), y: wp.array(dtype=float)):
    i = wp.tid()
    y[i] = x[i] * x[i] * x[i]


@wp.kernel
def energy(body: Body, loss: wp.array(dtype=float)):
    i = wp.tid()
    wp.atomic_add(loss, 0, 0.5 * body.mass[i] * body.speed[i] * body.speed[i])


@wp.kernel
def stepped(
    x: wp.array(dtype=float), v: wp.array(dtype=float), dt: float, x_next: wp.array(dtype=float), v_next: wp.array(dtype=float)
):
    i = wp.tid()
    a = -x[i] * x[i] - 0.1 * v[i] * v[i]
    v_next[i] = v[i] + a * dt
    x_next[i] = x[i] + v_next[i] * dt


@wp.kernel
def descended(x: wp.array(dtype=float), gradient: wp.array(dtype=float), rate: float):
    i = wp.tid()
    x[i] = x[i] - rate * gradient[i]
