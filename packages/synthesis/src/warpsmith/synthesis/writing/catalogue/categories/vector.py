"""Category `vector`: differences, dot and cross products, directions, projections."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel, Steps
from warpsmith.synthesis.language.types import FLOAT, VECTORS
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.holes import store_result
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder

WEIGHTS = ProductionWeights(
    (("vector", 6.0), ("arithmetic", 3.0), ("physics", 2.0), ("selection", 0.4), ("construct", 0.3), ("curve", 0.4)),
    essential="vector",
)


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel that reads vectors of one length and writes a vector, a number or both."""
    rng = builder.rng
    builder.dims = ("n", "m") if rng.chance(0.1) else ("n",)
    dtype = rng.choice(builder.available_types(VECTORS))
    reads = [builder.add_input(dtype)]
    if builder.has_input(dtype) and rng.chance(0.8):
        reads.append(builder.add_input(dtype))
    if rng.chance(0.45):
        reads.append(builder.add_input(FLOAT))
    builder.add_scalars(rng.below(2), FLOAT, dtype)
    if rng.chance(0.2):
        builder.add_helper(rng.choice((dtype, FLOAT)), *([dtype] * rng.between(1, 2)))
    opening, at = builder.open_threads()
    outputs = [
        builder.add_output(output_type) for output_type in rng.choice(((dtype,), (dtype,), (dtype,), (dtype, FLOAT), (FLOAT,)))
    ]
    body = (
        *opening,
        *builder.load_elements(*reads, at=at),
        Steps(2, (dtype, dtype, FLOAT), 1),
        *(store_result(out, at, size=rng.choice((1, 2))) for out in outputs),
    )
    return builder.build_kernel(rng.choice(("compute", "update", "project", "transform", "evaluate")), body)


CATEGORY = Category("vector", draw, WEIGHTS, "with vector algebra")
