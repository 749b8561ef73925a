"""Control flow behaves as in Warp's kernels and in Python."""

from __future__ import annotations

import functools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from oracle_kernels import check, floats, run_alone
from warpsmith.validation.oracle.values.interpretation_errors import Undefined


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


@given(st.lists(st.integers(-5, 5), min_size=1, max_size=3))
@settings(deadline=None, max_examples=50)
def test_ranges_equal_those_of_python(bounds: list[int]) -> None:
    if bounds[2:] == [0]:
        bounds[2] = 1
    written = ", ".join(map(str, bounds))
    assert run_alone(f"n = int(0)\nfor j in range({written}):\n    n = n * 3 + j\no[0] = float(n)") == np.float32(
        functools.reduce(lambda n, j: n * 3 + j, range(*bounds), 0)
    )


def test_conditions_short_circuit() -> None:
    assert run_alone("if x < 0.0 and o[99] > 0.0:\n    o[0] = 1.0") == 0.0
    assert run_alone("if x >= 0.0 or o[99] > 0.0:\n    o[0] = 1.0") == 1.0
    assert run_alone("o[0] = 2.0 if x == 0.0 else o[99]") == 2.0
    with pytest.raises(Undefined, match="99"):
        run_alone("o[0] = wp.where(x == 0.0, 2.0, o[99])")
