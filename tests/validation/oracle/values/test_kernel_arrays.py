"""Atomic operations and arrays give the results of Warp's kernels on the CPU."""

from __future__ import annotations

import numpy as np

from oracle_kernels import check, floats


def test_atomics_and_arrays() -> None:
    text = """
        @wp.kernel
        def k(
            x: wp.array(dtype=float), n: wp.array(dtype=int), f: wp.array(dtype=float), g: wp.array2d(dtype=wp.vec3),
            old: wp.array2d(dtype=float), c: wp.array(dtype=int), z: wp.array(dtype=wp.uint8),
        ):
            i = wp.tid()
            old[i, 0] = wp.atomic_add(f, n[i], x[i])
            old[i, 1] = wp.atomic_min(f, 1, x[i])
            old[i, 2] = wp.atomic_max(f, 2, x[i])
            wp.atomic_sub(f, 3, x[i])
            v = wp.atomic_add(g, n[i], 1, wp.vec3(x[i], 1.0, 2.0))
            old[i, 3] = v[0]
            wp.atomic_min(g, 0, 0, wp.vec3(x[i], -x[i], 0.5))
            slot = wp.atomic_add(c, 0, 1)
            c[slot + 5] = i
            old[i, 4] = float(wp.atomic_cas(c, 1, i, i + 1))
            old[i, 5] = float(wp.atomic_exch(c, 2, i))
            wp.atomic_or(c, 3, 1 << i)
            wp.atomic_xor(c, 4, i)
            f[-1] += x[i]
            g[1, 0] += wp.vec3(1.0, x[i], 0.0)
            g[1, 1][2] += x[i]
            g[1, 2].y -= x[i]
            row = g[0]
            row[2] = wp.vec3(float(len(row)), float(g.shape[1]), float(f.shape[0]))
            c[4] |= 64
            z[0] += wp.uint8(100)
    """
    n = np.array([0, 0, 1, 0, 1, 0, 1, 1], np.int32)
    check(
        text,
        (8,),
        x=("float32", floats(8)),
        n=("int32", n),
        f=("float32", np.zeros(6, np.float32)),
        g=("vec3f", np.zeros((2, 3, 3), np.float32)),
        old=("float32", np.zeros((8, 6), np.float32)),
        c=("int32", np.zeros(16, np.int32)),
        z=("uint8", np.zeros(1, np.uint8)),
    )
