"""Constants take the type of the constructor that converts them, without a detour over single precision."""

from __future__ import annotations

import math

import numpy as np
import pytest

from oracle_kernels import launch_of, run_both, source
from warpsmith.validation.oracle.interpreter.interpret import interpret
from warpsmith.validation.oracle.values.interpretation_errors import Unsupported

DEFINITIONS = """
import math
from typing import Any

THIRD = 1.0 / 3.0
MINUS = -0.1
TENTH = wp.constant(0.1)
LARGE = 3_000_000_000
DOUBLE = wp.float64(0.1)
OTHER_DOUBLE = wp.float64(0.1)
SINGLE = wp.constant(wp.float32(0.1))
PAIR = wp.constant(wp.vec2d(0.1, 0.2))


@wp.struct
class State:
    rate: wp.float64


@wp.func
def scaled(x: Any):
    return type(x)(THIRD) * x


def factory(rate: float):
    @wp.func
    def inner(x: Any):
        return x * type(x)(rate)
    return inner


times = factory(0.1)


@wp.kernel
def k(q: wp.array(dtype=wp.float64), w: wp.array(dtype=wp.vec2d), n: wp.array(dtype=wp.int64), y: wp.array(dtype=wp.float64)):
    x = q[0]
    v = w[0]
    a = 0.1
    s = State()
"""

CONSTANTS = {
    "type(x)(THIRD)": 1.0 / 3.0,
    "type(x)(0.1)": 0.1,
    "type(x)(-0.1)": -0.1,
    "type(x)(-TENTH)": -0.1,
    "type(x)(TENTH)": 0.1,
    "type(x)(wp.PI)": math.pi,
    "type(x)(math.pi)": math.pi,
    "type(x)(MINUS)": -0.1,
    "type(x)(a)": 0.1,
    "type(x)(-a)": -0.1,
    "wp.float64(a)": 0.1,
    "wp.float64(THIRD)": 1.0 / 3.0,
    "wp.float64(wp.static(THIRD * 2.0))": 2.0 / 3.0,
    "type(x)(wp.static(THIRD))": 1.0 / 3.0,
    "q.dtype(THIRD)": 1.0 / 3.0,
    "type(q[0])(THIRD)": 1.0 / 3.0,
    "type(v)(0.1, THIRD)[1]": 1.0 / 3.0,
    "type(v)(THIRD)[0]": 1.0 / 3.0,
    "type(s.rate)(0.1)": 0.1,
    "w.dtype(0.1, TENTH)[1]": 0.1,
    "wp.vec2d(TENTH, x)[0]": 0.1,
    "wp.vec2d(THIRD, 0.1)[1]": 0.1,
    "wp.vec2d(THIRD)[1]": 1.0 / 3.0,
    "wp.vector(0.1, THIRD, dtype=wp.float64)[1]": 1.0 / 3.0,
    "wp.mat22d(0.1, 0.2, 0.3, THIRD)[1, 1]": 1.0 / 3.0,
    "wp.matrix(THIRD, shape=(2, 2), dtype=wp.float64)[1, 0]": 1.0 / 3.0,
    "wp.quatd(0.1, 0.2, 0.3, 0.4)[1]": 0.2,
    "wp.float64(wp.vec2l(LARGE, 3_000_000_001)[1])": 3_000_000_001.0,
    "wp.float64(type(n[0])(LARGE))": 3_000_000_000.0,
    "wp.float64(LARGE)": 3_000_000_000.0,
    "OTHER_DOUBLE": 0.1,
    "type(x)(DOUBLE)": 0.1,
    "wp.static(wp.float64(0.1))": 0.1,
    "wp.float64(SINGLE)": 0.1,
    "wp.vec2d(SINGLE, x)[0]": 0.1,
    "PAIR[1]": 0.2,
    "wp.float64(int(wp.float64(16_777_217.0)))": 16_777_217.0,
    "wp.float64(int(DOUBLE * wp.float64(167_772_170.0)))": 16_777_217.0,
    "scaled(x)": None,
    "times(x)": None,
}
"""Expressions in double precision with the number that Python has for them; None where Warp alone is asked."""

KEPT = {"wp.float64(0.1 * 3.0)", "wp.float64(wp.float32(0.1))", "wp.float64(float(0.1))"}
"""Expressions that have a value in single precision before they are converted."""


def _kernel(expressions: list[str]) -> str:
    return source(DEFINITIONS + "".join(f"    y[{place}] = {one}\n" for place, one in enumerate(expressions)))


def _arguments(count: int) -> dict[str, tuple[str, np.ndarray]]:
    return {
        "q": ("float64", np.array([0.7])),
        "w": ("vec2d", np.array([[0.3, 0.4]])),
        "n": ("int64", np.array([5])),
        "y": ("float64", np.full(count, -1.0)),
    }


@pytest.mark.exhaustive
def test_constants_keep_their_precision() -> None:
    expressions = [*CONSTANTS, *sorted(KEPT)]
    found, warp = run_both(_kernel(expressions), (1,), **_arguments(len(expressions)))
    assert dict(zip(expressions, found["y"], strict=True)) == dict(zip(expressions, warp["y"], strict=True))
    for expression, value in zip(expressions, found["y"], strict=True):
        expected = CONSTANTS.get(expression)
        assert expected is None or value == expected, expression
        assert expression not in KEPT or value == np.float32(value)


ENUMERATIONS = """from enum import Enum, IntEnum


class Mode(Enum):
    \"\"\"Modes.\"\"\"

    OFF = 3
    ON = OFF + 2


class Kind(IntEnum):
    FIRST = 2


@wp.kernel
def k(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    mode = int(3)
    if mode == wp.static(Mode.OFF.value):
        out[i] = x[i] * float(wp.static({value}))
"""


@pytest.mark.parametrize(("value", "factor"), [("Mode.OFF.value", 3), ("Kind.FIRST.value", 2), ("Kind.FIRST", 2)])
def test_members_of_enumerations_are_constants(value: str, factor: int) -> None:
    values = {"x": np.arange(4, dtype=np.float32), "out": np.zeros(4, np.float32)}
    launch = launch_of((4,), {name: ("float32", array) for name, array in values.items()})
    found = interpret(source(ENUMERATIONS.format(value=value)), "k", launch, values)
    assert found["out"].tolist() == [0, factor, 2 * factor, 3 * factor]


NAMESPACES = """class grid:
    width = 4.0


grid.count = 3


@wp.func
def scaled(x: float):
    return x * grid.width


stretched = scaled


@wp.kernel
def k(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = stretched(x[i]) + float(grid.count)
"""


def test_classes_of_constants_and_other_names_of_functions_are_read() -> None:
    values = {"x": np.arange(2, dtype=np.float32), "out": np.zeros(2, np.float32)}
    launch = launch_of((2,), {name: ("float32", array) for name, array in values.items()})
    assert interpret(source(NAMESPACES), "k", launch, values)["out"].tolist() == [3.0, 7.0]


@pytest.mark.parametrize("value", ["Mode.OFF", "Mode.NONE.value", "Mode"])
def test_other_parts_of_enumerations_are_not_supported(value: str) -> None:
    values = {"x": np.zeros(4, np.float32), "out": np.zeros(4, np.float32)}
    launch = launch_of((4,), {name: ("float32", array) for name, array in values.items()})
    with pytest.raises(Unsupported):
        interpret(source(ENUMERATIONS.format(value=value)), "k", launch, values)
