"""Vectors: differences, dot and cross products, directions, projections."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel, Steps
from warpsmith.synthesis.language.types import FLOAT, VECTORS
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder, result

PALETTE = ProductionWeights(
    (("vector", 6.0), ("arithmetic", 3.0), ("physics", 2.0), ("selection", 0.4), ("construct", 0.3), ("curve", 0.4)),
    essential="vector",
)


def draw(s: KernelBuilder) -> Kernel:
    """Vectors of one length in, a vector and perhaps a number out."""
    rng = s.rng
    s.dims = ("n", "m") if rng.chance(0.1) else ("n",)
    kind = rng.choice(s.available(VECTORS))
    reads = [s.input(kind)]
    if s.has(kind) and rng.chance(0.8):
        reads.append(s.input(kind))
    if rng.chance(0.45):
        reads.append(s.input(FLOAT))
    s.scalars(rng.below(2), FLOAT, kind)
    if rng.chance(0.2):
        s.helper(rng.choice((kind, FLOAT)), *([kind] * rng.between(1, 2)))
    opening, at = s.threads()
    outputs = [s.output(made) for made in rng.choice(((kind,), (kind,), (kind,), (kind, FLOAT), (FLOAT,)))]
    body = (
        *opening,
        *s.fetch(*reads, at=at),
        Steps(2, (kind, kind, FLOAT), 1),
        *(result(out, at, size=rng.choice((1, 2))) for out in outputs),
    )
    return s.kernel(rng.choice(("compute", "update", "project", "transform", "evaluate")), body)


CATEGORY = Category("vector", draw, PALETTE, "with vector algebra")
