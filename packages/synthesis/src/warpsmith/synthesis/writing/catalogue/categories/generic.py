"""Category `generic`: generic functions, and generic kernels with an overload that names the types."""

from __future__ import annotations

from msgspec.structs import replace

from warpsmith.synthesis.language.nodes import Kernel
from warpsmith.synthesis.language.types import FLOAT, INT, MAT22, TYPES, VEC2, VEC3, VEC4, Type
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.catalogue.vocabulary.data import LEARNING, SIGNAL, STATISTICS
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.compose import compose_kernel
from warpsmith.synthesis.writing.skeletons.domain_template import DomainTemplate, ParameterSpec, array, output, total, value
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output, vary

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("vector", 3.0), ("curve", 1.0), ("selection", 0.6)))

X, V = template_input(FLOAT, -3.0, 3.0), template_input(VEC3, -3.0, 3.0)
R = template_output("r", FLOAT, -100.0, 100.0, "mixed_f", "merged_f", "level_f")
W = template_output("v", VEC3, -60.0, 60.0, "mixed_v", "merged_v", "level_v")

FUNCTIONS = (
    ("""
@wp.func
def mix_any(a: Any, b: Any, t: float):
    ⟨return a * (1.0 - t) + b * t|delta = b - a
    return a + delta * t|return wp.lerp(a, b, t)⟩
""", "$r = mix_any({0}, ⟨2.0|-1.0⟩, ⟨0.25|0.5⟩)\n$v = mix_any({1}, wp.vec3(⟨1.0|0.5⟩), ⟨0.75|0.1⟩)"),
    ("""
@wp.func
def square_any(x: Any):
    ⟨y = x + x
    return y|return x + x + x⟩
""", "$r = square_any({0})\n$v = square_any({1})"),
    ("""
@wp.func
def clipped(x: Any, low: Any, high: Any):
    return wp.min(wp.max(x, low), high)
""", "$r = clipped({0}, ⟨-1.0|-2.0⟩, ⟨1.0|1.5⟩)\n$v = clipped({1}, wp.vec3(⟨-1.0|-0.5⟩), wp.vec3(⟨1.0|2.0⟩))"),
    ("""
@wp.func
def quad_form(m: Any, v: Any):
    return wp.dot(v, ⟨m * v|wp.transpose(m) * v⟩)
""", "$v = {1} * ⟨0.5|0.25⟩\n$r = quad_form(wp.outer({1}, {1}), $v) * 0.1 + quad_form(wp.mat22(⟨1.0, 0.5, 0.5, 2.0|2.0, 0.0, 1.0, 1.0⟩), wp.vec2({0}, ⟨1.0|0.5⟩))"),
    ("""
@wp.func
def axpy(alpha: Any, x: Any, y: Any):
    return alpha * x + y
""", "$r = axpy({0}, ⟨0.5|2.0⟩, {0})\n$v = axpy({0}, {1}, wp.vec3(⟨0.0, 1.0, 0.0|0.1, 0.2, 0.3⟩))"),
    ("""
@wp.func
def magnitude(x: float):
    return wp.abs(x)


@wp.func
def magnitude(x: wp.vec3):
    return ⟨wp.length(x)|wp.max(wp.abs(x))|wp.length_sq(x)⟩


@wp.func
def magnitude(x: int):
    return float(wp.abs(x))


@wp.func
def normalized_any(x: Any):
    return x / (1.0 + magnitude(x))
""", "$r = normalized_any({0}) + magnitude(⟨2|-3⟩)\n$v = normalized_any({1}) ⟨*|/⟩ (0.5 + magnitude({0}))"),
)  # fmt: skip


