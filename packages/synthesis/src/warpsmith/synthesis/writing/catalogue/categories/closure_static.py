"""Category `closure_static`: ``wp.static``, constants, and functions and types made by Python before compilation."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel
from warpsmith.synthesis.language.types import FLOAT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.compose import compose_kernel
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output, vary

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("vector", 2.0), ("curve", 1.0), ("selection", 0.6), ("physics", 0.6)))

X, V = template_input(FLOAT, -2.0, 2.0), template_input(VEC3, -2.0, 2.0)
R = template_output("r", FLOAT, -200.0, 200.0, "static_value", "unrolled", "specialized", "folded")
W = template_output("v", VEC3, -60.0, 60.0, "static_v", "specialized_v")
K = inner("k", "k", "term", "stage")

WAYS = (
    ("ORDER = ⟨2|3|4⟩\nRATE = ⟨0.5|0.25|0.1⟩", Template("a static expression", "$r = {0} * wp.static(⟨RATE * 2.0|float(ORDER) + 0.5|RATE ** 2|max(RATE, 0.3)⟩) ⟨+|-⟩ wp.static(float(ORDER))", (X,), (R,))),
    ("TERMS = ⟨3|4|5⟩", Template("a static loop", "$r = float(0.0)\nfor $k in range(wp.static(⟨TERMS|TERMS - 1⟩)):\n    $r = $r * {0} * ⟨0.3|0.2⟩ + ⟨1.0|float($k)⟩", (X,), (K, R))),
    ("""
def make_scale(factor: float):
    @wp.func
    def scale(x: float):
        return x * factor ⟨+|-⟩ ⟨1.0|0.5⟩

    return scale


scale_by = make_scale(⟨2.0|0.5|1.5⟩)
""", Template("a function made by Python", "$r = scale_by({0})⟨| * {0}⟩", (X,), (R,))),
    ("""
@wp.func
def smooth_op(x: float):
    return ⟨wp.tanh(x)|wp.sin(x)⟩


@wp.func
def sharp_op(x: float):
    return ⟨wp.clamp(x, -1.0, 1.0)|x / (1.0 + x * x)⟩


USE_SMOOTH = ⟨True|False⟩
""", Template("a function chosen beforehand", "$r = wp.static(smooth_op if USE_SMOOTH else sharp_op)({0}) * ⟨0.5|2.0⟩", (X,), (R,))),
    ("BASIS = wp.constant(wp.vec3(⟨0.5, 0.25, 0.25|1.0, 0.0, 0.5⟩))\nMIX = wp.constant(wp.mat33(1.0, ⟨0.5|0.1⟩, 0.0, 0.0, 1.0, ⟨0.5|0.2⟩, 0.25, 0.0, 1.0))",
     Template("constants of vectors and matrices", "$v = MIX * {0} ⟨+|-⟩ BASIS\n$r = wp.dot({0}, BASIS)", (V,), (W, R))),
    ("WEIGHTS = wp.constant(wp.vec4(⟨0.1, 0.2, 0.3, 0.4|0.4, 0.3, 0.2, 0.1⟩))", Template("a table of weights", "$r = float(0.0)\nfor $k in range(4):\n    $r += WEIGHTS[$k] * ⟨{0}|wp.sin({0} * float($k))|{0} * float($k)⟩", (X,), (K, R))),
    ("vec5 = wp.types.vector(length=5, dtype=float)", Template("a vector of five", "$w = vec5({0}, {0} * {0}, 1.0, ⟨0.5|2.0⟩, -{0})\n$r = ⟨wp.dot($w, $w) * 0.1|$w[1] + $w[4]|wp.length($w)⟩", (X,), (inner("w", "coeffs", "features5"), R))),
    ("mat23 = wp.types.matrix(shape=(2, 3), dtype=float)", Template("a matrix that is not square", "$m = mat23(1.0, ⟨0.5|0.2⟩, 0.0, 0.0, 1.0, ⟨0.5|2.0⟩)\n$p = $m * {0}\n$r = ⟨$p[0] + $p[1]|wp.dot($p, $p)|$p[0] * $p[1]⟩", (V,), (inner("m", "proj", "rect"), inner("p", "uv_p", "planar"), R))),
)  # fmt: skip


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel with one or two templates that Python evaluates before compilation, between steps of the grammar."""
    chosen = builder.rng.sample(WAYS, builder.rng.choice((1, 2)))
    for text, _ in chosen:
        builder.define(vary(text, builder.rng))
    return compose_kernel(
        builder,
        [template for _, template in chosen],
        (FLOAT, VEC3),
        (FLOAT, VEC3),
        ("apply", "evaluate", "specialize", "compute", "fold"),
        2,
    )


CATEGORY = Category("closure_static", draw, WEIGHTS, "with static expressions and closures", "language", dry_run=False)
