"""Generic functions: one definition for numbers, vectors and matrices of any width."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel
from warpsmith.synthesis.language.types import FLOAT, VEC3
from warpsmith.synthesis.writing.around import around
from warpsmith.synthesis.writing.categories.category import Category
from warpsmith.synthesis.writing.palette import Palette
from warpsmith.synthesis.writing.phrases import Idiom, give, need, vary
from warpsmith.synthesis.writing.sketch import Sketch

PALETTE = Palette((("arithmetic", 4.0), ("vector", 3.0), ("curve", 1.0), ("selection", 0.6)))

X, V = need(FLOAT, -3.0, 3.0), need(VEC3, -3.0, 3.0)
R = give("r", FLOAT, -100.0, 100.0, "mixed_f", "merged_f", "level_f")
W = give("v", VEC3, -60.0, 60.0, "mixed_v", "merged_v", "level_v")

FUNCTIONS = (
    ("""
from typing import Any


@wp.func
def mix_any(a: Any, b: Any, t: float):
    ⟨return a * (1.0 - t) + b * t|delta = b - a
    return a + delta * t|return wp.lerp(a, b, t)⟩
""", "$r = mix_any({0}, ⟨2.0|-1.0⟩, ⟨0.25|0.5⟩)\n$v = mix_any({1}, wp.vec3(⟨1.0|0.5⟩), ⟨0.75|0.1⟩)"),
    ("""
from typing import Any


@wp.func
def square_any(x: Any):
    ⟨y = x + x
    return y|return x + x + x⟩
""", "$r = square_any({0})\n$v = square_any({1})"),
    ("""
from typing import Any


@wp.func
def clipped(x: Any, low: Any, high: Any):
    return wp.min(wp.max(x, low), high)
""", "$r = clipped({0}, ⟨-1.0|-2.0⟩, ⟨1.0|1.5⟩)\n$v = clipped({1}, wp.vec3(⟨-1.0|-0.5⟩), wp.vec3(⟨1.0|2.0⟩))"),
    ("""
from typing import Any


@wp.func
def quad_form(m: Any, v: Any):
    return wp.dot(v, ⟨m * v|wp.transpose(m) * v⟩)
""", "$v = {1} * ⟨0.5|0.25⟩\n$r = quad_form(wp.outer({1}, {1}), $v) * 0.1 + quad_form(wp.mat22(⟨1.0, 0.5, 0.5, 2.0|2.0, 0.0, 1.0, 1.0⟩), wp.vec2({0}, ⟨1.0|0.5⟩))"),
    ("""
from typing import Any


@wp.func
def axpy(alpha: Any, x: Any, y: Any):
    return alpha * x + y
""", "$r = axpy({0}, ⟨0.5|2.0⟩, {0})\n$v = axpy({0}, {1}, wp.vec3(⟨0.0, 1.0, 0.0|0.1, 0.2, 0.3⟩))"),
)  # fmt: skip


def draw(s: Sketch) -> Kernel:
    """One generic function, called with numbers and with vectors."""
    text, calls = s.d.choice(FUNCTIONS)
    s.define(vary(text, s.d))
    idiom = Idiom("a generic function", calls, (X, V), (R, W))
    return around(s, (idiom,), (FLOAT, VEC3), (FLOAT, VEC3), ("blend", "apply", "combine", "evaluate", "compute"), 1)


CATEGORY = Category("generic", draw, PALETTE, "by generic functions", "language", tried=False)
