"""Category `helper_functions`: several results, default arguments, nested calls, custom gradients."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel
from warpsmith.synthesis.language.types import FLOAT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.compose import compose_kernel
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output, vary

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("vector", 2.0), ("physics", 1.0), ("curve", 1.0), ("selection", 0.6)))

X, Y, V = template_input(FLOAT, -3.0, 3.0), template_input(FLOAT, 0.2, 3.0), template_input(VEC3, -3.0, 3.0)
R = template_output("r", FLOAT, -100.0, 100.0, "response", "shaped", "value_f", "outcome_f")
VECTOR = template_output("v", VEC3, -60.0, 60.0, "shaped_v", "deflected", "response_v")

HELPERS = (
    ("@wp.func\ndef split_parts(x: float, scale: float):\n    whole = ⟨wp.tanh(x)|wp.sin(x)|x / (1.0 + wp.abs(x))⟩ * scale\n    return whole, x - whole",
     Template("a function with two results", "$a, $b = split_parts({0}, {1})\n$r = $a ⟨*|+|-⟩ $b", (X, Y), (inner("a", "main", "near"), inner("b", "rest", "far"), R))),
    ("@wp.func\ndef soften(x: float, width: float = ⟨0.5|1.0|2.0⟩, gain: float = ⟨1.0|1.5⟩):\n    return gain * ⟨wp.sqrt(x * x + width * width)|x / (wp.abs(x) + width)|wp.exp(-x * x / width)⟩",
     Template("a function with default arguments", "$r = soften({0}) + soften({0}, ⟨{1}|gain={1}|0.7⟩)", (X, Y), (R,))),
    ("@wp.func\ndef limited(x: float, low: float, high: float) -> float:\n    if x < low:\n        return low ⟨+|-⟩ 0.1 * (x - low)\n    if x > high:\n        return high\n    return ⟨x|x * 0.9|0.5 * (x + x)⟩",
     Template("a function with several returns", "$r = limited({0}, ⟨-1.0|-0.5⟩, {1})", (X, Y), (R,))),
    ("@wp.func\ndef stable_square(x: float):\n    return x * x\n\n\n@wp.func_grad(stable_square)\ndef adj_stable_square(x: float, adj_ret: float):\n    wp.adjoint[x] += 2.0 * x * adj_ret",
     Template("a function with a gradient of its own", "$r = stable_square({0} ⟨+|-⟩ {1})", (X, Y), (R,))),
    ("@wp.func\ndef smooth_abs(x: float):\n    return wp.sqrt(x * x + ⟨0.1|0.01⟩)\n\n\n@wp.func\ndef smooth_max(a: float, b: float):\n    return 0.5 * (a + b + smooth_abs(a - b))",
     Template("functions that call each other", "$r = smooth_max({0}, ⟨{1}|smooth_abs({1})⟩)", (X, Y), (R,))),
    ("@wp.func\ndef reflect_dir(v: wp.vec3, n: wp.vec3) -> wp.vec3:\n    ⟨d = wp.dot(v, n)\n    return v - 2.0 * d * n|return v - n * (2.0 * wp.dot(v, n))|return v - wp.outer(n, n) * v⟩",
     Template("a reflection", "$v = reflect_dir({0}, wp.vec3(⟨0.0, 1.0, 0.0|0.6, 0.8, 0.0⟩) * {1})", (V, template_input(FLOAT, 0.2, 1.0)), (VECTOR,))),
    ("@wp.func\ndef horner(x: float):\n    value = float(⟨0.5|1.0⟩)\n    for k in range(⟨3|4|2⟩):\n        value = value * x * ⟨0.3|0.2⟩ + 1.0\n    return value",
     Template("Horner's scheme", "$r = horner({0}) * {1}", (template_input(FLOAT, -2.0, 2.0), Y), (R,))),
    ("@wp.func\ndef energy(x: float):\n    return ⟨0.5 * x * x|x * x⟩\n\n\n@wp.func\ndef energy(v: wp.vec3):\n    return ⟨0.5|1.0⟩ * wp.dot(v, v)",
     Template("an overloaded function", "$r = energy({0}) ⟨+|-⟩ energy({1})", (X, V), (R,))),
)  # fmt: skip


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel that calls one or two such helper functions between steps of the grammar."""
    chosen = builder.rng.sample(HELPERS, 1 if builder.is_brief else builder.rng.choice((1, 2, 2)))
    for text, _ in chosen:
        builder.define(vary(text, builder.rng))
    templates = [template for _, template in chosen]
    return compose_kernel(
        builder, templates, (FLOAT, VEC3), (FLOAT, VEC3), ("apply", "evaluate", "shape", "compute", "update"), 2
    )


CATEGORY = Category("helper_functions", draw, WEIGHTS, "with helper functions", "language", dry_run=False)
