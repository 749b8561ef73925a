"""Structs and helper functions of a file behave as in Warp; hostile files have no effect."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from oracle_kernels import check, floats, launch_of
from warpsmith.validation.oracle.interpreter.interpret import interpret
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported


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


def test_other_names_of_builtins() -> None:
    text = """
        add = wp.add
        largest = wp.max

        @wp.kernel
        def k(x: wp.array(dtype=float), o: wp.array(dtype=float)):
            i = wp.tid()
            o[i] = add(x[i], largest(x[i], 0.25))
    """
    check(text, (6,), x=("float32", floats(6)), o=("float32", np.zeros(6, np.float32)))


def test_arrays_of_a_thread() -> None:
    text = """
        COUNT = 3

        @wp.func
        def total(a: wp.fixedarray(dtype=int, shape=(4,)), n: int):
            s = int(0)
            for k in range(n):
                s += a[k]
            return s

        @wp.kernel
        def k(x: wp.array(dtype=float), o: wp.array2d(dtype=float)):
            i = wp.tid()
            counts = wp.zeros(shape=4, dtype=int)
            for j in range(4):
                counts[j] = i * j
            counts[1] += 2
            wide = wp.zeros(shape=(2, COUNT), dtype=wp.int64)
            wide[1, 2] = wide[0, 0] + wp.int64(i)
            bytes = wp.zeros(COUNT, dtype=wp.uint8)
            bytes[1] = wp.uint8(7)
            numbers = wp.zeros(shape=(2,), dtype=float)
            numbers[1] = x[i] * 0.5
            vectors = wp.zeros(shape=(2,), dtype=wp.vec3)
            vectors[1] = wp.vec3(x[i], 1.0, 2.0)
            matrices = wp.zeros(2, dtype=wp.mat22)
            matrices[0] = wp.mat22(x[i], 1.0, 2.0, 3.0)
            o[i, 0] = float(total(counts, 4) + int(wide[1, 2]) + int(bytes[1]) + int(bytes[0]))
            o[i, 1] = numbers[1] + numbers[0] + vectors[1][0] * vectors[1][2] + vectors[0][1]
            o[i, 2] = matrices[0][0, 0] + matrices[0][1, 1] + matrices[1][0, 0]
    """
    check(text, (6,), x=("float32", floats(6)), o=("float32", np.zeros((6, 3), np.float32)))


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
def test_hostile_modules_have_no_effect(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    kernel = "\n@wp.kernel\ndef k(x: float, o: wp.array(dtype=float)):\n    o[0] = X\n"
    values = {"x": np.asarray(0.0, np.float32), "o": np.zeros(1, np.float32)}
    launch = launch_of((1,), {name: ("float32", array) for name, array in values.items()})
    start = time.process_time()
    with pytest.raises(Unsupported):
        interpret("import warp as wp\n" + text + kernel, "k", launch, values)
    assert time.process_time() - start < 5.0
    assert not list(tmp_path.iterdir())
