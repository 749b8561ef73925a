"""Tiles give the results of Warp's kernels on the CPU, for blocks of equal threads and of threads with values of their own."""

from __future__ import annotations

import numpy as np
import pytest
import warp as wp

from oracle_kernels import floats, launch_of, run_alone, source
from warpsmith.core.inputs.values import Values
from warpsmith.extraction.targets.loading import loaded_kernel
from warpsmith.validation.oracle.interpreter.interpret import interpret
from warpsmith.validation.oracle.values.agreement import disagreement
from warpsmith.validation.oracle.values.interpretation_errors import Undefined, Unsupported

BLOCK = 16

UNIFORM = """
@wp.func
def mixed(a: float, b: float, c: float):
    return wp.max(a, b) * c - a * b


@wp.func
def doubled(h: int):
    return h * 2 + 1


@wp.kernel
def k(x: wp.array(dtype=float), m: wp.array2d(dtype=float), n: wp.array(dtype=int), z: wp.array2d(dtype=wp.vec2),
      o: wp.array2d(dtype=float), c: wp.array2d(dtype=int), w: wp.array2d(dtype=wp.vec2), p: wp.array2d(dtype=float)):
    i = wp.tid()
    a = wp.tile_load(x, shape=16, offset=i * 16)
    h = wp.tile_load(n, shape=16, offset=i * 16 + 3)
    b = wp.tile_load(m, shape=(4, 4), offset=(i * 3, 1), storage="shared")
    a += wp.tile_arange(16.0, dtype=float) * 0.1
    wp.tile_axpy(0.5, wp.tile_full(shape=16, value=2.0, dtype=float), a)
    s = wp.tile_map(mixed, a, a * 0.5, wp.tile_ones(shape=16, dtype=float) - a)
    s = wp.tile_map(wp.sin, s) / 3.0
    wp.tile_store(o, wp.tile_reshape(s, shape=(4, 4)), offset=(i * 4, 0))
    d = wp.tile_diag_add(wp.tile_matmul(b, wp.tile_transpose(b)), wp.tile_full(shape=4, value=3.0, dtype=float))
    f = wp.tile_cholesky(d)
    y = wp.tile_lower_solve(f, b)
    y += wp.tile_upper_solve(wp.tile_transpose(f), b)
    y -= wp.tile_cholesky_solve(f, b) * 0.5
    wp.tile_matmul(b, f, y, alpha=0.25, beta=0.5)
    wp.tile_store(o, y + wp.tile_broadcast(wp.tile_sum(b, axis=0), shape=(4, 4)), offset=(i * 4, 4))
    g = wp.tile_cholesky(d, fill_mode="upper")
    v = wp.tile_view(g, offset=(0, 0), shape=(2, 4))
    wp.tile_assign(g, wp.tile_map(wp.cos, v), offset=(2, 0))
    wp.tile_store(o, g, offset=(i * 4, 8))
    h = wp.tile_map(doubled, h) + wp.tile_arange(0, 32, 2, dtype=int)
    h ^= wp.tile_full(shape=16, value=i, dtype=int)
    q = wp.tile_arange(16, dtype=int)
    wp.tile_store(c, wp.tile_reshape(wp.tile_scan_inclusive(h), shape=(1, 16)), offset=(i, 0))
    wp.tile_store(c, wp.tile_reshape(wp.tile_scan_exclusive(h) + wp.tile_scan_max_inclusive(h), shape=(1, 16)), offset=(i, 16))
    wp.tile_sort(a, q)
    wp.tile_store(c, wp.tile_reshape(q, shape=(1, 16)), offset=(i, 32))
    e = wp.tile_extract(wp.tile_argmax(s), 0) + wp.tile_extract(wp.tile_argmin(s), 0) * 100
    u = wp.tile_reduce(wp.min, wp.tile_reshape(h, shape=(2, 8)), axis=1)
    wp.tile_store(c, wp.tile_reshape(u, shape=(1, 2)) + wp.tile_full(shape=(1, 2), value=e, dtype=int), offset=(i, 48))
    t = wp.tile_load(z, shape=(2, 16), offset=(i * 2, 0))
    wp.tile_fft(t)
    r = wp.tile_load(z, shape=(2, 16), offset=(i * 2, 0))
    wp.tile_ifft(r)
    wp.tile_store(w, t + r * 0.5, offset=(i * 2, 0))
    j = wp.tile_arange(3, -1, -1, dtype=int)
    l = wp.tile_load_indexed(m, indices=j, shape=(4, 4), offset=(i, 0), axis=0)
    l = l + b[j] * 0.5 + wp.tile_broadcast(b[2], shape=(4, 4)) + wp.tile_broadcast(wp.tile_squeeze(b[1:2]), shape=(4, 4))
    wide = wp.tile_astype(wp.tile_astype(b, dtype=wp.float64), dtype=float)
    l = l * b[1, 2] + wide[:, j] * wp.tile_extract(wp.tile_max(a), 0)
    wp.tile_atomic_add_indexed(p, indices=j, t=l, offset=(0, 0), axis=0)
    wp.tile_atomic_add(p, wp.tile_load(m, shape=(4, 4), offset=(9, 4)), offset=(4, 3))
    wp.tile_store(p, wp.tile_reshape(wp.tile_dot(s, s) + wp.tile_reduce(wp.add, a), shape=(1, 1)), offset=(5, i))
"""

