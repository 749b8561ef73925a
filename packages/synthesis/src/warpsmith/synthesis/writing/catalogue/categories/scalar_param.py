"""Category `scalar_param`: many scalar parameters: coefficients, modes and directions, shared by all threads."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import If, Kernel, Name, Steps
from warpsmith.synthesis.language.terms import compare, const
from warpsmith.synthesis.language.types import FLOAT, INT, VECTORS
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.holes import assign, store_result
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder

WEIGHTS = ProductionWeights(
    (("arithmetic", 5.0), ("transcendental", 1.0), ("selection", 1.2), ("physics", 2.0), ("curve", 1.0), ("vector", 2.0))
)


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel with one or two arrays, three to five scalar parameters, and possibly a mode that selects a formula."""
    rng = builder.rng
    builder.dims = ("n", "m") if rng.chance(0.1) else ("n",)
    dtype = rng.choice((FLOAT, rng.choice(builder.available_types(VECTORS))))
    reads = [builder.add_input(dtype)]
    if rng.chance(0.2):
        reads.append(builder.add_input(FLOAT))
    first = builder.add_scalar(FLOAT)
    builder.add_scalars(rng.choice((1, 2, 2, 3)), FLOAT)
    builder.add_scalars(rng.choice((0, 0, 1)), dtype)
    opening, at = builder.open_threads()
    out = builder.add_output(dtype)
    start = (*opening, *builder.load_elements(*reads, at=at), Steps(1, (dtype, FLOAT), 1))
    if rng.chance(0.5):
        mode = builder.add_scalar(INT)
        chosen = compare(rng.choice(("==", "!=", ">")), Name(mode.name, INT, mode.low, mode.high), const(int(mode.low) + 1))
        switch = If(chosen, (assign(out.local, dtype, 1),))
        body = (*start, assign(out.local, dtype), switch, store_result(out, at, out.local))
    else:
        body = (*start, Steps(1, (dtype,), 2), store_result(out, at, first.name, size=2))
    return builder.build_kernel(rng.choice(("apply", "update", "blend", "drive", "tune")), body)


CATEGORY = Category("scalar_param", draw, WEIGHTS, "driven by parameters")
