"""Small matrices: products, transposes, determinants, strains, regularized inverses."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel, Steps
from warpsmith.synthesis.language.types import FLOAT, MATRICES, VECTOR_OF
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder, result

WEIGHTS = ProductionWeights((("matrix", 6.0), ("arithmetic", 2.5), ("vector", 0.8), ("selection", 0.2)), essential="matrix")


def draw(builder: KernelBuilder) -> Kernel:
    """Matrices of one size in, with a vector or a number; a matrix, a vector or a number out."""
    rng = builder.rng
    dtype = rng.choice(builder.available(MATRICES))
    vector = VECTOR_OF[dtype.shape[0]]
    reads = [builder.input(dtype)]
    if builder.has(dtype) and rng.chance(0.4):
        reads.append(builder.input(dtype))
    if builder.has(vector) and rng.chance(0.5):
        reads.append(builder.input(vector))
    if rng.chance(0.2):
        reads.append(builder.input(FLOAT))
    builder.scalars(rng.below(2), FLOAT)
    if rng.chance(0.15):
        builder.helper(rng.choice((dtype, FLOAT)), dtype)
    opening, at = builder.threads()
    results = [dtype, FLOAT] if vector not in builder.available([vector]) else [dtype, FLOAT, vector]
    outputs = [builder.output(made) for made in rng.sample(results, rng.choice((1, 1, 1, 1, 2)))]
    body = (
        *opening,
        *builder.fetch(*reads, at=at),
        Steps(2, (dtype, dtype, FLOAT), 1),
        *(result(out, at, size=rng.choice((1, 2))) for out in outputs),
    )
    return builder.kernel(rng.choice(("compute", "transform", "assemble", "update", "rotate")), body)


CATEGORY = Category("matrix", draw, WEIGHTS, "with small matrices")
