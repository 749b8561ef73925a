"""Category `math`: exponentials, trigonometry and roots of numbers."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel, Steps
from warpsmith.synthesis.language.types import FLOAT
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.holes import store_result
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder

WEIGHTS = ProductionWeights(
    (("transcendental", 6.0), ("arithmetic", 2.0), ("curve", 2.5), ("selection", 0.5), ("rounding", 0.4)),
    essential="transcendental",
)


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel that computes curves of one to three numbers."""
    rng = builder.rng
    builder.dims = ("n", "m") if rng.chance(0.1) else ("n",)
    reads = [builder.add_input(FLOAT) for _ in range(rng.choice((1, 1, 2, 3)))]
    builder.add_scalars(rng.choice((0, 1, 1)), FLOAT)
    builder.add_constants(rng.choice((0, 0, 1)))
    if rng.chance(0.2):
        builder.add_helper(FLOAT, *([FLOAT] * rng.between(1, 2)))
    opening, at = builder.open_threads()
    outputs = [builder.add_output(FLOAT) for _ in range(rng.choice((1, 1, 1, 2)))]
    body = (
        *opening,
        *builder.load_elements(*reads, at=at),
        Steps(2, (FLOAT,), 1),
        *(store_result(out, at, size=rng.choice((1, 2))) for out in outputs),
    )
    return builder.build_kernel(rng.choice(("compute", "evaluate", "sample", "model", "estimate")), body)


CATEGORY = Category("math", draw, WEIGHTS, "with transcendental functions")
