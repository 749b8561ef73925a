"""A kernel that is generated once, in a process that later forks: it fills the caches of the code generator."""

from __future__ import annotations

KERNEL = """import warp as wp


@wp.func
def square(v: wp.vec3):
    return wp.dot(v, v)


@wp.func
def mixed(a: float, b: float, n: int):
    if n > 2:
        return a
    return a * b + wp.lerp(a, b, 0.5)


@wp.kernel
def warm_up(
    x: wp.array(dtype=wp.vec3),
    u: wp.array(dtype=wp.vec2),
    h: wp.array(dtype=wp.vec4),
    m: wp.array(dtype=wp.mat22),
    f: wp.array(dtype=wp.mat33),
    k: wp.array(dtype=int),
    z: wp.array2d(dtype=float),
    y: wp.array(dtype=float),
    s: float,
    n: int,
):
    i = wp.tid()
    if i >= n:
        return
    a = y[i]
    b = wp.sin(a) + wp.cos(a) - wp.exp(-a) * wp.sqrt(wp.abs(a) + 1.0) / wp.max(a, s)
    c = wp.clamp(b, -1.0, 1.0) + wp.min(b, a) + wp.pow(a, 2.0) + wp.tanh(b) + wp.log(a * a + 1.0)
    c = wp.where(c > 0.5, c, -c) + wp.float(k[i]) + mixed(a, b, n)
    total = float(0.0)
    count = int(0)
    for j in range(n):
        if a <= b and k[j] != 3:
            total += a * z[i, j]
        elif b < 0.25 or k[j] == 1:
            count += 1
        else:
            total = total - b
    while count < 3:
        count = count + k[i] % 4 - count // 2 * 1
    v = x[i]
    w = wp.cross(v, wp.vec3(0.5, a, 1.0)) * s + v / 2.0 - wp.normalize(v)
    w = w + wp.vec3(wp.length(w), v[0], square(v)) - 2.0 * v
    p = u[i] * a + wp.vec2(1.0, 0.5) - 0.5 * u[i]
    q = h[i] + wp.vec4(1.0, 0.5, a, b) * s
    g = m[i] * m[i] + wp.transpose(m[i]) * a - wp.outer(p, p)
    d = f[i] * w + f[i] * v * wp.trace(f[i]) * wp.determinant(f[i])
    wp.atomic_add(y, i, c + total + float(count) + wp.dot(p, p) + wp.length_sq(q))
    wp.atomic_min(y, k[i], a)
    wp.atomic_max(y, k[i], b)
    x[i] = w + d
    u[i] = g * p
    h[i] = -q
    m[i] = g
    y[i] = c
    z[i, 0] = total
"""
