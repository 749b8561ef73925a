"""Category `matrix`: products, transposes, determinants, strains and regularized inverses of small matrices."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel, Steps
from warpsmith.synthesis.language.types import FLOAT, MATRICES, VECTOR_OF
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.holes import store_result
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder

WEIGHTS = ProductionWeights((("matrix", 6.0), ("arithmetic", 2.5), ("vector", 0.8), ("selection", 0.2)), essential="matrix")


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel that reads matrices of one size, with a vector or a number, and writes a matrix, a vector or a number."""
    rng = builder.rng
    dtype = rng.choice(builder.available_types(MATRICES))
    vector = VECTOR_OF[dtype.shape[0]]
    reads = [builder.add_input(dtype)]
    if builder.has_input(dtype) and rng.chance(0.4):
        reads.append(builder.add_input(dtype))
    if builder.has_input(vector) and rng.chance(0.5):
        reads.append(builder.add_input(vector))
    if rng.chance(0.2):
        reads.append(builder.add_input(FLOAT))
    builder.add_scalars(rng.below(2), FLOAT)
    if rng.chance(0.15):
        builder.add_helper(rng.choice((dtype, FLOAT)), dtype)
    opening, at = builder.open_threads()
    results = [dtype, FLOAT] if vector not in builder.available_types([vector]) else [dtype, FLOAT, vector]
    outputs = [builder.add_output(output_type) for output_type in rng.sample(results, rng.choice((1, 1, 1, 1, 2)))]
    body = (
        *opening,
        *builder.load_elements(*reads, at=at),
        Steps(2, (dtype, dtype, FLOAT), 1),
        *(store_result(out, at, size=rng.choice((1, 2))) for out in outputs),
    )
    return builder.build_kernel(rng.choice(("compute", "transform", "assemble", "update", "rotate")), body)


CATEGORY = Category("matrix", draw, WEIGHTS, "with small matrices")
