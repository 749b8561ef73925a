"""Random numbers and noise equal Warp's: integers bit for bit, floats within rounding."""

from __future__ import annotations

import numpy as np
import pytest

from oracle_kernels import check, floats, interpreted, run_alone, run_both, source
from warpsmith.validation.oracle.builtins.randoms import Stream, initial, next_state
from warpsmith.validation.oracle.values.agreement import disagreement
from warpsmith.validation.oracle.values.interpretation_errors import Undefined, Unsupported

INTEGERS = """
@wp.kernel
def k(seeds: wp.array(dtype=int), o: wp.array2d(dtype=int)):
    i = wp.tid()
    s = wp.rand_init(seeds[i])
    t = wp.rand_init(seeds[i], i - 7)
    o[i, 0] = wp.randi(s)
    o[i, 1] = wp.randi(s, -5, 12)
    o[i, 2] = int(wp.randu(t))
    o[i, 3] = int(wp.randu(t, wp.uint32(3), wp.uint32(4000000000)))
    o[i, 4] = int(wp.poisson(t, 3.5))
    o[i, 5] = int(wp.poisson(t, 0.0))
    o[i, 6] = int(wp.randf(s) * 16777216.0)
    o[i, 7] = int(s)
    u = s
    o[i, 8] = wp.randi(u) ^ wp.randi(s)
"""

FLOATS = """
@wp.kernel
def k(x: wp.array(dtype=float), table: wp.array(dtype=float), o: wp.array2d(dtype=float), c: wp.array2d(dtype=wp.vec3)):
    i = wp.tid()
    s = wp.rand_init(42, i)
    o[i, 0] = wp.randn(s)
    o[i, 1] = wp.randf(s, -3.0, x[i] + 5.0)
    o[i, 2] = wp.dot(wp.sample_unit_disk(s), wp.vec2(1.0, 3.0)) + wp.dot(wp.sample_unit_ring(s), wp.vec2(1.0, 3.0))
    o[i, 3] = wp.dot(wp.sample_triangle(s), wp.vec2(1.0, 3.0)) + wp.dot(wp.sample_unit_square(s), wp.vec2(1.0, 3.0))
    o[i, 4] = float(wp.sample_cdf(s, table))
    o[i, 5] = wp.noise(s, x[i]) + wp.pnoise(s, 3.0 * x[i], 3)
    o[i, 6] = wp.noise(s, wp.vec2(x[i], 7.0)) + wp.pnoise(s, wp.vec2(9.0 * x[i], -x[i]), 4, 5)
    o[i, 7] = wp.noise(s, wp.vec3(x[i], -x[i], 0.5)) + wp.pnoise(s, wp.vec3(x[i] * 5.0, -x[i], x[i]), 2, 3, 4)
    o[i, 8] = wp.noise(s, wp.vec4(x[i], -x[i], 0.5, 3.3)) + wp.pnoise(s, wp.vec4(5.0, -x[i], x[i], -x[i]), 2, 3, 4, 5)
    p = wp.curlnoise(s, wp.vec2(x[i], -2.5 * x[i]), wp.uint32(3), 1.7, 0.6)
    c[i, 0] = wp.sample_unit_sphere(s) + 2.0 * wp.sample_unit_sphere_surface(s)
    c[i, 1] = wp.sample_unit_hemisphere(s) + 2.0 * wp.sample_unit_hemisphere_surface(s)
    c[i, 2] = wp.sample_unit_cube(s) + wp.vec3(p[0], p[1], wp.randf(s))
    c[i, 3] = wp.curlnoise(s, wp.vec3(x[i], -x[i], 3.0 * x[i])) + wp.curlnoise(s, wp.vec4(x[i], x[i], 0.0, 1.0), wp.uint32(2))
    c[i, 4] = wp.vec3(wp.randf(s), wp.randf(s), 10.0 * wp.randf(s))
"""


def test_integers_equal_warps() -> None:
    seeds = np.array([0, 1, -1, 2**31 - 1, -(2**31), 12345], np.int32)
    results, expected = run_both(source(INTEGERS), (6,), seeds=("int32", seeds), o=("int32", np.zeros((6, 9), np.int32)))
    assert np.array_equal(results["o"], expected["o"])
    assert np.all(np.any(results["o"][:, [0, 1, 2, 3, 4, 6, 7]] != 0, axis=0))


def test_distributions_and_noise() -> None:
    arrays = {"o": ("float32", np.zeros((20, 9), np.float32)), "c": ("vec3f", np.zeros((20, 5, 3), np.float32))}
    table = np.linspace(0.0, 1.0, 9, dtype=np.float32)
    results = check(FLOATS, (20,), x=("float32", floats(20)), table=("float32", table), **arrays)
    assert np.all(np.std(results["o"], axis=0) > 0.01)


@pytest.mark.parametrize(
    "change", [("42, i", "42, i + 1"), ("wp.randf(s), 10.0", "10.0 * wp.randf(s), 1.0"), ("x[i], 3)", "x[i], 4)")]
)
def test_a_changed_draw_is_seen(change: tuple[str, str]) -> None:
    arrays = {"o": ("float32", np.zeros((20, 9), np.float32)), "c": ("vec3f", np.zeros((20, 5, 3), np.float32))}
    arguments = {"x": ("float32", floats(20)), "table": ("float32", floats(9)), **arrays}
    assert change[0] in FLOATS
    right, wrong = (interpreted(source(text), (20,), **arguments) for text in (FLOATS, FLOATS.replace(*change)))
    assert disagreement(wrong, right) is not None


def test_the_generator_is_documented_arithmetic() -> None:
    assert next_state(0) == 129708002
    assert initial(-1) == next_state(2**32 - 1)
    assert 0.0 <= Stream(7).uniform() < 1.0


@pytest.mark.parametrize(
    ("body", "error", "reason"),
    [
        ("s = 1\no[0] = wp.randf(s)", Unsupported, "randf of int32"),
        ("o[0] = wp.randf(wp.rand_init(1))", Unsupported, "something else than a variable"),
        ("s = wp.rand_init(1)\no[0] = wp.randf(s, 1.0)", Unsupported, "randf of uint32, float32"),
        ("s = wp.rand_init(1)\no[0] = float(wp.randi(s, 3, 3))", Undefined, "empty range"),
        ("s = wp.rand_init(1)\no[0] = float(wp.poisson(s, -1.0))", Undefined, "Poisson"),
        ("s = wp.rand_init(1)\no[0] = wp.noise(s, 1.0e30)", Undefined, "too far"),
    ],
)
def test_draws_without_a_result(body: str, error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        run_alone(body)
