"""Functions of numbers, integers and casts give the results of Warp's kernels on the CPU, or of plain arithmetic."""

from __future__ import annotations

import textwrap

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_kernels import check, floats, run_alone, run_both, source, table

SPECIAL = [0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 0.49999997, 1.0, -1.0, 1e-8, 3.0, 100.0, 8388609.0, np.nan, np.inf, -np.inf]


EXACT = "floor ceil trunc rint round frac sign step nonzero abs neg sqrt degrees radians".split()


ROUNDED = "sin cos tan asin acos atan sinh cosh tanh exp log log2 log10 erf erfc cbrt".split()


def test_functions_of_one_number() -> None:
    x = np.concatenate([floats(100, low=-1.0, high=1.0), floats(100, low=-20.0, high=20.0, seed=1), SPECIAL]).astype(np.float32)
    names = EXACT + ROUNDED
    text = source(table("x: wp.array(dtype=float)", "float", [f"wp.{name}(x[i])" for name in names]))
    out = np.zeros((len(x), len(names)), np.float32)
    results, expected = run_both(text, (len(x),), x=("float32", x), o=("float32", out))
    for column, name in enumerate(names):
        got, want = results["o"][:, column], expected["o"][:, column]
        units = 0 if name in EXACT else 2
        finite = np.isfinite(want)
        assert np.array_equal(got[~finite], want[~finite], equal_nan=True), name
        assert np.array_equal(np.signbit(got[~np.isnan(want)]), np.signbit(want[~np.isnan(want)])), name
        assert np.all(np.abs(got[finite] - want[finite]) <= units * np.spacing(np.abs(want[finite]))), name


def test_functions_of_two_and_three_numbers() -> None:
    grid = np.array([-2.5, -1.0, -0.0, 0.0, 0.3, 1.0, 7.25, np.nan, np.inf], np.float32)
    x, y = (np.ascontiguousarray(part.ravel()) for part in np.meshgrid(grid, grid))
    rows = [f"wp.{name}(a, b)" for name in "min max atan2 copysign pow add sub mul div".split()]
    rows += ["a % b", "a // b", "a ** b", "wp.clamp(a, b, 0.5)", "wp.lerp(a, b, 0.25)", "wp.smoothstep(-1.0, 2.0, a)"]
    rows += ["wp.where(a < b, a, b)", "float(wp.isfinite(a))", "float(wp.isnan(a))", "float(wp.isinf(b))"]
    text = table("a_s: wp.array(dtype=float), b_s: wp.array(dtype=float)", "float", rows)
    text = text.replace("wp.tid()\n", "wp.tid()\n    a = a_s[i]\n    b = b_s[i]\n")
    check(text, (len(x),), a_s=("float32", x), b_s=("float32", y), o=("float32", np.zeros((len(x), len(rows)), np.float32)))


@pytest.mark.parametrize("dtype", ["int32", "uint8", "int8", "uint32", "int64"])
def test_integers_behave_as_in_c(dtype: str) -> None:
    limits = np.iinfo(dtype)
    grid = np.array(
        sorted({limits.min, limits.min + 1, 0, 1, 2, 7, 100, limits.max} | ({-1, -2, -7} if limits.min else set())), dtype
    )
    x, y = (np.ascontiguousarray(part.ravel()) for part in np.meshgrid(grid, grid))
    defined = (y != 0) & ~((x == limits.min) & (y.astype(np.float64) == -1))
    x, y = x[defined], y[defined]
    rows = [f"a {operator} b" for operator in "+ - * / // % & | ^".split()]
    rows += [f"a {operator} wp.{dtype}(3)" for operator in ("<<", ">>")]
    rows += [
        "~a",
        "-a",
        "wp.min(a, b)",
        "wp.max(a, b)",
        "wp.clamp(a, wp.{0}(1), b)",
        "wp.abs(a)",
        "wp.step(a)",
        "wp.nonzero(a)",
    ]
    text = table(f"x: wp.array(dtype=wp.{dtype}), y: wp.array(dtype=wp.{dtype})", f"wp.{dtype}", rows).replace("{0}", dtype)
    text = text.replace("wp.tid()\n", "wp.tid()\n    a = x[i]\n    b = y[i]\n")
    out = np.zeros((len(x), len(rows)), dtype)
    check(text, (len(x),), x=(dtype, x), y=(dtype, y), o=(dtype, out))


