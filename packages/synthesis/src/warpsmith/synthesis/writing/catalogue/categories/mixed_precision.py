"""Category `mixed_precision`: half and double precision, and conversions between them."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel
from warpsmith.synthesis.language.types import FLOAT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.compose import compose_kernel
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("vector", 2.0), ("curve", 1.0), ("transcendental", 1.0), ("cast", 1.0)))

X, Y, V = template_input(FLOAT, -3.0, 3.0), template_input(FLOAT, 0.2, 3.0), template_input(VEC3, -2.0, 2.0)
A = inner("a", "a", "hi", "x_wide", "precise", "wide")
B = inner("b", "b", "lo", "y_wide", "narrow", "other_wide")
R = template_output("r", FLOAT, -100.0, 100.0, "rounded", "result_f", "narrowed", "single", "back")
VECTOR = template_output("v", VEC3, -60.0, 60.0, "v_single", "narrowed", "back")

TEMPLATES = (
    *(template
    for t, h in (("float64", "d"), ("float16", "h"))
    for template in (
        Template(f"arithmetic in {t}",
              f"$a = wp.{t}({{0}})\n$b = wp.{t}({{1}})\n$r = float(⟨$a * $b + $a|$a - $b * wp.{t}(⟨0.5|0.25⟩)|$a / $b|($a + $b) * $a⟩)", (X, Y), (A, B, R)),
        Template(f"a function in {t}",
              f"$a = wp.⟨sin|cos|tanh|atan|exp|abs|erf⟩(wp.{t}({{0}}))\n$b = wp.⟨sqrt|log|cbrt|log2⟩(wp.{t}({{1}}))\n$r = float($a * $b)", (X, Y), (A, B, R)),
        Template(f"vectors in {t}",
              f"$a = wp.vec3{h}(wp.{t}({{0}}[0]), wp.{t}({{0}}[1]), wp.{t}({{0}}[2]))\n$b = ⟨wp.dot($a, $a)|wp.length_sq($a)|wp.max($a)⟩\n"
              f"$r = float($b)", (V,), (A, B, R)),
        Template(f"a matrix in {t}",
              f"$a = wp.mat22{h}(wp.{t}({{0}}), wp.{t}({{1}}), wp.{t}(⟨0.5|1.0⟩), wp.{t}(⟨2.0|0.25⟩))\n$b = ⟨$a * wp.transpose($a)|wp.transpose($a)|$a * wp.{t}(0.5)⟩\n"
              f"$r = float(⟨wp.trace($b)|wp.ddot($a, $b)|$b[0, 1]⟩)", (X, Y), (A, B, R)),
        Template(f"a rotation in {t}",
              f"$a = wp.quat_from_axis_angle(wp.vec3{h}(wp.{t}(0.0), wp.{t}(0.0), wp.{t}(1.0)), wp.{t}({{0}}))\n"
              f"$b = wp.quat_rotate⟨|_inv⟩($a, wp.vec3{h}(wp.{t}({{1}}), wp.{t}(1.0), wp.{t}(0.5)))\n$r = float($b[⟨0|1⟩])", (X, Y), (A, B, R)),
    )),
    Template("a compensated sum",
          "$a = wp.float64(0.0)\nfor $k in range(⟨4|6|3⟩):\n    $a += wp.float64({0}) * wp.float64($k + 1)\n$r = wp.float32($a * wp.float64(⟨0.1|0.05⟩))", (X,),
          (A, inner("k", "k", "term"), R)),
    Template("half precision storage", "$a = wp.vec3h(wp.float16({0}[0]), wp.float16({0}[1]), wp.float16({0}[2]))\n"
          "$v = wp.vec3(float($a[0]), float($a[1]), float($a[2])) * ⟨0.5|2.0⟩ + wp.vec3(⟨0.5, 0.25, 1.0|0.2, 0.0, 0.6⟩)", (V,), (A, VECTOR)),
)  # fmt: skip


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel that reads and writes single precision and uses other widths in between."""
    return compose_kernel(
        builder,
        TEMPLATES,
        (FLOAT, FLOAT, VEC3),
        (FLOAT, FLOAT, VEC3),
        ("convert", "accumulate", "refine", "quantize", "compute"),
        3,
    )


CATEGORY = Category("mixed_precision", draw, WEIGHTS, "in several precisions", "numbers", dry_run=False)
