"""A program that leaves its arrays, or reads a variable without a value, at its own launch fails; launches made up do not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from real_patterns.pattern import CAPTURED, Pattern, kept, null, read, written
from warpsmith.validation.levels.finding import Finding

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")

X = kept("x", "float32", np.linspace(1.0, 2.0, 8))
OUT = written("out", "float32", 8)


def pattern(body: str, *others: Any, x: Any = X, threads: int = 8, before: str = "") -> Pattern:
    names = {"j": "wp.array(dtype=int)", "more": "wp.array(dtype=float)"}
    more = "".join(f"{one[0].name}: {names[one[0].name]}, " for one in others)
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    source = f"@wp.kernel\ndef k({more}x: wp.array(dtype=float), out: wp.array(dtype=float)):\n    i = wp.tid()\n{lines}"
    return Pattern(before + source, (threads,), (*others, x, OUT))


MISUSES = {
    "the next element": (pattern("out[i] = x[i + 1] - x[i]"), "index 8 where there are 8 elements"),
    "an index of the data": (
        pattern("out[i] = x[j[i]] * 2.0", kept("j", "int32", [0, 3, -1, 8, 2, 1, 0, 5])),
        "index 8 where there are 8 elements",
    ),
    "too far from the end": (pattern("out[i] = x[-1 - i - i]"), "where there are 8 elements"),
    "a store": (pattern("out[i + 1] = x[i]"), "index 8 where there are 8 elements"),
    "a launch that is too wide": (pattern("out[i % 8] = x[i] * x[i]", threads=9), "index 8 where there are 8 elements"),
    "an array that is None": (
        pattern("out[i] = x[i] + more[i]", null("more", "float32")),
        "the kernel stops at this launch",
    ),
    "a variable of one branch": (pattern("if x[i] > 1.5:\n    a = x[i] * 2.0\nout[i] = a"), "'a' read before it has a value"),
}
"""Launches of programs with a fault, and what the reason says."""

RIGHT = {
    "negative indices": pattern("out[i] = x[-1 - i] * x[i]"),
    "an index that is checked": pattern("if i + 1 < 8:\n    out[i] = x[i + 1] * x[i]\nelse:\n    out[i] = x[i]"),
    "both branches": pattern("if x[i] > 1.5:\n    a = x[i] * 2.0\nelse:\n    a = x[i]\nout[i] = a"),
}

DRAWN = read("x", "float32", 8)


def first_problems(patterns: Sequence[Pattern], run_levels: Callable[..., Any], launch: Any = "captured") -> list[Finding]:
    """Return the finding of level `execute` on each pattern, or of `oracle` where that passes."""
    origin = replace(CAPTURED, launch=launch)
    lines = [one.line(str(number), number, origin) for number, one in enumerate(patterns, start=1)]
    found = run_levels(lines, "execute", "oracle")
    return [one if one.status != "pass" else other for one, other in zip(found["execute"], found["oracle"], strict=True)]


def test_a_fault_of_a_program_fails(run_levels: Callable[..., Any]) -> None:
    found = dict(zip(MISUSES, first_problems([one for one, _ in MISUSES.values()], run_levels), strict=True))
    assert {name: one.status for name, one in found.items()} == dict.fromkeys(MISUSES, "fail")
    assert [name for name, (_, reason) in MISUSES.items() if reason not in found[name].reason] == []


def test_right_programs_pass(run_levels: Callable[..., Any]) -> None:
    assert {one.status for one in first_problems(list(RIGHT.values()), run_levels)} == {"pass"}


def test_a_guessed_launch_says_nothing_about_the_program(run_levels: Callable[..., Any]) -> None:
    found = first_problems([one for one, _ in MISUSES.values()], run_levels, "guessed")
    assert "fail" not in {one.status for one in found}


def test_values_that_are_drawn_say_nothing_about_the_program(run_levels: Callable[..., Any]) -> None:
    patterns = [pattern("out[i] = x[i + 1]", x=DRAWN), pattern("out[i] = x[int(x[i] * 20.0)]", x=DRAWN)]
    assert {one.status for one in first_problems(patterns, run_levels)} == {"inconclusive"}
