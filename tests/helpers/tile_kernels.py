"""Kernels with one operation on tiles each, for blocks of any size."""

from __future__ import annotations

HEAD = """import warp as wp


@wp.func
def bent(a: float, b: float):
    return wp.sin(a) * b


@wp.kernel
def k(x: wp.array(dtype=float), y: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(x, shape=256, offset=i * 256)
    u = wp.tile_load(y, shape=256, offset=i * 256, storage="shared")
"""
MATRICES = """    a = wp.tile_reshape(t, shape=(16, 16))
    b = wp.tile_reshape(u, shape=(16, 16))
"""
STORE = "    wp.tile_store(out, t, offset=i * 256)\n"
IDENTITY = "wp.tile_diag_add(wp.tile_zeros(shape=(16, 16), dtype=float), wp.tile_full(shape=16, value=float(8.0), dtype=float))"
DEFINITE = f"    s = a + wp.tile_transpose(a) + {IDENTITY}\n    v = wp.tile_view(u, offset=(0,), shape=(16,))\n"


def total(tile: str) -> str:
    """Return a statement that multiplies the result by the sum of a tile."""
    return f"    t = t * wp.tile_broadcast(wp.tile_sum({tile}), shape=(256,))\n"


def product(left: str, right: str) -> str:
    """Return statements that store a product of matrices."""
    return MATRICES + f"    c = wp.tile_matmul({left}, {right})\n    t = wp.tile_reshape(c, shape=(256,))\n"


BODIES = {
    "load and store": "    t = t + u\n",
    "map": "    t = wp.tile_map(bent, t, u)\n",
    "sum": total("u"),
    "minimum": "    t = t * wp.tile_broadcast(wp.tile_min(u), shape=(256,))\n",
    "reduction": "    t = t * wp.tile_broadcast(wp.tile_reduce(wp.mul, u), shape=(256,))\n",
    "sum of one element": total("wp.tile_min(u)"),
    "inclusive scan": "    t = wp.tile_scan_inclusive(u)\n",
    "exclusive scan": "    t = wp.tile_scan_exclusive(u)\n",
    "scan of maxima": "    t = wp.tile_scan_max_inclusive(u)\n",
    "sort": "    wp.tile_sort(u, wp.tile_arange(256, dtype=int))\n    t = t * u\n",
    "sort in registers": "    wp.tile_sort(t, wp.tile_arange(256, dtype=int))\n",
    "matrix product": product("a", "b"),
    "matrix product and transpose": product("a", "wp.tile_transpose(b)"),
    "transpose": MATRICES + "    t = t + wp.tile_reshape(wp.tile_transpose(b), shape=(256,))\n",
    "atomic add": "    wp.tile_atomic_add(out, u, offset=0)\n",
    "extraction": "    t = t * wp.tile_extract(u, 200) + t * wp.tile_extract(t, 7)\n",
    "addition in place": "    t += u\n    u += t\n    t = t + u\n",
    "view and assignment": "    wp.tile_assign(u, wp.tile_view(t, offset=(64,), shape=(64,)), offset=(128,))\n    t = t * u\n",
    "gather": total("u[wp.tile_arange(0, 256, 4, dtype=int)]"),
    "Cholesky factor": MATRICES + DEFINITE + total("wp.tile_cholesky(s)"),
    "triangular solution": MATRICES + DEFINITE + total("wp.tile_lower_solve(wp.tile_cholesky(s), v)"),
    "solution by Cholesky": MATRICES + DEFINITE + total("wp.tile_cholesky_solve(wp.tile_cholesky(s), v)"),
    "dot product": "    t = wp.tile_broadcast(wp.tile_dot(t, u), shape=(256,))\n",
    "loop": "    for j in range(i + 3):\n        t = t + u * 0.5\n",
}


SOURCES = {name: HEAD + body + STORE for name, body in BODIES.items()}
SOURCES["atomic add"] = HEAD + BODIES["atomic add"]

MATRIX_BY_ITS_TRANSPOSE = """import warp as wp


@wp.kernel
def k(x: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    i = wp.tid()
    a = wp.tile_load(x, shape=(16, 16), storage="shared")
    wp.tile_store(out, wp.tile_matmul(a, wp.tile_transpose(a)))
"""

TWO_SUMS = """import warp as wp


@wp.kernel
def k(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(x, shape=256, offset=i * 256)
    wp.tile_atomic_add(out, wp.tile_sum(t * t), offset=2)
    wp.tile_store(out, wp.tile_sum(t) * 2.0, offset=i)
"""
"""Two sums, whose adjoints use one element of shared memory."""

SUMS_OF_ROWS = """import warp as wp


@wp.kernel
def k(x: wp.array2d(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    t = wp.tile_load(x, shape=(2, 64), offset=(i * 2, 0))
    a = wp.tile_sum(t, axis=1)
    b = wp.tile_sum(t, axis=1) * 2.0
    c = wp.tile_sum(t, axis=1) * 3.0
    wp.tile_store(out, a + b + c, offset=i * 2)
"""
"""Sums of rows, which use one buffer in shared memory."""

LOADED_IN_A_LOOP = (
    HEAD
    + "    for j in range(i + 3):\n"
    + '        u = wp.tile_load(y, shape=256, offset=0, storage="shared")\n        t += u\n'
    + STORE
)
