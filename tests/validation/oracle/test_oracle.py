"""The oracle is held against what Warp's own kernels leave on the CPU, and against plain arithmetic where that says enough."""

from __future__ import annotations

import ast
import contextlib
import functools
import itertools
import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import warp as wp
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from warpsmith.core.inputs.values import Values, element, make_inputs
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.extraction.loading import loaded_kernel
from warpsmith.extraction.warp.runtime import start_runtime
from warpsmith.synthesis.kernel_key import KernelKey
from warpsmith.synthesis.writing.generate import Sample, write_kernel
from warpsmith.validation.oracle.agreement import SHARE_OF_SCALE, disagreement
from warpsmith.validation.oracle.builtins import ROWS
from warpsmith.validation.oracle.errors import Exhausted, Undefined, Unsupported
from warpsmith.validation.oracle.interpret import interpret

DOMAIN = Domain(kind="uniform", low=0.0, high=1.0)
_numbers = itertools.count()


@pytest.fixture(autouse=True, scope="module")
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    start_runtime()  # which sets the folder that is put back
    before = wp.config.kernel_cache_dir
    wp.config.kernel_cache_dir = str(tmp_path_factory.mktemp("kernels"))
    yield
    wp.config.kernel_cache_dir = before


def source(text: str) -> str:
    return "import warp as wp\n\n" + textwrap.dedent(text)


def launch_of(dim: tuple[int, ...], values: dict[str, tuple[str, Values]]) -> Launch:
    """A launch whose arguments have these types and the shapes of these values; what has none is a value."""
    arguments = []
    for name, (dtype, array) in values.items():
        inner = () if array.dtype.names else element(dtype)[1]
        shape = array.shape[: array.ndim - len(inner)]
        kind = "array" if shape else "value"
        arguments.append(Argument(name=name, kind=kind, dtype=dtype, role="inout", shape=shape, domain=DOMAIN))
    return Launch(dim=dim, args=tuple(arguments))


def real(text: str, name: str, how: Launch, values: dict[str, Values]) -> dict[str, Values]:
    """What Warp's own kernel leaves in the arrays, on the CPU and without optimization."""
    with loaded_kernel(text, name, None, f"warpsmith_oracle_{os.getpid()}_{next(_numbers)}") as kernel:
        wp.set_module_options({"optimization_level": 0, "enable_backward": False}, kernel.module)
        arguments: dict[str, object] = {}
        for argument, declared in zip(how.args, kernel.adj.args, strict=True):
            given = values[argument.name]
            dtype = getattr(declared.type, "dtype", declared.type)
            if argument.kind == "array":
                arguments[argument.name] = wp.array(given, dtype=dtype, device="cpu")
            else:
                arguments[argument.name] = dtype(*np.ravel(given)) if given.ndim else dtype(given.item())
        wp.launch(kernel, dim=how.dim, inputs=list(arguments.values()), device="cpu")
        return {argument.name: arguments[argument.name].numpy().copy() for argument in how.args if argument.kind == "array"}


def both(text: str, dim: tuple[int, ...], **values: tuple[str, Values]) -> tuple[dict[str, Values], dict[str, Values]]:
    """Results of the kernel ``k`` from the oracle and from Warp."""
    how = launch_of(dim, values)
    plain = {name: array for name, (_, array) in values.items()}
    before = {name: array.copy() for name, array in plain.items()}
    results = interpret(text, "k", how, plain)
    assert all(np.array_equal(before[name], array, equal_nan=array.dtype.kind == "f") for name, array in plain.items())
    return results, real(text, "k", how, plain)


def check(text: str, dim: tuple[int, ...] = (1,), **values: tuple[str, Values]) -> dict[str, Values]:
    """Hold the oracle against Warp, and return what the oracle says; what no thread writes would prove nothing."""
    results, expected = both(source(text), dim, **values)
    assert disagreement(results, expected) is None
    assert any(not np.array_equal(results[name], array) for name, (_, array) in values.items() if name in results)
    return results


def floats(*shape: int, seed: int = 0, low: float = -2.0, high: float = 2.0) -> Values:
    return np.random.default_rng(seed).uniform(low, high, shape).astype(np.float32)


def table(inputs: str, dtype: str, rows: list[str]) -> str:
    """A kernel that stores the value of each expression in a column of its own."""
    body = "".join(f"    o[i, {column}] = {row}\n" for column, row in enumerate(rows))
    return f"@wp.kernel\ndef k({inputs}, o: wp.array2d(dtype={dtype})):\n    i = wp.tid()\n{body}"


# -------------------------------------------------------------------------------------------------- numbers against Warp

SPECIAL = [0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 0.49999997, 1.0, -1.0, 1e-8, 3.0, 100.0, 8388609.0, np.nan, np.inf, -np.inf]
EXACT = "floor ceil trunc rint round frac sign step nonzero abs neg sqrt degrees radians".split()
ROUNDED = "sin cos tan asin acos atan sinh cosh tanh exp log log2 log10 erf erfc cbrt".split()


