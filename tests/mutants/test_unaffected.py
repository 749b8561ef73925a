"""Proofs by bounds: changes that no input reaches have a proof, changes that some input reaches do not."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest

from mutants import equivalent
from mutants.intervals import result
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.extraction.codegen.extract import extract_ir
from warpsmith.extraction.targets.loading import loaded_kernel

SOURCE = """import warp as wp


@wp.func
def root(v: float):
    return wp.sqrt(wp.max(v, 0.1))


@wp.kernel
def k(x: wp.array(dtype=float), a: float, n: int, out: wp.array(dtype=float)):
    i = wp.tid()
    if i >= n:
        return
    v = x[i]
    y = wp.clamp(v, 0.15, 5.0)
    z = wp.min(wp.exp(-v * v), 2.0 * v)
    if a > 4.0:
        z = wp.min(wp.sin(v), -1.5)
    out[i] = y * z + root(v) + wp.min(wp.max(v, 0.3), a)
"""


def launch(low: float, high: float) -> Launch:
    uniform = Domain(kind="uniform", low=low, high=high)
    count, nothing = Domain(kind="fill", low=8, high=8), Domain(kind="fill", low=0.0, high=0.0)
    return Launch(
        dim=(8,),
        args=(
            Argument(name="x", kind="array", dtype="float32", role="input", shape=(8,), domain=uniform),
            Argument(name="a", kind="value", dtype="float32", role="input", shape=(), domain=uniform),
            Argument(name="n", kind="value", dtype="int32", role="input", shape=(), domain=count),
            Argument(name="out", kind="array", dtype="float32", role="output", shape=(8,), domain=nothing),
        ),
    )


@pytest.fixture(scope="module")
def texts() -> tuple[str, str]:
    with loaded_kernel(SOURCE, "k", {}) as kernel:
        code = extract_ir(kernel, "cuda", True).codes["cuda"]
    assert code.backward_code is not None
    return code.forward_code, code.backward_code


def proof(text: str, constant: str, value: str, inputs: Launch, forward: str = "") -> str | None:
    """Return the proof for the mutant that changes the only constant of this value."""
    lines = text.split("\n")
    (number,) = (
        number for number, line in enumerate(lines) if line.strip().startswith("const ") and line.endswith(f" = {constant};")
    )
    return equivalent.prove(text, number, lines[number].strip().replace(f" = {constant};", f" = {value};"), forward, inputs)


@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize(
    ("constant", "value", "why"),
    [
        ("5.0", "5.5", "no element reaches the upper bound"),
        ("0.15", "0.165", "no element reaches the lower bound"),
        ("4.0", "4.4", "no argument is that large"),
        ("-1.5", "-1.65", "the branch is never taken"),
        ("0.1", "0.11", "the argument of the helper is larger"),
    ],
)
def test_a_change_that_no_input_reaches_is_proved(
    texts: tuple[str, str], direction: str, constant: str, value: str, why: str
) -> None:
    forward, backward = texts
    inputs = launch(0.2, 0.9)
    found = (
        proof(forward, constant, value, inputs) if direction == "forward" else proof(backward, constant, value, inputs, forward)
    )
    assert found is not None, why


@pytest.mark.parametrize("direction", ["forward", "backward"])
@pytest.mark.parametrize(
    ("constant", "value", "low", "high"),
    [
        ("5.0", "5.5", 0.2, 6.0),
        ("0.15", "0.165", 0.1, 0.9),
        ("0.15", "0.165", 0.16, 0.9),
        ("4.0", "4.4", 0.2, 4.2),
        ("-1.5", "-1.65", 0.2, 4.2),
        ("0.1", "0.11", 0.105, 0.9),
        ("0.3", "0.33", 0.2, 0.9),
        ("2.0", "2.2", 0.2, 0.9),
    ],
)
def test_a_change_that_some_input_reaches_is_not_proved(
    texts: tuple[str, str], direction: str, constant: str, value: str, low: float, high: float
) -> None:
    forward, backward = texts
    inputs = launch(low, high)
    assert (
        proof(forward, constant, value, inputs) if direction == "forward" else proof(backward, constant, value, inputs, forward)
    ) is None


ORDERED = """import warp as wp


@wp.kernel
def k(x: wp.array(dtype=float), y: wp.array(dtype=float), a: float, out: wp.array(dtype=float)):
    i = wp.tid()
    u = x[i]
    v = y[i]
    w = wp.{0}(u, v)
    if w >= a:
        w = wp.abs(w)
    elif w {1} v:
        w = w * 0.7
    out[i] = w
"""


@pytest.mark.parametrize(
    ("function", "comparison", "dead"),
    [
        ("min", ">", True),
        ("max", "<", True),
        ("min", ">=", False),
        ("min", "<", False),
        ("max", ">", False),
        ("add", ">", False),
    ],
)
def test_a_minimum_is_not_greater_than_its_operand(function: str, comparison: str, dead: bool) -> None:
    with loaded_kernel(ORDERED.format(function, comparison), "k", {}) as kernel:
        code = extract_ir(kernel, "cuda", True).codes["cuda"]
    assert code.backward_code is not None
    inputs = launch(-1.0, 1.0)
    for text, forward in ((code.forward_code, ""), (code.backward_code, code.forward_code)):
        assert (proof(text, "0.7", "0.77", inputs, forward) is not None) is dead


def test_a_loop_may_compare_with_an_operand_of_an_earlier_iteration() -> None:
    looped = ORDERED.replace("    if w >= a:", "    for j in range(int(a * 10.0)):\n        v += 0.5\n    if w >= a:")
    with loaded_kernel(looped.format("min", ">"), "k", {}) as kernel:
        text = extract_ir(kernel, "cuda", True).codes["cuda"].forward_code
    assert proof(text, "0.7", "0.77", launch(-1.0, 1.0)) is None


def test_the_square_of_a_large_number_has_an_interval() -> None:
    function = SimpleNamespace(types={"var_1": "wp::float64"})
    assert result("wp::mul", ("var_1", "var_1"), {"var_1": (-1.0e200, 1.0)}, {}, function) == (0.0, math.inf)
