"""Category `arithmetic`: elementwise operators, minima, clamps and a helper function on numbers."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel, Steps
from warpsmith.synthesis.language.types import FLOAT, INT
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.holes import store_result
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder

WEIGHTS = ProductionWeights((("arithmetic", 6.0), ("selection", 1.0), ("physics", 1.5), ("cast", 0.3), ("integer", 1.0)))


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel that reads a few numbers, takes a few steps and writes one to three numbers."""
    rng = builder.rng
    builder.dims = ("n", "m") if rng.chance(0.1) else ("n",)
    reads = [builder.add_input(FLOAT) for _ in range(rng.choice((1, 2, 2, 3)))]
    if rng.chance(0.3) and builder.has_input(INT):
        reads.append(builder.add_input(INT))
    builder.add_scalars(rng.choice((0, 1, 1, 2)), FLOAT)
    builder.add_constants(rng.choice((0, 0, 1)))
    if rng.chance(0.2):
        builder.add_helper(FLOAT, *([FLOAT] * rng.between(1, 2)))
    opening, at = builder.open_threads()
    outputs = [builder.add_output(FLOAT)]
    if rng.chance(0.15):
        outputs.append(builder.add_output(INT if rng.chance(0.2) else FLOAT))
    body = (
        *opening,
        *builder.load_elements(*reads, at=at),
        Steps(2, (FLOAT,), 1),
        *(store_result(out, at, size=rng.choice((1, 2))) for out in outputs),
    )
    return builder.build_kernel(rng.choice(("compute", "update", "evaluate", "apply", "adjust")), body)


CATEGORY = Category("arithmetic", draw, WEIGHTS, "by elementwise arithmetic")