THREADS = """
@wp.kernel
def k(x: wp.array(dtype=float), n: wp.array(dtype=int), v: wp.array(dtype=wp.vec3),
      o: wp.array2d(dtype=float), c: wp.array2d(dtype=int), s: wp.array(dtype=wp.vec3)):
    i = wp.tid()
    block = i // 16
    lane = i % 16
    y = x[i] * 2.0
    t = wp.tile(y)
    mean = t - wp.tile_broadcast(wp.tile_sum(t), shape=(16,)) * 0.1
    o[0, i] = wp.untile(wp.tile_map(wp.tanh, mean)) * y
    place = v[i]
    rows = wp.tile(place)
    back = wp.untile(rows * 0.5)
    o[1, i] = back[0] - back[2]
    wp.tile_store(s, wp.tile_sum(wp.tile(v[i] * y, preserve_type=True)), offset=block)
    bins = wp.tile_zeros(shape=4, dtype=float, storage="shared")
    wp.tile_scatter_add(bins, n[i] % 4, y, lane % 3 != 1)
    z = wp.tile_ones(shape=16, dtype=float, storage="shared")
    wp.tile_scatter_masked(z, 15 - lane, y, lane % 2 == 0)
    o[2, i] = wp.untile(z)
    o[3, i] = wp.tile_extract(bins, 0) + wp.tile_extract(bins, 3) * 2.0
    stack = wp.tile_stack(capacity=20, dtype=int)
    wp.tile_stack_push(stack, n[i], n[i] > 40)
    count = wp.tile_stack_count(stack)
    value, slot = wp.tile_stack_pop(stack)
    if slot >= 0:
        wp.atomic_add(c, 0, block, value + count)
    wp.tile_stack_clear(stack)
    wp.tile_stack_push(stack, 1, True)
    c[1, i] = wp.tile_stack_count(stack)
    h = n[i] + lane
    m = wp.tile_from_thread(shape=16, value=h, thread_idx=5)
    r = wp.tile_randi(shape=(2, 16), rng=wp.rand_init(7, block), min=0, max=50)
    for half in range(2):
        m += r[half]
    wp.tile_store(c, wp.tile_reshape(m + wp.tile_randi(shape=16, rng=wp.rand_init(3)), shape=(1, 16)), offset=(2, block * 16))
    near = wp.vec3(0.0, 0.0, 0.0)
    for part in range(3):
        others = wp.tile_load(v, shape=16, offset=part * 16)
        for one in range(16):
            near += wp.cross(place, others[one]) * others[one][0]
    o[4, i] = near[0] + near[2]
    f = wp.tile_randf(shape=20, rng=wp.rand_init(7, block))
    f += wp.tile_randf(shape=20, rng=wp.rand_init(8, block), min=0.5, max=1.5)
    if wp.tile_extract(wp.tile_sum(f), 0) > 31.0:
        o[4, i] += wp.tile_extract(f, 19)
"""


def run_on_fibers(text: str, dim: tuple[int, ...], values: dict[str, Values]) -> dict[str, Values]:
    """Return what Warp's kernel leaves on the CPU with blocks of threads."""
    with loaded_kernel(text, "k", None, f"warpsmith_tiles_{abs(hash(text))}") as kernel:
        wp.set_module_options({"optimization_level": 0, "enable_backward": False}, kernel.module)
        arguments = [wp.array(values[one.label], dtype=one.type.dtype, device="cpu") for one in kernel.adj.args]
        before = wp.config.enable_cpu_blocks
        try:
            wp.config.enable_cpu_blocks = True
            wp.launch(kernel, dim=dim, inputs=arguments, device="cpu", block_dim=BLOCK)
        finally:
            wp.config.enable_cpu_blocks = before
        return {one.label: array.numpy() for one, array in zip(kernel.adj.args, arguments, strict=True)}


