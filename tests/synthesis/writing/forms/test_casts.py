"""Casts and `wp.static`: the texts, and that the value of every statement stays."""

from __future__ import annotations

from types import SimpleNamespace

from warpsmith.synthesis.writing.forms.casts import with_initial_casts, with_static_ranges, with_warp_casts

BODY = """\
total = 0.0
count = 0
best = -1
for k in range(TAPS):
    total += float(k) * 2.0 * GAIN
    count += int(GAIN)
rest = total - 0.5 * GAIN
out = (rest, count, best, GAIN / 3.0 + 1.0, total * GAIN / 3.0)"""

CONSTANTS = {"TAPS": 3, "GAIN": 1.5}


def run(body: str) -> object:
    """Return the result of statements that are executed with a stand-in for Warp."""
    wp = SimpleNamespace(float32=float, int32=int, static=lambda value: value)
    names = {"wp": wp, **CONSTANTS}
    exec(body, names)  # noqa: S102 - the text above
    return names["out"]


def test_locals_that_change_are_initialized_with_casts() -> None:
    text = with_initial_casts(BODY)
    assert text.startswith("total = float(0.0)\ncount = int(0)\nbest = -1\n")
    assert run(text) == run(BODY)


def test_casts_with_types_of_warp() -> None:
    text = with_warp_casts(BODY)
    assert "wp.float32(k) * 2.0" in text
    assert "wp.int32(GAIN)" in text
    assert run(text) == run(BODY)
    assert with_warp_casts("x: float, wp.float64(x), my_float(x)") == "x: float, wp.float64(x), my_float(x)"


def test_static_ranges_and_expressions() -> None:
    text = with_static_ranges(BODY, list(CONSTANTS))
    assert "range(wp.static(TAPS))" in text
    assert "total - wp.static(0.5 * GAIN)" in text
    assert "wp.static(GAIN / 3.0) + 1.0" in text
    assert "total * GAIN / 3.0" in text, "the factors of a product are multiplied from left to right"
    assert "float(k) * 2.0 * GAIN" in text
    assert run(text) == run(BODY)


def test_names_that_are_no_constants_stay() -> None:
    assert with_static_ranges("for i in range(N):\n    x = N * 2.0", ["M"]) == "for i in range(N):\n    x = N * 2.0"
