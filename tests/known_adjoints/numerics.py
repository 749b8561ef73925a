"""Kernels whose adjoint is right or wrong for numerical reasons, with their derivatives as formulas of NumPy.

Each kernel exists as a wrong one and a right one, or with inputs at which it is right. `Numeric.formula` computes the gradients
of the weighted sum of all outputs from the formula, independently of Warp and of the levels.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from real_patterns.pattern import Given, Pattern, kept, number, read, written

Values = np.ndarray[Any, Any]
Formula = Callable[..., Values]
"""The gradient of the first array: a function of the values of the inputs in order, and of the weights of the output."""


@dataclass(frozen=True)
class Numeric:
    """A kernel with one output.

    Attributes:
        pattern: the kernel and its launch; the verdict is that of a kernel of a project.
        formula: see `Formula`.
        is_right: whether the gradient that the program receives is right.
        generated: the verdicts that are right for the same kernel as a generated pair.
    """

    pattern: Pattern
    formula: Formula
    is_right: bool
    generated: tuple[str, ...]


def _numeric(
    source: str, given: tuple[Given, ...], formula: Formula, verdict: str, *generated: str, right: bool | None = None
) -> Numeric:
    is_right = verdict == "pass" if right is None else right
    return Numeric(Pattern(source, (given[0][0].shape[0],), given, verdict), formula, is_right, generated or (verdict,))


def _kernel(parameters: str, body: str) -> str:
    lines = "".join(f"    {line}\n" for line in body.strip("\n").split("\n"))
    return f"@wp.kernel\ndef k({parameters}):\n    i = wp.tid()\n{lines}"


def _rows(body: str, formula: Formula, verdict: str, columns: int = 20) -> Numeric:
    """Return a kernel over the rows of ``x``, whose output has one number for each row."""
    source = _kernel("x: wp.array2d(dtype=float), out: wp.array(dtype=float)", body)
    given = (read("x", "float32", 3, columns, low=0.5, high=1.5), written("out", "float32", 3))
    return _numeric(source, given, formula, verdict)


def _share(x: Values, w: Values) -> Values:
    s = x.sum(1, keepdims=True)
    first = np.zeros_like(x)
    first[:, 0] = 1.0
    return w[:, None] * (first / s - x[:, :1] / s**2)


def _log_sum(x: Values, w: Values) -> Values:
    e = np.exp(x)
    return w[:, None] * e / e.sum(1, keepdims=True)


def _norm(x: Values, w: Values) -> Values:
    return w[:, None] * x / np.linalg.norm(x, axis=1, keepdims=True)


def _rms(x: Values, w: Values) -> Values:
    r = np.sqrt(0.125 * (x * x).sum(1, keepdims=True))
    first = np.zeros_like(x)
    first[:, 0] = 1.0
    return w[:, None] * (first / r - 0.125 * x[:, :1] * x / r**3)


def _mean_inverse(x: Values, w: Values) -> Values:
    return -w[:, None] / (x.sum(1, keepdims=True) ** 2) * np.ones_like(x)


_SUM = "s = float(0.0)\nfor j in range({n}):\n    s += {term}\n"
_SHAPE = "x.shape[1]"


def _pair(name: str, term: str, use: str, formula: Formula) -> dict[str, Numeric]:
    """Return a kernel that uses a sum of a loop whose length is known in the launch only, and one whose loop is unrolled."""
    dynamic, static = (_SUM.format(n=n, term=term) + f"out[i] = {use}" for n in (_SHAPE, "8"))
    return {
        name: _rows(dynamic, formula, "fail"),
        f"{name}, unrolled": _rows(static, formula, "pass", columns=8),
    }


INFINITE = (
    _pair("a share", "x[i, j]", "x[i, 0] / s", _share)
    | _pair("a norm", "x[i, j] * x[i, j]", "wp.sqrt(s)", _norm)
    | _pair("the logarithm of a sum", "wp.exp(x[i, j])", "wp.log(s)", _log_sum)
    | _pair("an inverse mean", "x[i, j]", "1.0 / s", _mean_inverse)
    | _pair("a root mean square", "x[i, j] * x[i, j]", "x[i, 0] / wp.sqrt(s * 0.125)", _rms)
)
"""The adjoint of a dynamic loop uses the sum from before the loop, and divides by zero; the derivative is finite."""


def _elements(
    body: str,
    x: Given,
    formula: Formula,
    verdict: str,
    *generated: str,
    more: tuple[Given, ...] = (),
    right: bool | None = None,
) -> Numeric:
    """Return a kernel over the elements of ``x``, with one number of the output for each."""
    types = {"float32": "float", "vec3f": "wp.vec3"}
    parameters = [
        f"{one.name}: wp.array(dtype={types[one.dtype]})" if one.shape else f"{one.name}: float" for one, _ in (x, *more)
    ]
    source = _kernel(", ".join([*parameters, "out: wp.array(dtype=float)"]), body)
    out = written("out", "float32", x[0].shape[0])
    return _numeric(source, (x, *more, out), formula, verdict, *generated, right=right)


_ROOT = [0.5, -0.4, 2.0, -1.0, 3.0, 0.1, -2.0, 1.5]
_ZEROS = [0.0] * 8


def _root(x: Values, w: Values) -> Values:
    return np.where(x > 0.0, w * 0.5 / np.sqrt(np.maximum(x, 1.0e-300)), 0.0)


INFINITE |= {
    "a root that is not chosen": _elements(
        "out[i] = wp.where(x[i] > 0.0, wp.sqrt(x[i]), 0.0)", kept("x", "float32", _ROOT), _root, "fail"
    ),
    "a root of what is chosen": _elements(
        "p = x[i] > 0.0\nout[i] = wp.where(p, wp.sqrt(wp.where(p, x[i], 1.0)), 0.0)", kept("x", "float32", _ROOT), _root,
        "pass",
    ),
    "a root of zero": _elements(
        "out[i] = wp.sqrt(x[i])", kept("x", "float32", _ZEROS), _root, "inconclusive", "fail", right=False
    ),
    "a root of a plain zero": _elements(
        "out[i] = wp.sqrt(x[i] * a)", read("x", "float32", 8, low=0.5, high=1.5), lambda x, a, w: a * x * w,
        "inconclusive", "fail", more=(number("a", 0.0),), right=False,
    ),
}  # fmt: skip

ROUNDED = {
    "a sum beside a large number": _elements(
        "out[i] = 0.3 + x[i] * a", read("x", "float32", 8, low=0.5, high=1.5), lambda x, a, w: a * w + 0.0 * x,
        "inconclusive", "pass", more=(number("a", 1.0e-13),), right=True,
    ),
    "a number that is added and subtracted": _elements(
        "out[i] = (x[i] + a) - a + 3.0 * x[i]", read("x", "float32", 8, low=0.5, high=1.5),
        lambda x, a, w: 4.0 * w + 0.0 * (x + a),
        "inconclusive", "inconclusive", more=(number("a", 1.0e18),), right=True,
    ),
    "a narrow range of large numbers": _elements(
        "d = x[i] - 100000.0\nout[i] = d * d", read("x", "float32", 8, low=100000.0, high=100001.0),
        lambda x, w: 2.0 * (x - 100000.0) * w, "pass",
    ),
    "numbers that are small": _elements(
        "out[i] = x[i] * x[i]", kept("x", "float32", [k * 1.0e-13 for k in range(1, 9)]), lambda x, w: 2.0 * x * w, "pass"
    ),
}  # fmt: skip
"""Right adjoints, of which some steps of differences show nothing."""


def _angle(a: Values, b: Values, w: Values) -> Values:
    u, v = (one / np.linalg.norm(one, axis=1, keepdims=True) for one in (a, b))
    cosine, sine = (u * v).sum(1, keepdims=True), np.linalg.norm(np.cross(u, v), axis=1, keepdims=True)
    return -w[:, None] * (v - cosine * u) / (sine * np.linalg.norm(a, axis=1, keepdims=True))


def _deviation(x: Values, w: Values) -> Values:
    return w[:, None] * (x - x.mean(1, keepdims=True)) / (x.shape[1] * x.std(1, keepdims=True))


_NEAR = {
    "a": [[1.0, 0.5, 0.25], [1.0, 0.0, 0.0], [0.3, 1.0, 0.2], [0.1, 0.2, 1.0]],
    "b": [[1.0, 0.5002, 0.25], [0.8, 0.6, 0.0], [0.3, 1.0, 0.7], [0.1, 0.2002, 1.0]],
}
_ANGLES = tuple(kept(name, "vec3f", values, components=1) for name, values in _NEAR.items())
_FOUR = [[1000.01, 1000.02, 999.99, 1000.03], [0.5, 1.5, 0.7, 2.5]]
_WIDE = kept("x", "float32", [100.0, 1.0, -2.0, 30.0, -100.0, 0.5, 90.0, 2.0])
_DOUBT = ("fail", "inconclusive")


def _softplus(x: Values, w: Values) -> Values:
    return w / (1.0 + np.exp(-x))


def _four(body: str, verdict: str, *generated: str) -> Numeric:
    source = _kernel(
        "x: wp.array2d(dtype=float), out: wp.array(dtype=float)", "m = (x[i, 0] + x[i, 1] + x[i, 2] + x[i, 3]) * 0.25\n" + body
    )
    return _numeric(source, (kept("x", "float32", _FOUR), written("out", "float32", 2)), _deviation, verdict, *generated)


_COMPONENTS = "a = x[i, 0]\nb = x[i, 1]\nc = x[i, 2]\nd = x[i, 3]\n"
_DISTANCES = "".join(f"d{k} = x[i, {k}] - m\n" for k in range(4))
SINGLE = {
    "a deviation by two sums": _four(
        _COMPONENTS + "q = a * a + b * b + c * c + d * d\nout[i] = wp.sqrt(0.25 * q - m * m)",
        "fail", *_DOUBT,
    ),
    "a deviation by distances": _four(
        _DISTANCES + "out[i] = wp.sqrt((d0 * d0 + d1 * d1 + d2 * d2 + d3 * d3) * 0.25)", "pass"
    ),
    "an angle by its cosine": _elements(
        "out[i] = wp.acos(wp.dot(wp.normalize(a[i]), wp.normalize(b[i])))", _ANGLES[0], _angle, "inconclusive", *_DOUBT,
        more=_ANGLES[1:],
    ),
    "an angle by its sine and cosine": _elements(
        "u = wp.normalize(a[i])\nv = wp.normalize(b[i])\nout[i] = wp.atan2(wp.length(wp.cross(u, v)), wp.dot(u, v))",
        _ANGLES[0], _angle, "pass", more=_ANGLES[1:],
    ),
    "a softplus that overflows": _elements("out[i] = wp.log(1.0 + wp.exp(x[i]))", _WIDE, _softplus, "fail", *_DOUBT),
    "a softplus that does not": _elements(
        "out[i] = wp.max(x[i], 0.0) + wp.log(1.0 + wp.exp(-wp.abs(x[i])))", _WIDE, _softplus, "pass"
    ),
    "a hyperbolic tangent of large numbers": _elements(
        "out[i] = wp.tanh(x[i] * 4.0)", kept("x", "float32", [0.25 * k for k in range(-12, 13)]),
        lambda x, w: 4.0 * w / np.cosh(4.0 * x) ** 2, "pass",
    ),
    "a difference of close numbers": _elements(
        "d = x[i] - y[i]\nout[i] = d * d", kept("x", "float32", [1.0, 2.0, 3.0, 4.0]), lambda x, y, w: 2.0 * (x - y) * w,
        "pass",
        more=(kept("y", "float32", [1.00001, 2.00001, 2.99999, 4.00002]),),
    ),
}  # fmt: skip
"""Adjoints that are right in double precision; those of the kernels that do not pass are wrong in single precision."""

ALL = INFINITE | ROUNDED | SINGLE