def test_functions_of_a_number() -> None:
    x = np.concatenate([floats(100, low=-1.0, high=1.0), floats(100, low=-20.0, high=20.0, seed=1), SPECIAL]).astype(np.float32)
    names = EXACT + ROUNDED
    text = source(table("x: wp.array(dtype=float)", "float", [f"wp.{name}(x[i])" for name in names]))
    out = np.zeros((len(x), len(names)), np.float32)
    results, expected = both(text, (len(x),), x=("float32", x), o=("float32", out))
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
def test_integers_are_those_of_c(dtype: str) -> None:
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


# ---------------------------------------------------------------------------------------------- vectors and their kin


def columns(prelude: str, rows: dict[str, str]) -> str:
    """A kernel with an array for the value of each expression."""
    parameters = ", ".join(f"r{index}: wp.array(dtype={dtype})" for index, dtype in enumerate(rows.values()))
    body = "".join(f"    r{index}[i] = {row}\n" for index, row in enumerate(rows))
    before = textwrap.indent(textwrap.dedent(prelude), "    ")
    return f"@wp.kernel\ndef k({{inputs}}, {parameters}):\n    i = wp.tid()\n{before}\n{body}"


def check_columns(inputs: dict[str, tuple[str, str, Values]], prelude: str, rows: dict[str, str]) -> None:
    count = len(next(iter(inputs.values()))[2])
    text = columns(prelude, rows).replace(
        "{inputs}", ", ".join(f"{name}: wp.array(dtype={one[0]})" for name, one in inputs.items())
    )
    values: dict[str, tuple[str, Values]] = {name: (dtype, array) for name, (_, dtype, array) in inputs.items()}
    for index, written in enumerate(rows.values()):
        name = {"float": "float32", "int": "int32"}.get(written, written.removeprefix("wp."))
        name = name + "f" if (name[-1].isdigit() and name[0] in "vm") or name == "quat" else name
        scalar, shape = element(name)
        values[f"r{index}"] = (name, np.full((count, *shape), 77, scalar))
    check(text, (count,), **values)


def test_vectors() -> None:
    prelude = """
        u = u_s[i]
        v = v_s[i]
        w = u
        w[1] = 9.0
        w.x += 2.0
        w[-1] -= 1.0
        w *= 2.0
        n = wp.vec2i(7, -3)
    """
    rows = {row: "wp.vec3" for row in """
        u+v|u-v|u*2.0|3.0*u|u/2.0|-u|2.0/v|wp.cross(u,v)|wp.normalize(u)|wp.cw_mul(u,v)|wp.cw_div(u,v)|wp.min(u,v)|wp.max(u,v)
        wp.abs(u)|wp.sign(u)|wp.lerp(u,v,0.3)|w|wp.vec3(1.0)|wp.vec3()|wp.vec3(u[2],v.y,u.x)|wp.where(u[0]>0.0,u,v)
        wp.vec3(wp.vec3d(wp.float64(0.1)))|wp.vector(u[0],2.0,3.0)|wp.normalize(wp.vec3())|u%v|wp.vec3f(1.0,2.0,3.0)
    """.replace("\n", "|").replace(" ", "").split("|") if row}  # fmt: skip
    rows |= {
        "wp.dot(u, v)": "float",
        "wp.length(u)": "float",
        "wp.length_sq(u)": "float",
        "wp.min(u)": "float",
        "wp.max(v)": "float",
    }
    rows |= {
        "float(wp.argmin(u))": "float",
        "float(wp.argmax(u))": "float",
        "float(u == v) + 2.0 * float(u == u)": "float",
        "float(len(u))": "float",
    }
    rows |= {
        "u[0:2]": "wp.vec2",
        "wp.vec4(1.0, 2.0, 3.0, u[0])": "wp.vec4",
        "wp.length(wp.vec4(u[0], v[1], u[2], 1.0))": "float",
    }
    rows |= {"n / wp.vec2i(2, 2)[0]": "wp.vec2i", "n % wp.vec2i(2, 2)": "wp.vec2i", "n * 3": "wp.vec2i"}
    check_columns(
        {"u_s": ("wp.vec3", "vec3f", floats(20, 3)), "v_s": ("wp.vec3", "vec3f", floats(20, 3, seed=1))}, prelude, rows
    )


