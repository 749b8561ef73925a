"""Category `texture`: filtered lookups, gradients by differences and layers of textures with one to three dimensions."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel
from warpsmith.synthesis.language.types import FLOAT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.objects import compose_query, object_parameter
from warpsmith.synthesis.writing.skeletons.templates import Template, inner, template_input, template_output

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("vector", 2.0), ("selection", 0.8), ("curve", 1.0)))

X = template_input(FLOAT, 0.2, 2.0)
A, B = inner("a", "texel", "c0", "base_t"), inner("b", "c1", "texel_b", "next_t")
VALUE = template_output("s", FLOAT, -40.0, 40.0, "shade", "albedo", "sampled_t", "intensity_t")
COLOR = template_output("v", VEC3, -40.0, 40.0, "tint", "color_t", "radiance_t")

BY_RANK = {
    1: (Template("a sample of a texture", "$s = wp.texture_sample({o}, {p}[0]⟨| * 0.5 + 0.5⟩, dtype=float) * {0}", (X,), (VALUE,)),
        Template("a difference along a texture", "$a = wp.texture_sample({o}, {p}[0], dtype=float)\n$b = wp.texture_sample({o}, {p}[0] + 0.1, dtype=float)\n$s = ($b - $a) * ⟨10.0|5.0⟩ + {0}", (X,), (A, B, VALUE))),
    2: (Template("a sample of an image", "$s = wp.texture_sample({o}, ⟨wp.vec2({p}[0], {p}[1])|{p}[0], {p}[1]|wp.vec2({p}[0] * 0.5 + 0.5, {p}[2])⟩, dtype=float) * {0}", (X,), (VALUE,)),
        Template("a slope of an image", "$a = wp.texture_sample({o}, wp.vec2({p}[0], {p}[1]), dtype=float)\n$b = wp.texture_sample({o}, wp.vec2({p}[0] ⟨+ 0.1|- 0.2⟩, {p}[1]), dtype=float)\n$s = ⟨$a - $b|$a * $b|wp.max($a, $b)⟩ + {0}", (X,), (A, B, VALUE)),
        Template("a tinted image", "$a = wp.texture_sample({o}, wp.vec2({p}[1], {p}[2]), dtype=float)\n$v = wp.vec3($a, $a * ⟨0.5|0.8⟩, {0}) * $a", (X,), (A, COLOR))),
    3: (Template("a sample of a block", "$s = wp.texture_sample({o}, ⟨{p}|{p} * 0.5 + wp.vec3(0.5)|{p}[0], {p}[1], {p}[2]⟩, dtype=float) * {0}", (X,), (VALUE,)),
        Template("a march through a block", "$s = float(0.0)\nfor $k in range(⟨3|4⟩):\n    $s += wp.texture_sample({o}, {p} * (0.2 * float($k + 1)), dtype=float) * {0}", (X,), (inner("k", "k", "step_t"), VALUE))),
}  # fmt: skip


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel that samples a texture at points."""
    rng = builder.rng
    rank = rng.choice((1, 2, 2, 3))
    shape = tuple(rng.between(4, 9) for _ in range(rank))
    name = object_parameter(builder, rng.choice(("texture", "image", "tex", "lookup_t")), "texture", shape, 0.0, 1.0,
                 filter=rng.choice(("linear", "linear", "closest")), address=rng.choice(("clamp", "wrap", "mirror", "border")))  # fmt: skip
    return compose_query(builder, name, BY_RANK[rank], (FLOAT, VEC3), ("sample", "shade", "filter", "lookup"))


CATEGORY = Category("texture", draw, WEIGHTS, "from a texture", "objects", dry_run=False)
