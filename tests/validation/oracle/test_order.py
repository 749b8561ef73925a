"""Where the language leaves the order or the meaning of Python: evaluation order, remainders, quotients, casts, conditions."""

from __future__ import annotations

import numpy as np
import pytest

from oracle_kernels import check, interpreted, launch_of, run_with_warp, source
from warpsmith.core.inputs.values import Values
from warpsmith.validation.oracle.values.agreement import disagreement

CHANGE = """
@wp.func
def change(a: wp.array(dtype=float), factor: float):
    a[0] = a[0] * factor
    return a[0]


"""

SAME = f"""{CHANGE}
@wp.kernel
def k(x: wp.array(dtype=float), o: wp.array(dtype=float)):
    before = x[0]
    o[0] = before + change(x, 10.0) * change(x, 0.5)
    o[1] = change(x, 3.0) - x[0] * 0.5
    x[0] += change(x, 2.0)
    o[2] = x[0]
    o[3] = change(x, 2.0) / change(x, 0.1) + wp.max(change(x, -1.0), change(x, 0.3))
    if x[0] > 1000.0 and change(x, 7.0) > 0.0:
        o[4] = 1.0
    if x[0] < 1000.0 or change(x, 7.0) > 0.0:
        o[5] = 2.0
    o[6] = change(x, 5.0) if x[0] > 1000.0 else change(x, 0.5)
    o[7] = wp.where(x[0] > 1000.0, change(x, 2.0), change(x, 3.0))
    o[8] = x[0]
"""

NUMBERS = """
@wp.kernel
def k(a: wp.array(dtype=int), x: wp.array(dtype=float), o: wp.array2d(dtype=int), f: wp.array2d(dtype=float)):
    i = wp.tid()
    b = a[i]
    o[i, 0] = b % 7
    o[i, 1] = b / 7
    o[i, 2] = b // 7
    o[i, 3] = int(x[i])
    o[i, 4] = b * 1000003 + 2147483647
    o[i, 5] = -b >> 1
    o[i, 6] = int(wp.uint8(b & 255)) + int(wp.int8(wp.uint8(b & 255)))
    o[i, 7] = int(wp.round(x[i])) + 10 * int(wp.rint(x[i])) + 100 * int(wp.floor(x[i]))
    f[i, 0] = x[i] % 1.5
    f[i, 1] = float(b) / 3.0
    f[i, 2] = x[i] // 1.5
    f[i, 3] = wp.sign(x[i]) + 10.0 * wp.step(x[i])
"""


def single(read: str) -> tuple[Values, Values]:
    """Return what the interpreter and Warp leave for one expression."""
    kernel = f"{CHANGE}@wp.kernel\ndef k(x: wp.array(dtype=float), o: wp.array(dtype=float)):\n    o[0] = {read}\n"
    values = {"x": ("float32", np.float32([3.0])), "o": ("float32", np.zeros(1, np.float32))}
    plain = {name: array for name, (_, array) in values.items()}
    expected = run_with_warp(source(kernel), "k", launch_of((1,), values), plain)
    return interpreted(source(kernel), (1,), **values)["o"], expected["o"]


def test_operands_are_evaluated_from_left_to_right() -> None:
    check(SAME, (1,), x=("float32", np.float32([3.0])), o=("float32", np.zeros(9, np.float32)))


@pytest.mark.parametrize(
    ("read", "python", "warp"),
    [
        ("x[0] + change(x, 10.0)", 33.0, 60.0),
        ("wp.max(x[0], change(x, -1.0))", 3.0, -3.0),
        ("x[0] + wp.atomic_add(x, 0, 5.0)", 6.0, 11.0),
    ],
)
def test_warp_reads_an_element_when_the_operation_happens(read: str, python: float, warp: float) -> None:
    """The interpreter keeps Python's order, so that such kernels fail; see notes/explanation/warp_findings.md."""
    results, expected = single(read)
    assert (results.tolist(), expected.tolist()) == ([python], [warp])
    assert disagreement({"o": results}, {"o": expected}) is not None


def test_numbers_behave_as_in_c() -> None:
    a = np.array([-15, -14, -1, 0, 1, 13, 14, 2**31 - 1, -(2**31)], np.int32)
    x = np.array([-2.5, -1.5, -0.5, 0.0, 0.5, 1.5, 2.5, 100.75, -100.75], np.float32)
    outputs = {"o": ("int32", np.zeros((9, 8), np.int32)), "f": ("float32", np.zeros((9, 4), np.float32))}
    results = check(NUMBERS, (9,), a=("int32", a), x=("float32", x), **outputs)
    assert results["o"][0].tolist()[:4] == [-1, -2, -3, -2]
    assert results["o"][7, 4] == np.int32(np.uint32((2**31 - 1) * 1000003 + 2**31 - 1 & 0xFFFFFFFF).astype(np.int32))
    assert results["f"][0, 0] == -1.0


WRONG_IN_WARP = {
    "a literal of more than 32 bits": ("o[0] = x[0] + float(3000000000)", 3.0e9),
    "the decomposition of a rotation": (
        "u, s, v = wp.svd2(wp.mat22(0.6, -0.8, 0.8, 0.6))\n    o[0] = (u * wp.diag(s) * wp.transpose(v))[1, 0] + x[0]", 0.8
    ),
}  # fmt: skip
"""Statements whose result in Warp 1.19 is wrong, and the right result for ``x[0] = 0``."""


@pytest.mark.parametrize("name", WRONG_IN_WARP)
def test_wrong_results_of_warp_are_found(name: str) -> None:
    statement, expected = WRONG_IN_WARP[name]
    text = source(f"@wp.kernel\ndef k(x: wp.array(dtype=float), o: wp.array(dtype=float)):\n    {statement}\n")
    values = {"x": ("float32", np.zeros(1, np.float32)), "o": ("float32", np.zeros(1, np.float32))}
    found = interpreted(text, (1,), **values)
    assert found["o"][0] == pytest.approx(expected, rel=1e-6)
    warp = run_with_warp(text, "k", launch_of((1,), values), {one: array for one, (_, array) in values.items()})
    assert disagreement(found, warp) is not None


@pytest.mark.exhaustive
def test_warp_does_not_compile_the_inequality_of_vectors() -> None:
    text = "@wp.kernel\ndef k(v: wp.array(dtype=wp.vec3), o: wp.array(dtype=int)):\n    if v[0] {} v[1]:\n        o[0] = 1\n"
    values = {"v": ("vec3f", np.ones((2, 3), np.float32)), "o": ("int32", np.zeros(1, np.int32))}
    launch, plain = launch_of((1,), values), {name: array for name, (_, array) in values.items()}
    assert run_with_warp(source(text.format("==")), "k", launch, plain)["o"].tolist() == [1]
    with pytest.raises(Exception, match="build failed"):
        run_with_warp(source(text.format("!=")), "k", launch, plain)