def test_matrices() -> None:
    prelude = """
        a = a_s[i]
        b = b_s[i]
        c = c_s[i]
        x = a[0]
        y = a[1]
        m = a
        m[1, 2] = 5.0
        m[0][1] = 6.0
        m[2, 0] += 7.0
        t = wp.mat22(1.0, 2.0, 3.0, x[0])
    """
    rows = {row: "wp.mat33" for row in """
        a+b|a-b|a*b|a@b|a*2.0|0.5*a|a/3.0|-a|wp.transpose(a)|wp.inverse(a)|wp.outer(x,y)|wp.diag(x)|wp.skew(x)|wp.cw_mul(a,b)
        wp.cw_div(a,b)|m|wp.mat33(1.0)|wp.mat33(1.0,2.0,3.0,4.0,5.0,6.0,7.0,8.0,x[0])|wp.identity(n=3,dtype=float)
        wp.matrix_from_rows(x,y,x)|wp.matrix_from_cols(x,y,x)|wp.lerp(a,b,0.25)
    """.replace("\n", "|").replace(" ", "").split("|") if row}  # fmt: skip
    rows |= {"a * x": "wp.vec3", "x * a": "wp.vec3", "wp.get_diag(a)": "wp.vec3", "a[-1]": "wp.vec3", "a @ y": "wp.vec3"}
    rows |= {"wp.determinant(a)": "float", "wp.determinant(c)": "float", "wp.determinant(t)": "float", "wp.trace(a)": "float"}
    rows |= {"wp.ddot(a, b)": "float", "a[1, 2] + a[2][0]": "float", "wp.inverse(t)": "wp.mat22", "wp.inverse(c)": "wp.mat44"}
    rows |= {
        "wp.transform_point(c, x)": "wp.vec3",
        "wp.transform_vector(c, x)": "wp.vec3",
        "wp.inverse(wp.mat33())": "wp.mat33",
    }
    rows |= {"c * c": "wp.mat44", "wp.matrix(1.0, 2.0, 3.0, x[1], shape=(2, 2), dtype=float)": "wp.mat22", "t * t": "wp.mat22"}
    near = np.eye(3, dtype=np.float32) * 3
    wide = np.eye(4, dtype=np.float32) * 4
    inputs = {
        "a_s": ("wp.mat33", "mat33f", near + floats(12, 3, 3)),
        "b_s": ("wp.mat33", "mat33f", near + floats(12, 3, 3, seed=1)),
    }
    check_columns(inputs | {"c_s": ("wp.mat44", "mat44f", wide + floats(12, 4, 4, seed=2))}, prelude, rows)


def test_rotations() -> None:
    prelude = """
        p = p_s[i]
        q = wp.normalize(q_s[i])
        v = v_s[i]
        r = wp.quat_rpy(v[0], v[1], v[2])
        t = wp.transform(v, q)
        s = wp.transform(2.0 * v, p)
        axis, angle = wp.quat_to_axis_angle(p)
        f = wp.spatial_vector(v, axis)
        g = wp.spatial_vector(axis, axis + v)
    """
    rows = {row: "wp.quat" for row in """
        p*q|q*p|p+q|p-q|2.0*q|q/2.0|wp.quat_inverse(q)|wp.quat_identity()|wp.quat_from_axis_angle(axis,0.7)|r|wp.quat_slerp(p,q,0.3)
        wp.quat(0.1,0.2,0.3,0.4)|wp.quat(v,1.0)|wp.quat_from_matrix(wp.quat_to_matrix(q))|wp.normalize(wp.quat())
        wp.transform_get_rotation(t*s)|wp.lerp(p,q,0.5)|wp.quat_from_matrix(wp.quat_to_matrix(wp.quat(1.0,0.0,0.0,0.0)*q))
    """.replace("\n", "|").replace(" ", "").split("|") if row}  # fmt: skip
    rows |= {row: "wp.vec3" for row in """
        wp.quat_rotate(q,v)|wp.quat_rotate_inv(q,v)|axis|wp.transform_point(t,v)|wp.transform_vector(t,v)|wp.transform_get_translation(t)
        wp.transform_get_translation(wp.transform_inverse(t)*s)|wp.spatial_top(wp.spatial_cross(f,g))|t.p+wp.quat_rotate(t.q,v)
        wp.spatial_bottom(wp.spatial_cross(f,g))|wp.spatial_bottom(wp.spatial_cross_dual(f,g))|wp.spatial_top(f+g)
        wp.transform_get_translation(wp.transform_multiply(t,wp.transform_identity()))
    """.replace("\n", "|").replace(" ", "").split("|") if row}  # fmt: skip
    rows |= {
        "angle": "float",
        "wp.dot(p, q)": "float",
        "wp.length(q)": "float",
        "p[3] + q.x": "float",
        "wp.spatial_dot(f, g)": "float",
    }
    rows |= {"wp.quat_to_matrix(q)": "wp.mat33"}
    turns = floats(20, 4)
    turns /= np.linalg.norm(turns, axis=1, keepdims=True)
    inputs = {"p_s": ("wp.quat", "quatf", turns), "q_s": ("wp.quat", "quatf", floats(20, 4, seed=1))}
    check_columns(inputs | {"v_s": ("wp.vec3", "vec3f", floats(20, 3, seed=2))}, prelude, rows)


# ------------------------------------------------------------------------------------------- statements and functions


