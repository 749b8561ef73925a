"""Results that rounding decides show nothing, and errors still show in all others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from oracle_kernels import floats, launch_of, source
from warpsmith.core.inputs.values import Values
from warpsmith.validation.oracle.interpreter.interpret import interpret
from warpsmith.validation.oracle.values.agreement import disagreement
from warpsmith.validation.oracle.values.last_bits import spreads

COUNT = 40
HEAD = """@wp.kernel
def k(x: wp.array(dtype=wp.vec3), side: wp.array(dtype=float), steady: wp.array(dtype=float)):
    i = wp.tid()
"""

DIRECTION_OF_ZERO = """    a = wp.normalize(x[i])
    side[i] = wp.sign(wp.dot(wp.cross(a, wp.vec3(0.3, 0.5, 0.7)), a)) if i < 30 else wp.length(a + x[i])
    steady[i] = wp.length(x[i])
"""

Setup = tuple[dict[str, Values], dict[str, Values]]


def interpreted(body: str) -> Setup:
    """Return the results of a kernel, and how far rounding moves them."""
    arrays = {"x": ("vec3f", floats(COUNT, 3)), "side": ("float32", floats(COUNT)), "steady": ("float32", floats(COUNT))}
    launch, values = launch_of((COUNT,), arrays), {name: array for name, (_, array) in arrays.items()}

    def run(changed: Any) -> dict[str, Values]:
        return interpret(source(HEAD + body), "k", launch, changed)

    results = run(values)
    return results, spreads(run, values, results, "key")


def changed(results: dict[str, Values], name: str, position: Any, value: Any) -> dict[str, Values]:
    copied = {key: array.copy() for key, array in results.items()}
    copied[name][position] = value
    return copied


@pytest.fixture(scope="module")
def direction_of_zero() -> Setup:
    return interpreted(DIRECTION_OF_ZERO)


def test_a_sign_that_rounding_decides_shows_nothing(direction_of_zero: Setup) -> None:
    results, moved = direction_of_zero
    assert set(results["side"][:30]) == {-1.0, 1.0}
    decided = np.flatnonzero(moved["side"][:30])
    assert len(decided) >= 20
    other = changed(results, "side", decided, -results["side"][decided])
    assert disagreement(results, other) is not None
    assert disagreement(results, other, spreads=moved) is None


@pytest.mark.parametrize(("name", "position"), [("side", 35), ("steady", 0), ("steady", 35)])
def test_other_elements_show_errors(direction_of_zero: Setup, name: str, position: int) -> None:
    results, moved = direction_of_zero
    other = changed(results, name, position, results[name][position] * (1.0 + 1.0e-4))
    assert disagreement(results, other, spreads=moved) is not None


HALVES = """    h = wp.cbrt(wp.float16(x[i][0]))
    side[i] = float(h) * 0.1 + x[i][1]
    steady[i] = 1.0
"""


def test_a_function_may_be_rounded_to_another_half() -> None:
    results, moved = interpreted(HALVES)
    roundings = np.abs(np.cbrt(floats(COUNT, 3)[:, 0])) * 2.0**-11 * 0.1
    assert disagreement(results, results | {"side": results["side"] + roundings.astype(np.float32)}, spreads=moved) is None
    assert (
        disagreement(results, changed(results, "side", 3, results["side"][3] + 16.0 * roundings[3]), spreads=moved) is not None
    )


CANCELLED = """    side[i] = (wp.tanh(0.01 * x[0][0]) - 0.01 * x[0][0]) * 1000.0
    steady[i] = wp.length(x[i])
"""


def test_a_function_may_be_rounded_to_another_float() -> None:
    """All threads have the same error: with another input, its last bits cancel, with another library they do not."""
    results, moved = interpreted(CANCELLED)
    argument = np.float32(0.01) * floats(COUNT, 3)[0, 0]
    rounding = np.float32(1000.0) * np.spacing(np.tanh(argument))
    assert disagreement(results, results | {"side": results["side"] + rounding}, spreads=moved) is None
    assert disagreement(results, results | {"side": results["side"] + np.float32(64.0) * rounding}, spreads=moved) is not None


NOISE = """@wp.kernel
def k(out: wp.array(dtype=wp.float64)):
    i = wp.tid()
    state = wp.rand_init(7, i)
    out[i] = wp.float64(wp.randn(state)) * wp.float64(0.01)
"""


def test_random_numbers_in_double_precision_have_the_error_of_single_precision() -> None:
    values = {"out": np.zeros(COUNT)}
    launch = launch_of((COUNT,), {"out": ("float64", values["out"])})

    def run(changed: Any) -> dict[str, Values]:
        return interpret(source(NOISE), "k", launch, changed)

    results = run(values)
    moved = spreads(run, values, results, "key")
    rounded = changed(results, "out", slice(None), results["out"] * (1.0 + 2.0**-24))
    assert disagreement(rounded, results) is not None
    assert disagreement(rounded, results, spreads=moved) is None
    assert disagreement(changed(results, "out", 0, results["out"][0] * (1.0 + 1.0e-5)), results, spreads=moved) is not None
