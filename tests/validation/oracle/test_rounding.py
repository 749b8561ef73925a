"""Results that rounding decides show nothing, and errors still show in all others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from oracle_kernels import floats, launch_of, source
from warpsmith.core.inputs.values import Values
from warpsmith.validation.oracle.agreement import disagreement
from warpsmith.validation.oracle.interpret import interpret
from warpsmith.validation.oracle.rounding import halves, spreads

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


def test_one_element_may_differ_by_a_rounding_to_half_precision() -> None:
    results, moved = interpreted(HALVES)
    other = changed(results, "side", 3, results["side"][3] + 2.0**-12)
    both = other["side"].copy()
    both[:8] += 2.0**-12
    text = source(HEAD + HALVES)
    assert disagreement(results, other, spreads=moved) is not None
    assert disagreement(results, other, spreads=halves(text, moved, results, other)) is None
    assert disagreement(results, other, spreads=halves(text.replace("float16", "float32"), moved, results, other)) is not None
    other["side"] = both
    assert disagreement(results, other, spreads=halves(text, moved, results, other)) is not None