def test_control_flow() -> None:
    text = """
        STOP = wp.constant(5)

        @wp.kernel
        def k(x: wp.array(dtype=float), n: int, o: wp.array2d(dtype=float)):
            i = wp.tid()
            if i == 3:
                return
            total = float(0.0)
            for j in range(n):
                if x[j] < -1.0:
                    continue
                elif x[j] > 1.5:
                    break
                else:
                    total += x[j]
            o[i, 0] = total
            count = int(0)
            for j in range(10, i, -2):
                for m in range(1, j):
                    if m > STOP:
                        break
                    count += m * j
            o[i, 1] = float(count)
            steps = int(0)
            value = x[i] + 10.0
            while value > 0.5 and steps < 40:
                value *= 0.7
                steps += 1
                if steps == 11:
                    break
            o[i, 2] = value
            o[i, 3] = float(steps) if i % 2 == 0 else -float(steps)
            best = x[0]
            at = int(0)
            for j in range(n):
                if x[j] > best:
                    best = x[j]
                    at = j
            o[i, 4] = best
            o[i, 5] = float(at)
            if i < n and x[i] > 0.0:
                o[i, 6] = 1.0
            if i >= n or not x[i] > 0.0:
                o[i, 6] = 2.0
            a = x[i]
            b = o[i, 4]
            a, b = b, a
            o[i, 7] = a - 2.0 * b
            o[i, 7] *= 2.0
            o[i, 7] -= 1.0
            for j in range(4):
                pass
            o[i, 8] = 0.1 * 3.0
    """
    check(
        text, (12,), x=("float32", floats(12)), n=("int32", np.array(9, np.int32)), o=("float32", np.zeros((12, 9), np.float32))
    )


def test_structs_and_helper_functions() -> None:
    text = """
        from typing import Any

        @wp.struct
        class Inner:
            v: wp.vec3
            q: wp.quat

        @wp.struct
        class Body:
            mass: float
            inner: Inner
            m: wp.mat22
            count: wp.int64

        @wp.func
        def twice(x: float):
            return 2.0 * x

        @wp.func
        def twice(x: wp.vec3):
            return x + x

        @wp.func
        def twice(x: float, y: float) -> float:
            x = x + y
            return twice(x) * 1.5

        @wp.func
        def split(v: wp.vec3, factor: float = 3.0):
            v[0] = 100.0
            return v[1] * factor, v

        @wp.func
        def change(b: Body):
            b.mass = 1000.0
            return b.mass

        @wp.func
        def same(x: Any):
            if x > x * x:
                return x
            return x * x

        @wp.func
        def put(o: wp.array(dtype=float), i: int, x: float):
            o[i] = o[i] + x

        @wp.kernel
        def k(bodies: wp.array(dtype=Body), o: wp.array(dtype=float), p: wp.array(dtype=wp.vec3)):
            i = wp.tid()
            b = bodies[i]
            c = b
            c.mass = twice(b.mass) + twice(1.0, b.mass)
            c.inner.v = twice(b.inner.v)
            c.inner.v[1] += 5.0
            c.inner.v.x = 6.0
            c.m[1, 0] = b.mass
            c.count = b.count * wp.int64(4000000000)
            first, second = split(b.inner.v)
            third, fourth = split(b.inner.v, factor=b.mass)
            big = change(b)
            put(o, i, first + third + second[0] + fourth[1] + big + b.mass + same(b.mass) + float(same(i)))
            p[i] = b.inner.v + wp.quat_rotate(b.inner.q, c.inner.v)
            d = Body()
            d.mass = 3.0
            e = Inner(b.inner.v, b.inner.q)
            put(o, i, d.inner.v[0] + d.mass + e.v[2])
            bodies[i] = c
            bodies[i].inner.v[2] = 8.0
            bodies[i].mass += 1.0
    """
    inner = np.dtype([("v", np.float32, 3), ("q", np.float32, 4)])
    body = np.dtype([("mass", np.float32), ("inner", inner), ("m", np.float32, (2, 2)), ("count", np.int64)], align=True)
    bodies = np.zeros(6, body)
    bodies["mass"], bodies["inner"]["v"], bodies["inner"]["q"] = floats(6), floats(6, 3), floats(6, 4)
    bodies["count"] = np.arange(6)
    zeros = np.zeros(6, np.float32)
    check(text, (6,), bodies=("Body", bodies), o=("float32", zeros), p=("vec3f", np.zeros((6, 3), np.float32)))


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


@pytest.mark.parametrize("dim", [(5,), (2, 3), (2, 3, 2), (2, 2, 3, 2)])
def test_launches(dim: tuple[int, ...]) -> None:
    names = "abcd"[: len(dim)]
    index = ", ".join(names)
    text = f"""
        @wp.kernel
        def k(o: wp.array(dtype=float, ndim={len(dim)}), order: wp.array(dtype=int)):
            {index} = wp.tid()
            o[{index}] = {" + ".join(f"10.0 * float({name} + 1)" for name in names)} + o[{index}]
            at = wp.atomic_add(order, 0, 1)
            order[at + 1] = wp.tid() * 100 + {" + ".join(names)}
    """
    count = int(np.prod(dim))
    check(text, dim, o=("float32", floats(*dim)), order=("int32", np.zeros(count + 1, np.int32)))


# ------------------------------------------------------------------------------------------------- generated kernels


def samples(first: int, count: int) -> list[Sample]:
    """Generated kernels; ten in a row are of ten categories."""
    return [write_kernel(KernelKey(2000, index)) for index in range(first, first + count)]


def test_generated_kernels_of_all_categories() -> None:
    chosen = samples(40, 20)
    assert len({sample.category for sample in chosen}) == 10
    for sample in chosen:
        values = make_inputs(sample.launch, sample.id)
        results = interpret(sample.source, sample.kernel_name, sample.launch, values)
        expected = real(sample.source, sample.kernel_name, sample.launch, values)
        assert disagreement(results, expected) is None, sample.source


