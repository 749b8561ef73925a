"""The exact derivative of the Python decides where central differences show nothing or are wrong, and confirms failures."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from real_patterns.pattern import Pattern, kept, null, read, written
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.jsonl import decode
from warpsmith.synthesis import generate
from warpsmith.validation.levels.derivatives import confirmation
from warpsmith.validation.levels.derivatives.derivative import Derivative
from warpsmith.validation.levels.derivatives.exact_derivative import ExactDerivative, exact_derivative
from warpsmith.validation.levels.derivatives.series import Series

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

COUNT = 8
AGREE = "central differences and the exact derivative of the Python agree"
ARRAYS = "wp.array(dtype=float)"


def pattern(parameters: str, body: str, *args: Any, before: str = "", gradient: str = "pass", reason: str = "") -> Pattern:
    kernel = f"@wp.kernel\ndef k({parameters}):\n    i = wp.tid()\n    {body}\n"
    return Pattern(f"{before}{kernel}", (COUNT,), args, gradient=gradient, reason=reason)


def several(value: float, seed: int = 0) -> list[float]:
    return (np.random.default_rng(seed).uniform(-1.0, 1.0, COUNT) * value).tolist()


ROTATION = '''@wp.func
def so3_log(q: wp.quat):
    v = wp.vec3(q[0], q[1], q[2])
    n = wp.length(v)
    angle = 2.0 * wp.atan2(n, q[3])
    if angle < 1.0e-5:
        return wp.vec3(0.0, 0.0, 0.0)
    return v / n * angle


'''  # fmt: skip
SQUARE = """@wp.func
def square(x: float):
    return x * x


@wp.func_grad(square)
def adj_square(x: float, adj_ret: float):
    wp.adjoint[x] += {slope} * x * adj_ret


"""
TURNS = [[1e-6 * x, 2e-6 * x, -1e-6 * x, 1.0] for x in several(1.0)]
SOME_ZERO = [0.0 if place in (2, 5) else 0.7 for place in range(COUNT)]

PATTERNS = {
    "a small step of a large energy": pattern(
        f"x: {ARRAYS}, e: {ARRAYS}", "e[i] += 1.0e-6 * x[i]", kept("x", "float32", several(1.0)),
        kept("e", "float32", [1e9] * COUNT, "inout"),
    ),
    "a sum with a huge number": pattern(
        f"a: {ARRAYS}, b: {ARRAYS}, out: {ARRAYS}", "out[i] = a[i] + b[i]", kept("a", "float32", several(1.0)),
        kept("b", "float32", [1e18] * COUNT), written("out", "float32", COUNT),
    ),
    "tiny products": pattern(
        f"p: {ARRAYS}, a: {ARRAYS}, total: {ARRAYS}", "total[i] += a[0] * p[i]", kept("p", "float32", several(1e-13)),
        kept("a", "float32", [1.3]), kept("total", "float32", several(1.0, 1), "inout"),
    ),
    "rotations below a threshold": pattern(
        "q: wp.array(dtype=wp.quat), out: wp.array(dtype=wp.vec3)", "out[i] = so3_log(q[i])",
        kept("q", "quatf", TURNS, components=1), written("out", "vec3f", COUNT), before=ROTATION, gradient="not_applicable",
    ),
    "a quotient that a choice replaces": pattern(
        f"x: {ARRAYS}, n: {ARRAYS}, out: {ARRAYS}", "out[i] = wp.where(n[i] > 0.0, x[i] / n[i], 0.0)",
        kept("x", "float32", several(1.0)), kept("n", "float32", SOME_ZERO), written("out", "float32", COUNT),
        gradient="fail", reason=AGREE,
    ),
    "a root at zero": pattern(
        f"x: {ARRAYS}, n: {ARRAYS}, out: {ARRAYS}", "out[i] = wp.sqrt(x[i] * x[i] * n[i])",
        kept("x", "float32", several(1.0)), kept("n", "float32", SOME_ZERO), written("out", "float32", COUNT),
        gradient="inconclusive",
    ),
    "a wrong adjoint by hand": pattern(
        f"x: {ARRAYS}, out: {ARRAYS}", "out[i] = square(x[i])", read("x", "float32", COUNT), written("out", "float32", COUNT),
        before=SQUARE.format(slope="1.0"), gradient="fail", reason="differences in the program's own precision give",
    ),
    "a right adjoint by hand": pattern(
        f"x: {ARRAYS}, out: {ARRAYS}", "out[i] = square(x[i])", read("x", "float32", COUNT), written("out", "float32", COUNT),
        before=SQUARE.format(slope="2.0"),
    ),
    "a wrong adjoint beside an array that is None": pattern(
        f"x: {ARRAYS}, unused: {ARRAYS}, out: {ARRAYS}", "out[i] = square(x[i])", read("x", "float32", COUNT),
        null("unused", "float32"), written("out", "float32", COUNT), before=SQUARE.format(slope="1.0"), gradient="fail",
        reason="central differences and the exact derivative of the Python agree",
    ),
    "steps between smooth pieces": pattern(
        f"x: {ARRAYS}, out: {ARRAYS}", "out[i] = x[i] * x[i] + 1.0e-3 * wp.floor(3.0e6 * x[i])",
        kept("x", "float32", several(1.0)), written("out", "float32", COUNT),
    ),
}  # fmt: skip


def test_real_kernels_have_the_right_verdicts(run_levels: Callable[..., Any]) -> None:
    lines = [entry.line(name, number) for number, (name, entry) in enumerate(PATTERNS.items(), start=1)]
    found = run_levels(lines, "regenerate", "execute", "gradient")["gradient"]
    wrong = {
        name: finding
        for (name, entry), finding in zip(PATTERNS.items(), found, strict=True)
        if finding.status != entry.gradient or entry.reason not in finding.reason
    }
    assert wrong == {}


def test_a_single_opinion_fails_no_kernel(run_levels: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confirmation, "exact_derivative", lambda *_, **__: "unsupported: a construct")
    monkeypatch.setattr(confirmation, "further_opinion", lambda *_: (False, ""))
    line = PATTERNS["a wrong adjoint by hand"].line("alone")
    (finding,) = run_levels([line], "regenerate", "execute", "gradient")["gradient"]
    assert finding.status == "inconclusive"
    assert "the exact derivative of the Python is not available: unsupported: a construct" in finding.reason


def test_the_adjoints_of_generated_pairs_are_the_exact_derivatives(
    run_levels: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    series_of_pairs: list[tuple[Series, Derivative]] = []
    original = Series.derivative

    def derivative(self: Series, *arguments: Any) -> Derivative:
        made = original(self, *arguments)
        series_of_pairs.append((self, made))
        return made

    monkeypatch.setattr(Series, "derivative", derivative)
    pairs = [generate(seed=4000, index=index, device="both") for index in range(4)]
    findings = run_levels(
        [decode(encode(pair), Path("pairs.jsonl"), number) for number, pair in enumerate(pairs)],
        "regenerate",
        "execute",
        "gradient",
    )
    assert "fail" not in {finding.status for finding in findings["gradient"]}
    compared = 0
    for series, measured in series_of_pairs:
        if series.precision.shows_all and series.tally.finding.status == "pass" and measured.finding().status == "pass":
            exact = exact_derivative(series, measured.probe)
            assert isinstance(exact, ExactDerivative), exact
            assert abs(measured.adjoint - exact.derivative) <= 1e-9 * max(exact.contributions, 1e-300)
            compared += 1
    assert compared > 8
