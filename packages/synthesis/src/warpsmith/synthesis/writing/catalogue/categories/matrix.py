"""Small matrices: products, transposes, determinants, strains, regularized inverses."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel, Steps
from warpsmith.synthesis.language.types import FLOAT, MATRICES, VECTOR_OF
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import Palette
from warpsmith.synthesis.writing.skeletons.kernel_builder import Sketch, result

PALETTE = Palette((("matrix", 6.0), ("arithmetic", 2.5), ("vector", 0.8), ("selection", 0.2)), essential="matrix")


def draw(s: Sketch) -> Kernel:
    """Matrices of one size in, with a vector or a number; a matrix, a vector or a number out."""
    d = s.d
    kind = d.choice(s.available(MATRICES))
    vector = VECTOR_OF[kind.shape[0]]
    reads = [s.input(kind)]
    if s.has(kind) and d.chance(0.4):
        reads.append(s.input(kind))
    if s.has(vector) and d.chance(0.5):
        reads.append(s.input(vector))
    if d.chance(0.2):
        reads.append(s.input(FLOAT))
    s.scalars(d.below(2), FLOAT)
    if d.chance(0.15):
        s.helper(d.choice((kind, FLOAT)), kind)
    opening, at = s.threads()
    results = [kind, FLOAT] if vector not in s.available([vector]) else [kind, FLOAT, vector]
    outputs = [s.output(made) for made in d.sample(results, d.choice((1, 1, 1, 1, 2)))]
    body = (
        *opening,
        *s.fetch(*reads, at=at),
        Steps(2, (kind, kind, FLOAT), 1),
        *(result(out, at, size=d.choice((1, 2))) for out in outputs),
    )
    return s.kernel(d.choice(("compute", "transform", "assemble", "update", "rotate")), body)


CATEGORY = Category("matrix", draw, PALETTE, "with small matrices")