@pytest.mark.parametrize("seed", [2000, 2001, 2002, 2003])
def test_every_generated_kernel_is_in_the_language(seed: int) -> None:
    for index in range(0, 490, 10):
        sample = write_kernel(KernelKey(seed, index + seed % 10))
        values = make_inputs(sample.launch, sample.id)
        before = {name: array.copy() for name, array in values.items()}
        results = interpret(sample.source, sample.kernel_name, sample.launch, values)
        arrays = {argument.name: argument for argument in sample.launch.args if argument.kind == "array"}
        assert results.keys() == arrays.keys()
        for name, array in results.items():
            assert (array.shape, array.dtype) == (values[name].shape, values[name].dtype)
            assert np.array_equal(values[name], before[name])
            assert np.array_equal(array, before[name]) or arrays[name].role != "input", (sample.id, name)


SWAPPED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
}


def swapped(text: str, which: int) -> str | None:
    """The source with one of its operators exchanged, or None if it has not that many."""
    tree = ast.parse(text)
    found = [node for node in ast.walk(tree) if isinstance(node, ast.BinOp) and type(node.op) in SWAPPED]
    if which >= len(found):
        return None
    found[which].op = SWAPPED[type(found[which].op)]()
    return ast.unparse(tree)


def test_a_swapped_operator_is_seen() -> None:
    seen, hidden = 0, []
    for sample in samples(100, 30):
        values = make_inputs(sample.launch, sample.id)
        right = interpret(sample.source, sample.kernel_name, sample.launch, values)
        for which in itertools.count():
            broken = swapped(sample.source, which)
            if broken is None:
                break
            try:
                results = interpret(broken, sample.kernel_name, sample.launch, values)
            except Unsupported:
                continue  # an index that is none any more, or an operation that types do not have
            if all(np.array_equal(results[name], right[name]) for name in right):
                continue  # the operator has no say, for instance in a branch that nobody takes
            if disagreement(results, right):
                seen += 1
            else:
                hidden.append((sample.id, which))
    assert seen > 100
    assert len(hidden) <= seen // 50, hidden


def test_a_swapped_operator_is_not_what_warp_computes() -> None:
    (sample,) = samples(41, 1)
    values = make_inputs(sample.launch, sample.id)
    expected = real(sample.source, sample.kernel_name, sample.launch, values)
    broken = swapped(sample.source, 0)
    assert broken is not None
    assert disagreement(interpret(broken, sample.kernel_name, sample.launch, values), expected)


# ------------------------------------------------------------------------------------------------------- without Warp


def alone(body: str, value: float = 0.0, steps: int = 10_000, prelude: str = "", size: int = 4) -> float:
    """What the statements leave in ``o[0]``, with ``x`` a number."""
    text = f"import warp as wp\nimport math\n{textwrap.dedent(prelude)}\n\n"
    text += "@wp.kernel\ndef k(x: float, o: wp.array(dtype=float)):\n"
    text += textwrap.indent(textwrap.dedent(body).strip("\n"), "    ") + "\n"
    values = {"x": ("float32", np.asarray(value, np.float32)), "o": ("float32", np.zeros(size, np.float32))}
    arguments = {name: array for name, (_, array) in values.items()}
    return float(interpret(text, "k", launch_of((1,), values), arguments, steps)["o"][0])


@given(st.floats(-1e6, 1e6, width=32), st.floats(-1e6, 1e6, width=32))
@settings(deadline=None, max_examples=50)
def test_arithmetic_is_in_single_precision(a: float, b: float) -> None:
    assert alone(f"o[0] = x * {b!r} + x - {b!r}", a) == float(
        np.float32(np.float32(np.float32(a) * np.float32(b)) + np.float32(a)) - np.float32(b)
    )


@given(st.integers(-(2**31), 2**31 - 1), st.integers(-(2**31), 2**31 - 1))
@settings(deadline=None, max_examples=50)
def test_integers_wrap_around(a: int, b: int) -> None:
    for operator, exact in (("+", a + b), ("-", a - b), ("*", a * b)):
        wrapped = (exact + 2**31) % 2**32 - 2**31
        assert alone(f"a = int({a})\nif a {operator} int({b}) == int({wrapped}):\n    o[0] = 1.0") == 1.0, operator


@given(st.integers(-1000, 1000), st.integers(-50, 50).filter(bool))
@settings(deadline=None, max_examples=50)
def test_quotients_of_integers(a: int, b: int) -> None:
    cut = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    assert alone(f"o[0] = float({a} / {b})") == cut
    assert alone(f"o[0] = float({a} % {b})") == a - cut * b
    assert alone(f"o[0] = float({a} // {b})") == a // b


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=3))
@settings(deadline=None, max_examples=50)
def test_ranges_are_those_of_python(bounds: list[int]) -> None:
    if bounds[2:] == [0]:
        bounds[2] = 1
    written = ", ".join(map(str, bounds))
    assert alone(f"n = int(0)\nfor j in range({written}):\n    n = n * 3 + j\no[0] = float(n)") == np.float32(
        functools.reduce(lambda n, j: n * 3 + j, range(*bounds), 0)
    )


