"""Category `native`: native C++ and CUDA snippets, with custom adjoints and replays."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel
from warpsmith.synthesis.language.types import FLOAT
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.compose import compose_kernel
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.templates import Template, template_input, template_output, vary

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("curve", 1.0), ("selection", 0.6), ("transcendental", 0.6)))

X, Y = template_input(FLOAT, -3.0, 3.0), template_input(FLOAT, 0.2, 3.0)
R = template_output("r", FLOAT, -200.0, 200.0, "native_value", "raw_f", "snippet_out")

SNIPPETS = (
    ("""
snippet = \"\"\"
    float t = x * ⟨0.5f|2.0f⟩;
    return t * t ⟨+ y|+ 1.0f * y|+ y + 0.5f|- 0.1f + y⟩;
    \"\"\"
adj_snippet = \"\"\"
    float scale = ⟨0.5f|2.0f⟩;
    adj_x += 2.0f * x * scale * scale * adj_ret;
    adj_y += adj_ret;
    \"\"\"


@wp.func_native(snippet, adj_snippet)
def native_square(x: float, y: float) -> float: ...
""", Template("a native function", "$r = native_square({0}⟨| * 0.5| ⟨+|-⟩ {1}⟩, {1})⟨| * 0.5| ⟨+|-⟩ {0}⟩", (X, Y), (R,))),
    ("""
snippet = \"\"\"
    return x ⟨>|<|>=⟩ y ? x : ⟨0.5f|0.25f⟩ * x + ⟨0.5f|0.75f⟩ * y;
    \"\"\"


@wp.func_native(snippet)
def native_select(x: float, y: float) -> float: ...
""", Template("a native selection", "$r = native_select(float(int({0} * 4.0))⟨| * 0.5| + 0.25⟩, ⟨1.0|2.0|float(int({0}))⟩)⟨| ⟨+|-|*⟩ {0}⟩", (X,), (R,))),
    ("""
snippet = \"\"\"
    int bits = x ^ (x >> ⟨2|3⟩);
    return ⟨bits & 15|bits & 31|(bits + x) & 31|bits % 13|(bits ^ (x << 1)) & 31⟩;
    \"\"\"


@wp.func_native(snippet)
def native_bits(x: int) -> int: ...
""", Template("native bit operations", "$r = float(native_bits(int({1} * ⟨8.0|16.0⟩))) ⟨+ {0}|- 0.3 * {0}⟩", (X, Y), (R,))),
)  # fmt: skip


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel that calls a native function between steps of the grammar."""
    text, template = builder.rng.choice(SNIPPETS)
    if "scale" in text:  # the adjoint has the factor of the function
        factor = builder.rng.choice(("0.5f", "2.0f"))
        text = text.replace("⟨0.5f|2.0f⟩", factor)
    builder.define(vary(text, builder.rng))
    return compose_kernel(builder, (template,), (FLOAT, FLOAT), (FLOAT,), ("evaluate", "apply", "compute", "map"), 1)


CATEGORY = Category("native", draw, WEIGHTS, "by native snippets", "language", dry_run=False)