def test_casts_and_comparisons() -> None:
    x = np.array([-3.7, -0.5, 0.0, 0.5, 3.7, 300.2, 16777217.0], np.float32)
    n = np.array([-3, 0, 1, 200, 70000, 16777217, -(2**31)], np.int32)
    rows = ["float(wp.int32(a))", "float(wp.int64(a))", "float(m)", "wp.float32(wp.uint8(m))", "float(wp.int16(m))"]
    rows += [
        "float(wp.uint32(m))",
        "float(wp.float64(0.1) * wp.float64(3.0) * 1.0e15 - 3.0e14)".replace("1.0e15", "wp.float64(1.0e15)"),
    ]
    rows[-1] = rows[-1].replace("3.0e14)", "wp.float64(3.0e14))")
    rows += [
        "float(a < m)",
        "float(m == a)",
        "float(wp.uint32(m) > m)",
        "float(wp.int8(m) <= m)",
        "float(bool(a))",
        "float(not m)",
    ]
    rows += ["float(LARGE >> wp.uint32(4))", "SCALE * a", "float(wp.uint64(BIG) >> wp.uint64(60))", "float(wp.float16(a))"]
    rows += ["float(-1.0 < a < 1.0)", "float(a > 0.0 and m)", "float(m or a)", "1.0 if a > 0.0 else -1.0", "float(True)"]
    rows += ["float(wp.vec3d(0.1, 0.2, 0.3)[0] - wp.float64(0.1))", "float(HALF)", "float(int(2.9) + int(-2.9))", "wp.PI * a"]
    text = """
        import math
        LARGE = wp.constant(wp.uint32(0x9E3779B9))
        BIG = 0xF000000000000000
        HALF = wp.constant(1.0 / 2.0)
        SCALE = wp.constant(2.0 * math.pi)
    """
    body = table("x: wp.array(dtype=float), n: wp.array(dtype=int)", "float", rows)
    body = body.replace("wp.tid()\n", "wp.tid()\n    a = x[i]\n    m = n[i]\n")
    check(
        textwrap.dedent(text) + body,
        (len(x),),
        x=("float32", x),
        n=("int32", n),
        o=("float32", np.zeros((len(x), len(rows)), np.float32)),
    )


@given(st.floats(-1e6, 1e6, width=32), st.floats(-1e6, 1e6, width=32))
@settings(deadline=None, max_examples=50)
def test_arithmetic_is_in_single_precision(a: float, b: float) -> None:
    assert run_alone(f"o[0] = x * {b!r} + x - {b!r}", a) == float(
        np.float32(np.float32(np.float32(a) * np.float32(b)) + np.float32(a)) - np.float32(b)
    )


@given(st.integers(-(2**31), 2**31 - 1), st.integers(-(2**31), 2**31 - 1))
@settings(deadline=None, max_examples=50)
def test_integers_wrap_around(a: int, b: int) -> None:
    for operator, exact in (("+", a + b), ("-", a - b), ("*", a * b)):
        wrapped = (exact + 2**31) % 2**32 - 2**31
        assert run_alone(f"a = int({a})\nif a {operator} int({b}) == int({wrapped}):\n    o[0] = 1.0") == 1.0, operator


@given(st.integers(-1000, 1000), st.integers(-50, 50).filter(bool))
@settings(deadline=None, max_examples=50)
def test_quotients_of_integers(a: int, b: int) -> None:
    cut = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    assert run_alone(f"o[0] = float({a} / {b})") == cut
    assert run_alone(f"o[0] = float({a} % {b})") == a - cut * b
    assert run_alone(f"o[0] = float({a} // {b})") == a // b