@given(st.integers(2, 4), st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=30)
def test_inverses_and_determinants(size: int, seed: int) -> None:
    matrix = np.random.default_rng(seed).uniform(-1, 1, (size, size)).astype(np.float32) + 3 * np.eye(size, dtype=np.float32)
    entries = ", ".join(repr(float(entry)) for entry in matrix.flat)
    prelude = f"m = wp.mat{size}{size}({entries})\n"
    assert np.isclose(alone(prelude + "o[0] = wp.determinant(m)"), np.linalg.det(matrix.astype(np.float64)), rtol=1e-5)
    assert np.isclose(alone(prelude + "o[0] = wp.inverse(m)[1, 0]"), np.linalg.inv(matrix.astype(np.float64))[1, 0], atol=1e-5)
    assert alone(f"o[0] = wp.inverse(wp.mat{size}{size}(1.0))[0, 0]") == 0.0


@given(st.lists(st.floats(-3, 3, width=32), min_size=3, max_size=3), st.floats(-3, 3, width=32))
@settings(deadline=None, max_examples=30)
def test_a_rotation_keeps_lengths_and_can_be_undone(axis: list[float], angle: float) -> None:
    assume(np.linalg.norm(axis) > 0.01)
    written = ", ".join(map(repr, axis))
    prelude = f"q = wp.quat_from_axis_angle(wp.normalize(wp.vec3({written})), {angle!r})\nv = wp.vec3(1.0, -2.0, 0.5)\n"
    assert np.isclose(alone(prelude + "o[0] = wp.length(wp.quat_rotate(q, v))"), np.sqrt(5.25), rtol=1e-5)
    assert alone(prelude + "o[0] = wp.length(wp.quat_rotate_inv(q, wp.quat_rotate(q, v)) - v)") < 1e-5
    assert alone(prelude + "o[0] = wp.length(wp.quat_to_matrix(q) * v - wp.quat_rotate(q, v))") < 1e-5


def test_conditions_stop_where_they_are_decided() -> None:
    assert alone("if x < 0.0 and o[99] > 0.0:\n    o[0] = 1.0") == 0.0
    assert alone("if x >= 0.0 or o[99] > 0.0:\n    o[0] = 1.0") == 1.0
    assert alone("o[0] = 2.0 if x == 0.0 else o[99]") == 2.0
    with pytest.raises(Undefined, match="99"):
        alone("o[0] = wp.where(x == 0.0, 2.0, o[99])")


def test_nothing_runs_beyond_its_launch() -> None:
    values = {"o": ("int32", np.zeros((3, 4), np.int32))}
    text = source("@wp.kernel\ndef k(o: wp.array2d(dtype=int)):\n    i, j = wp.tid()\n    o[i, j] += 10 * i + j + 1\n")
    results = interpret(text, "k", launch_of((2, 3), values), {"o": values["o"][1]})
    assert results["o"].tolist() == [[1, 2, 3, 0], [11, 12, 13, 0], [0, 0, 0, 0]]


# ---------------------------------------------------------------------------------------- what it does not say yes to


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("t = wp.tile_load(o, shape=4)", "tile_load"),
        ("s = wp.rand_init(1)", "rand_init"),
        ("o[0] = wp.static(1.0)", "static"),
        ("o[0] = wp.mesh_query_point(x)", "mesh_query_point"),
        ("o[0] = no_such_function(x)", "no_such_function"),
        ("o[0] = x * 2", "mul of float32 and int32"),
        ("o[0] = 1", "int32 stored where float32"),
        ("o[0] = wp.sin(1)", "sin of int32"),
        ("o[0] = wp.sin(x, x)", "'sin' with 2 arguments"),
        ("o[0] = wp.clamp(x=x, low=0.0, high=1.0)", "named arguments"),
        ("o[0] = [1.0][0]", "a List expression"),
        ("o[0] = (lambda: 1.0)()", "a call of an expression"),
        ("f = wp.sin\no[0] = f(x)", "the name 'wp.sin'"),
        ("with x:\n    pass", "a With statement"),
        ("try:\n    pass\nexcept:\n    pass", "a Try statement"),
        ("def inner():\n    pass", "a FunctionDef statement"),
        ("import os", "an? Import statement"),
        ("for v in o:\n    pass", "not over a range"),
        ("v = wp.vec3(1.0, 2.0)", "2 components"),
        ("v = wp.vec3()\no[0] = v.w", r"\.w of 3 float32"),
        ("v = wp.vec3() * wp.vec3()", "mul of 3 float32 and 3 float32"),
        ("q = wp.quat() * wp.vec3()", "mul of quaternion float32 and 3 float32"),
        ("if wp.vec3():\n    pass", "as a condition"),
        ("o[0] = UNKNOWN", "UNKNOWN"),
        ("o[0] = float(10**30)", "pow"),
        ("a = b = 1.0", "several targets"),
        ("del x", "a Delete statement"),
        ("o[0] = x is x", "comparison Is"),
        ("a = 1.0\nb = 2.0\nfor j in range(3):\n    a, b = b, a", "tuple of variables"),
        ("a, b = o[0], o[1]", "tuple of array elements"),
        ("o[0] = x.real", r"\.real of float32"),
        ("o.data = x", "a part of Array"),
    ],
)
def test_what_is_unknown_is_named(body: str, reason: str) -> None:
    with pytest.raises(Unsupported, match=reason) as caught:
        alone(body)
    assert type(caught.value) is Unsupported
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("o[0] = o[4]", "index 4 where there are 4"),
        ("o[-5] = 1.0", "index -5"),
        ("v = wp.vec3()\no[0] = v[3]", "index 3"),
        ("o[0] = float(1 / int(x))", "division by zero"),
        ("o[0] = float(1 % int(x))", "division by zero"),
        ("o[0] = float(-2147483648 / int(-1))", "overflows"),
        ("o[0] = float(1 << 32)", "shift"),
        ("o[0] = float(int(1.0e10))", "converted to int32"),
        ("o[0] = float(int(x / 0.0))", "nan converted to int32"),
        ("if x > 0.0:\n    y = 1.0\no[0] = y", "'y' read before"),
        ("for j in range(0, 3, int(x)):\n    pass", "step zero"),
    ],
)
def test_what_c_leaves_undefined_has_no_result(body: str, reason: str) -> None:
    with pytest.raises(Undefined, match=reason):
        alone(body)


