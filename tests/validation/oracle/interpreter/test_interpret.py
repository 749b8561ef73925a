"""A launch runs its threads in order, ends, must match its kernel, and does not use Warp."""

from __future__ import annotations

import subprocess
import sys
import time

import numpy as np
import pytest

from oracle_kernels import check, floats, launch_of, run_alone, source
from warpsmith.validation.oracle.interpreter.interpret import interpret
from warpsmith.validation.oracle.values.interpretation_errors import Exhausted, Unsupported


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


def test_no_thread_runs_outside_the_launch() -> None:
    values = {"o": ("int32", np.zeros((3, 4), np.int32))}
    text = source("@wp.kernel\ndef k(o: wp.array2d(dtype=int)):\n    i, j = wp.tid()\n    o[i, j] += 10 * i + j + 1\n")
    results = interpret(text, "k", launch_of((2, 3), values), {"o": values["o"][1]})
    assert results["o"].tolist() == [[1, 2, 3, 0], [11, 12, 13, 0], [0, 0, 0, 0]]


RECURSIVE = "@wp.func\ndef f(x: float):\n    return f(x) + 1.0\n"


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
        ("o[0] = f(x)", RECURSIVE),
        ("o[0] = f30(x)", DOUBLING),
    ],
    ids=["while", "continue", "range", "nested", "recursion", "doubling"],
)
def test_endless_loops_and_calls_end(body: str, prelude: str) -> None:
    start = time.process_time()
    with pytest.raises(Exhausted):
        run_alone(body, prelude=prelude, steps=20_000)
    assert time.process_time() - start < 5.0


def test_a_launch_must_match_its_kernel() -> None:
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


def test_the_interpreter_does_not_import_warp() -> None:
    oracle = "warpsmith.validation.oracle"
    code = f"import sys, {oracle}.interpreter.interpret, {oracle}.values.agreement; print('warp' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"