def uniform_values() -> dict[str, tuple[str, Values]]:
    """Return arguments of the first kernel."""
    return {
        "x": ("float32", floats(48)),
        "m": ("float32", floats(11, 6, seed=1)),
        "n": ("int32", np.random.default_rng(2).integers(0, 99, 45, np.int32)),
        "z": ("vec2f", floats(6, 16, 2, seed=3)),
        "o": ("float32", np.zeros((12, 12), np.float32)),
        "c": ("int32", np.zeros((3, 50), np.int32)),
        "w": ("vec2f", np.zeros((6, 16, 2), np.float32)),
        "p": ("float32", np.zeros((6, 5), np.float32)),
    }


def thread_values() -> dict[str, tuple[str, Values]]:
    """Return arguments of the second kernel."""
    return {
        "x": ("float32", floats(48)),
        "n": ("int32", np.random.default_rng(2).integers(0, 99, 48, np.int32)),
        "v": ("vec3f", floats(48, 3, seed=1)),
        "o": ("float32", np.zeros((5, 48), np.float32)),
        "c": ("int32", np.zeros((3, 48), np.int32)),
        "s": ("vec3f", np.zeros((3, 3), np.float32)),
    }


def interpreted(text: str, dim: tuple[int, ...], values: dict[str, tuple[str, Values]]) -> dict[str, Values]:
    """Return the results of the interpreter."""
    plain = {name: array for name, (_, array) in values.items()}
    return interpret(source(text), "k", launch_of(dim, values), plain, block=BLOCK)


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("text", "dim"), [(UNIFORM, (3, BLOCK)), (THREADS, (48,))])
def test_tiles_equal_warps(text: str, dim: tuple[int, ...]) -> None:
    values = uniform_values() if text is UNIFORM else thread_values()
    plain = {name: array for name, (_, array) in values.items()}
    expected = run_on_fibers(source(text), dim, plain)
    results = interpreted(text, dim, values)
    assert disagreement(results, expected) is None
    assert all(np.any(results[name] != plain[name]) for name in results.keys() - set("xmnzv"))


@pytest.mark.parametrize(
    ("text", "change"),
    [
        (UNIFORM, ("a * 0.5, wp", "a * 0.6, wp")),
        (UNIFORM, ("beta=0.5", "beta=0.4")),
        (UNIFORM, ("wp.tile_fft(t)", "wp.tile_ifft(t)")),
        (UNIFORM, ("axis=1", "axis=0), shape=(2, 4)), axis=1")),
        (THREADS, ("lane % 3 != 1", "lane % 3 != 2")),
        (THREADS, ("15 - lane", "lane")),
        (THREADS, ("thread_idx=5", "thread_idx=6")),
    ],
)  # fmt: skip
def test_a_changed_tile_is_seen(text: str, change: tuple[str, str]) -> None:
    dim, values = ((3, BLOCK), uniform_values()) if text is UNIFORM else ((48,), thread_values())
    assert change[0] in text
    if "shape=(2, 4)), axis=1" in change[1]:
        change = ("wp.tile_reshape(h, shape=(2, 8)), axis=1", "wp.tile_reshape(h + h, shape=(2, 8)), axis=1")
    changed = interpreted(text.replace(*change), dim, values)
    assert disagreement(changed, interpreted(text, dim, values)) is not None


@pytest.mark.parametrize(
    ("body", "error", "reason"),
    [
        ("t = wp.tile_load(x, shape=4)", Unsupported, "tiles of float32"),
        ("t = wp.tile_zeros(shape=(4, 0), dtype=float)", Unsupported, r"a tile of shape \(4, 0\)"),
        ("t = wp.tile_zeros(shape=4, dtype=float) + wp.tile_zeros(shape=5, dtype=float)", Unsupported, "add of a tile"),
        ("t = wp.tile_zeros(shape=4, dtype=float) * 2", Unsupported, "mul of a tile"),
        ("o[0] = wp.tile_zeros(shape=4, dtype=float)[4]", Undefined, "index 4 of a tile"),
        ("t = wp.tile_cholesky(wp.tile_zeros(shape=(2, 2), dtype=float))", Undefined, "positive definite"),
        ("t = wp.tile_sum(x)", Unsupported, "a tile that is float32"),
        ("y = float(wp.tid())\nif y > wp.tile_extract(wp.tile(y), 0):\n    z = wp.tile(y)", Unsupported, "some threads take"),
        ("y = float(wp.tid())\nt = wp.tile(y) * y", Unsupported, "differ between threads"),
        ("y = wp.vec2(float(wp.tid()))\nt = wp.tile(1.5)\nt = t * y[0]", Unsupported, "differ between threads"),
        ("if wp.tid() > 2:\n    return\nt = wp.tile(x)", Unsupported, "a jump of some threads"),
        ("t = wp.tile_load_indexed(o, wp.tile_arange(5, dtype=int), shape=4)", Unsupported, "such a tile of indices"),
    ],
)  # fmt: skip
def test_tiles_without_a_result(body: str, error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        run_alone(body, dim=(4,), block=4)