LOOPING = "@wp.func\ndef f(x: float):\n    return f(x) + 1.0\n"
DOUBLING = "@wp.func\ndef f0(x: float):\n    return x\n" + "".join(
    f"@wp.func\ndef f{i + 1}(x: float):\n    return f{i}(x) + f{i}(x)\n" for i in range(30)
)


@pytest.mark.parametrize(
    ("body", "prelude"),
    [
        ("while True:\n    pass", ""),
        ("while x == x:\n    continue", ""),
        ("for i in range(2000000000):\n    pass", ""),
        ("for i in range(1000000):\n    for j in range(1000000):\n        o[0] += 1.0", ""),
        ("o[0] = f(x)", LOOPING),
        ("o[0] = f30(x)", DOUBLING),
    ],
    ids=["while", "continue", "range", "nested", "recursion", "doubling"],
)
def test_endless_work_ends(body: str, prelude: str) -> None:
    start = time.process_time()
    with pytest.raises(Exhausted):
        alone(body, prelude=prelude, steps=20_000)
    assert time.process_time() - start < 5.0


HOSTILE = [
    "import os\nos.system('touch written')",
    "__import__('os').system('touch written')",
    "open('written', 'w')",
    "exec('raise SystemExit')",
    "class A(metaclass=print):\n    pass",
    "@print\ndef f():\n    pass",
    "X = open('written', 'w')\nY = ().__class__.__bases__[0].__subclasses__()",
    "X = 'a' * 10**10",
    "X = 9**9**9**9",
    "X = 1 << 10**12",
    "\n".join(["X0 = 10**19", *(f"X{i + 1} = X{i} * X{i}" for i in range(60))]),
    "X = wp.types.vector(length=10**12, dtype=float)",
    "X = wp.vec3.__init__.__globals__",
    "x = " + "(" * 5000 + ")" * 5000,
    "x = " + "-" * 50_000 + "1",
    "x = " + " + ".join(["1"] * 20_000),
    "x = " + "1" * 100_000,
    "x" * 300_000,
    "\0",
    "def",
    "raise SystemExit",
    "while True: pass",
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: text[:30])
def test_hostile_modules_do_nothing(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    kernel = "\n@wp.kernel\ndef k(x: float, o: wp.array(dtype=float)):\n    o[0] = X\n"
    values = {"x": np.asarray(0.0, np.float32), "o": np.zeros(1, np.float32)}
    how = launch_of((1,), {name: ("float32", array) for name, array in values.items()})
    start = time.process_time()
    with pytest.raises(Unsupported):
        interpret("import warp as wp\n" + text + kernel, "k", how, values)
    assert time.process_time() - start < 5.0
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "body",
    [
        "o[0] = x.__class__",
        "o[0] = o.data.tofile('written')",
        "o.data.tofile('written')",
        "o[0] = wp.__dict__",
        "o[0] = wp.load_module('os')",
        "o[0] = math.__loader__",
        "o[0] = eval('1')",
        "o[0] = np.float32(1)",
        "o[0] = ROWS",
        "o[0] = self",
        "v = wp.identity(n=100000000, dtype=float)",
        "v = wp.vector(1.0, length=1000000000, dtype=float)",
        "o[0] = " + "-" * 3000 + "x",
    ],
)
def test_hostile_kernels_reach_nothing(body: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Unsupported):
        alone(body)
    assert not list(tmp_path.iterdir())


STRAY = """
    (1.0, x)|wp.quat()|wp.transform()|wp.mat33(2.0)|wp.mat22()[0:1]|wp.vec2()|wp.uint8(3)|wp.float64(2.0)|True|o|S()|S().v
    print("x")|wp.quat_to_axis_angle(wp.quat())|wp.mat33|wp.pi|float|...|1j|None|"x"|wp.tid()|wp.vec3()[0:2]|wp.vec3i(1)|{1}|*o
""".strip().replace("\n", "|").replace("    ", "").split("|")  # fmt: skip


