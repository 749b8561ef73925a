"""Small matrices: products, transposes, determinants, strains, regularized inverses."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel, Steps
from warpsmith.synthesis.language.types import FLOAT, MATRICES, VECTOR_OF
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder, result

PALETTE = ProductionWeights((("matrix", 6.0), ("arithmetic", 2.5), ("vector", 0.8), ("selection", 0.2)), essential="matrix")


def draw(s: KernelBuilder) -> Kernel:
    """Matrices of one size in, with a vector or a number; a matrix, a vector or a number out."""
    rng = s.rng
    kind = rng.choice(s.available(MATRICES))
    vector = VECTOR_OF[kind.shape[0]]
    reads = [s.input(kind)]
    if s.has(kind) and rng.chance(0.4):
        reads.append(s.input(kind))
    if s.has(vector) and rng.chance(0.5):
        reads.append(s.input(vector))
    if rng.chance(0.2):
        reads.append(s.input(FLOAT))
    s.scalars(rng.below(2), FLOAT)
    if rng.chance(0.15):
        s.helper(rng.choice((kind, FLOAT)), kind)
    opening, at = s.threads()
    results = [kind, FLOAT] if vector not in s.available([vector]) else [kind, FLOAT, vector]
    outputs = [s.output(made) for made in rng.sample(results, rng.choice((1, 1, 1, 1, 2)))]
    body = (
        *opening,
        *s.fetch(*reads, at=at),
        Steps(2, (kind, kind, FLOAT), 1),
        *(result(out, at, size=rng.choice((1, 2))) for out in outputs),
    )
    return s.kernel(rng.choice(("compute", "transform", "assemble", "update", "rotate")), body)


CATEGORY = Category("matrix", draw, PALETTE, "with small matrices")
