"""Decompositions have the documented properties, agree with Warp's, and leave open what Warp leaves open."""

from __future__ import annotations

import numpy as np
import pytest

from oracle_kernels import floats, launch_of, run_both, source
from warpsmith.core.inputs.values import Values
from warpsmith.validation.oracle.builtins.decompositions import ROUGHNESS, ROWS
from warpsmith.validation.oracle.interpreter.interpret import interpret
from warpsmith.validation.oracle.values.agreement import disagreement
from warpsmith.validation.oracle.values.choices import CHOICES
from warpsmith.validation.oracle.values.interpretation_errors import Undefined, Unsupported

DEGENERATE = [
    np.eye(3),
    np.diag([2.0, 2.0, 1.0]),
    np.diag([1.0, -1.0, 1.0]),
    np.outer([1.0, 2.0, 3.0], [1.0, 0.0, 1.0]),
    np.zeros((3, 3)),
]
"""Equal singular values, a reflection, parallel rows, and zero."""


def matrices(count: int = 30) -> Values:
    """Return random matrices after the degenerate ones."""
    return np.concatenate([np.array(DEGENERATE, np.float32), floats(count, 3, 3)])


@pytest.mark.parametrize("other", [False, True])
def test_properties(other: bool) -> None:
    for m in matrices():
        CHOICES.start(other=other)
        u, s, v = ROWS["svd3"](m)
        assert np.allclose(u * s @ v.T, m, atol=1e-5)
        assert np.allclose([u @ u.T, v @ v.T], np.eye(3), atol=1e-5)
        assert np.allclose([np.linalg.det(u), np.linalg.det(v)], 1.0)
        assert s[0] >= s[1] >= abs(s[2])
        q, e = ROWS["eig3"](m + m.T)
        assert np.allclose(q * e @ q.T, m + m.T, atol=1e-5)
        assert np.allclose(np.linalg.det(q), 1.0)
        u, s, v = ROWS["svd2"](m[:2, :2])
        assert np.allclose(u * s @ v.T, m[:2, :2], atol=1e-5)
        assert s[0] >= s[1] >= 0.0
        assert np.linalg.det(v) == pytest.approx(1.0, abs=1e-5)
        if abs(np.linalg.det(m)) > 0.1:
            q, r = ROWS["qr3"](m)
            assert np.allclose(q @ r, m, atol=1e-5)
            assert np.allclose(np.tril(r, -1), 0.0)
            assert np.linalg.det(q) == pytest.approx(1.0, abs=1e-5)


OPEN = """
@wp.kernel
def k(a: wp.array(dtype=wp.mat33), o: wp.array2d(dtype=float), m: wp.array2d(dtype=wp.mat33)):
    i = wp.tid()
    u, s, v = wp.svd3(a[i])
    q, r = wp.qr3(a[i])
    e, d = wp.eig3(a[i] + wp.transpose(a[i]))
    b = wp.mat22(a[i][0, 0], a[i][0, 1], a[i][1, 0], a[i][1, 1])
    f, g, h = wp.svd2(b)
    o[i, 0] = s[0] + 2.0 * s[1] + 3.0 * s[2]
    o[i, 1] = d[0] + d[1] + d[2] + d[0] * d[1] * d[2]
    o[i, 2] = g[0] - 2.0 * g[1]
    o[i, 3] = wp.trace(f * wp.transpose(h))
    m[i, 0] = u * wp.transpose(v)
    m[i, 1] = q
    m[i, 2] = r
    m[i, 3] = e * wp.diag(d) * wp.transpose(e)
"""


def arguments(values: Values) -> dict[str, tuple[str, Values]]:
    """Return the arguments of the kernel for these matrices."""
    count = len(values)
    outputs = {"o": ("float32", np.zeros((count, 4), np.float32)), "m": ("mat33f", np.zeros((count, 4, 3, 3), np.float32))}
    return {"a": ("mat33f", values), **outputs}


def regular(count: int = 40) -> Values:
    """Return matrices with different singular values."""
    found = floats(count, 3, 3) + np.diag(np.float32([4.0, 2.0, 1.0]))
    return found[np.abs(np.linalg.det(found)) > 0.5]


def test_decompositions_agree_with_warps() -> None:
    values = regular()
    results, expected = run_both(source(OPEN), (len(values),), **arguments(values))
    assert CHOICES.roughness == ROUGHNESS
    assert disagreement(results, expected, ROUGHNESS) is None
    assert disagreement({"o": results["m"][:, 1:3]}, {"o": expected["m"][:, 1:3]}) is None  # qr3 is accurate
    assert disagreement({"o": results["m"][:, 0]}, {"o": -expected["m"][:, 0]}, ROUGHNESS) is not None


@pytest.mark.parametrize("change", ["u[0, 0]", "v[1, 1]", "d[0]", "e[0, 1]", "f[0, 0]"])
def test_open_results_are_not_compared(change: str) -> None:
    values = arguments(regular(8))
    plain = {name: array for name, (_, array) in values.items()}
    text = source(OPEN.replace("u * wp.transpose(v)", f"(10.0 * {change}) * wp.identity(n=3, dtype=float)"))
    with pytest.raises(Unsupported, match="leaves open"):
        interpret(text, "k", launch_of((len(plain["a"]),), values), plain)


def test_nearly_singular_matrices_have_no_qr_decomposition() -> None:
    with pytest.raises(Undefined, match="nearly singular"):
        ROWS["qr3"](np.float32(DEGENERATE[3]))
    with pytest.raises(Undefined, match="not symmetric"):
        ROWS["eig3"](np.float32(DEGENERATE[3]))
    with pytest.raises(Undefined, match="not finite"):
        ROWS["svd3"](np.full((3, 3), np.nan, np.float32))
    with pytest.raises(Unsupported, match="svd3 of"):
        ROWS["svd3"](np.eye(2, dtype=np.float32))