def runs_or_is_unsupported(body: str) -> None:
    """Run the statements; any error but those that the oracle announces ends the test."""
    with contextlib.suppress(Unsupported):
        alone(body, prelude="@wp.struct\nclass S:\n    v: wp.vec3\n")


@given(st.sampled_from(sorted(ROWS)), st.lists(st.sampled_from(STRAY), min_size=1, max_size=4))
@settings(deadline=None, max_examples=600)
def test_a_builtin_of_anything_is_a_value_or_unsupported(name: str, arguments: list[str]) -> None:
    runs_or_is_unsupported(f"a = wp.{name}({', '.join(arguments)})\no[0] = 1.0")


@given(st.sampled_from("+ - * / // % ** @ & | ^ << >> < == != and or".split()), *[st.sampled_from(STRAY)] * 2)
@settings(deadline=None, max_examples=400)
def test_an_operator_on_anything_is_a_value_or_unsupported(operator: str, left: str, right: str) -> None:
    assume("*o" not in (left, right))
    runs_or_is_unsupported(f"a = ({left}) {operator} ({right})\nb = -a")
    runs_or_is_unsupported(f"c = ({left})[({right})]\nc.x = {right}\nc[{left}] += {right}")


def test_a_launch_has_to_fit_its_kernel() -> None:
    text = source("@wp.kernel\ndef k(o: wp.array(dtype=float)):\n    o[0] = 1.0\n")
    good = {"o": ("float32", np.zeros(1, np.float32))}
    values = {"o": good["o"][1]}
    assert interpret(text, "k", launch_of((1,), good), values)["o"].tolist() == [1.0]
    with pytest.raises(Unsupported, match="without a kernel 'other'"):
        interpret(text, "other", launch_of((1,), good), values)
    with pytest.raises(Unsupported, match="arguments"):
        interpret(text, "k", launch_of((1,), {"p": good["o"]}), {"p": good["o"][1]})
    with pytest.raises(Unsupported, match="no values"):
        interpret(text, "k", launch_of((1,), good), {})
    with pytest.raises(Unsupported, match="shape"):
        interpret(text, "k", launch_of((1,), good), {"o": np.zeros((1, 3), np.float32)})
    with pytest.raises(Unsupported, match="float64"):
        interpret(text, "k", launch_of((1,), good), {"o": np.zeros(1)})
    with pytest.raises(Exhausted):
        interpret(text, "k", launch_of((10**6, 10**6), good), values)


def test_no_part_of_warp_is_in_it() -> None:
    code = (
        "import sys, warpsmith.validation.oracle.interpret, warpsmith.validation.oracle.agreement; print('warp' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


# --------------------------------------------------------------------------------------------------------- agreement


def test_agreement() -> None:
    share = SHARE_OF_SCALE[4]
    one = np.array([1.0, 100.0, np.nan, np.inf, 0.0], np.float32)

    def off(place: int, by: float) -> Values:
        other = one.copy()
        other[place] += by
        return other

    assert disagreement({"a": one}, {"a": one.copy()}) is None
    assert disagreement({"a": off(0, 90.0 * share)}, {"a": one}) is None
    assert str(disagreement({"a": off(0, 200.0 * share)}, {"a": one})).startswith("a[0] is 1.00")
    assert "1 of 5" in str(disagreement({"a": off(1, 200.0 * share)}, {"a": one}))
    for place, wrong in ((2, 0.0), (3, -np.inf), (3, 1e30), (0, np.nan), (0, np.inf)):
        other = one.copy()
        other[place] = wrong
        assert disagreement({"a": other}, {"a": one}), (place, wrong)
        assert disagreement({"a": one}, {"a": other}), (place, wrong)


@pytest.mark.parametrize("dtype", [np.int32, np.uint8, np.bool_])
def test_whole_numbers_agree_exactly(dtype: type) -> None:
    values = np.array([1, 0, 1], dtype)
    other = values.copy()
    other[2] = 0
    assert disagreement({"a": values}, {"a": values.copy()}) is None
    assert disagreement({"a": other}, {"a": values}) == f"a[2] is {other[2]} instead of {values[2]}, 1 of 3 differ"


def test_agreement_of_other_things() -> None:
    zeros = np.zeros(2, np.float32)
    assert disagreement({"a": zeros}, {"b": zeros}) == "results ['a'] instead of ['b']"
    assert "shape" in str(disagreement({"a": zeros}, {"a": np.zeros(3, np.float32)}))
    assert "float64" in str(disagreement({"a": zeros.astype(np.float64)}, {"a": zeros}))
    assert disagreement({"a": zeros}, {"a": -zeros}) is None
    structs = np.zeros(2, [("m", np.float32), ("n", np.int32)])
    other = structs.copy()
    other["n"][1] = 1
    assert str(disagreement({"a": structs}, {"a": other})).startswith("a.n[1] is 0 instead of 1")