ELEMENTS = (FLOAT, FLOAT, TYPES["float64"], TYPES["float16"], INT, VEC2, VEC3, VEC3, VEC4, MAT22, TYPES["vec3d"])
T, A = inner("t", "value", "x_i", "item"), inner("a", "acc", "s", "rolling")
OF_ALL = (
    Template("a scaled sum of any type", "{out}[{i}] = ⟨{a} * {x}[{i}] + {y}[{i}]|{x}[{i}] + {a} * {y}[{i}]|{x}[{i}] * {a} - {y}[{i}]⟩", (), ()),
    Template("a blend of any type", "$t = {x}[{i}]\n{out}[{i}] = $t ⟨+|-⟩ ({y}[{i}] - $t) * {a}", (), (T,)),
    Template("differences of neighbours of any type", "$t = {x}[{i}]\nif {i} > 0:\n    $t = ⟨$t - {x}[{i} - 1]|{x}[{i} - 1] + $t⟩\n{out}[{i}] = $t⟨| * {a}⟩", (), (T,)),
    Template("a reversal of any type", "{out}[{n} - 1 - {i}] = {x}[{i}]⟨| + {y}[{i}]| * {a}⟩", (), ()),
    Template("a gather of any type", "$t = {x}[{at}[{i}]]\n{out}[{i}] = $t ⟨+|-⟩ {y}[{i}]", (), (T,)),
    Template("a sum of any type", "⟨wp.atomic_add({sum}, 0, {x}[{i}])|wp.atomic_add({sum}, 0, {x}[{i}] * {a})|wp.atomic_sub({sum}, 0, {x}[{i}] + {y}[{i}])⟩", (), ()),
    Template("a rolling sum of any type", "$a = {x}[{i}]\nfor $t in range(1, ⟨3|4⟩):\n    $a += {x}[({i} + $t) % {n}]\n{out}[{i}] = $a⟨| * {a}⟩", (), (A, inner("t", "k", "offset"))),
)  # fmt: skip
OF_COMPONENTS = (
    Template("a zero of any type", "$a = {x}.dtype()\nfor $t in range(⟨3|4⟩):\n    $a += {x}[({i} + $t) % {n}]\n{out}[{i}] = $a⟨| * {a}⟩", (), (A, inner("t", "k", "offset"))),
    Template("components of any type", "$t = {x}[{i}]\n$a = {y}.dtype()\n{out}[{i}] = ⟨wp.cw_mul($t, {y}[{i}])|$t + wp.cw_mul($t, $t) * {a}⟩ + $a", (), (T, A)),
)  # fmt: skip
OF_NUMBERS = (
    Template("a polynomial in any precision", "$t = {x}[{i}]\n{out}[{i}] = ($t * {x}.dtype(⟨2|3⟩) + {x}.dtype(1)) * $t", (), (T,)),
    Template("limits in any precision", "{out}[{i}] = wp.⟨clamp({x}[{i}], -{a}, {a})|max({x}[{i}], {y}[{i}])|min({x}[{i}], {a}) + {y}[{i}]⟩", (), ()),
    Template("a cast to any precision", "$t = type({x}[{i}])(⟨{i}|{i} % 3⟩)\n{out}[{i}] = {x}[{i}] ⟨+|*⟩ $t", (), (T,)),
)  # fmt: skip


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel that calls a generic function with numbers and vectors, or a generic kernel."""
    builder.define("from typing import Any")
    if builder.rng.chance(0.5):
        return _draw_kernel(builder, builder.rng.choice(ELEMENTS))
    text, calls = builder.rng.choice(FUNCTIONS)
    builder.define(vary(text, builder.rng))
    template = Template("a generic function", calls, (X, V), (R, W))
    return compose_kernel(
        builder, (template,), (FLOAT, VEC3), (FLOAT, VEC3), ("blend", "apply", "combine", "evaluate", "compute"), 1
    )


def _draw_kernel(builder: KernelBuilder, dtype: Type) -> Kernel:
    """Draw a kernel with ``Any`` in place of ``dtype``, which its overload names."""
    scalar = TYPES[dtype.scalar]
    low, high = (1, 9) if scalar is INT else (-2.0, 2.0)
    parameters = (
        array("x", dtype, low, high, "x", "src", "values", "a"),
        array("y", dtype, low, high, "y", "other", "targets", "b"),
        array("at", INT, 0, 23, "indices", "order", "remap"),
        value("a", 2 if scalar is INT else 0.25, 3 if scalar is INT else 1.5, "alpha", "weight", "factor", dtype=scalar),
        total("sum", dtype, "total", "accumulated", "sum_out"),
        output("out", dtype, "out", "dst", "result", "z"),
    )
    templates = OF_ALL + (OF_COMPONENTS if dtype.shape else OF_NUMBERS)
    verbs = ("copy", "combine", "blend", "apply", "transfer")
    kernel = DomainTemplate((SIGNAL, STATISTICS, LEARNING), templates, verbs, parameters).draw(builder)
    return replace(kernel, generic=_names_of(parameters, "x", "y", "a", "sum", "out"))


def _names_of(parameters: tuple[ParameterSpec, ...], *keys: str) -> tuple[str, ...]:
    """Return all possible names of the parameters with these keys."""
    return tuple(name for item in parameters if item.key in keys for name in item.names)


CATEGORY = Category("generic", draw, WEIGHTS, "by generic code", "language", dry_run=False)
