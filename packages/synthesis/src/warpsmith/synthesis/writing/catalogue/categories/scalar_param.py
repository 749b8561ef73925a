"""Many parameters that are values: coefficients, modes, directions, shared by all threads."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import If, Kernel, Name, Steps
from warpsmith.synthesis.language.terms import compare, const
from warpsmith.synthesis.language.types import FLOAT, INT, VECTORS
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder, let, result

PALETTE = ProductionWeights(
    (("arithmetic", 5.0), ("transcendental", 1.0), ("selection", 1.2), ("physics", 2.0), ("curve", 1.0), ("vector", 2.0))
)


def draw(s: KernelBuilder) -> Kernel:
    """One or two arrays in, three to five parameters, perhaps a mode that picks a formula."""
    rng = s.rng
    s.dims = ("n", "m") if rng.chance(0.1) else ("n",)
    kind = rng.choice((FLOAT, rng.choice(s.available(VECTORS))))
    reads = [s.input(kind)]
    if rng.chance(0.2):
        reads.append(s.input(FLOAT))
    first = s.scalar(FLOAT)
    s.scalars(rng.choice((1, 2, 2, 3)), FLOAT)
    s.scalars(rng.choice((0, 0, 1)), kind)
    opening, at = s.threads()
    out = s.output(kind)
    start = (*opening, *s.fetch(*reads, at=at), Steps(1, (kind, FLOAT), 1))
    if rng.chance(0.5):
        mode = s.scalar(INT)
        chosen = compare(rng.choice(("==", "!=", ">")), Name(mode.name, INT, mode.low, mode.high), const(int(mode.low) + 1))
        switch = If(chosen, (let(out.local, kind, 1),))
        body = (*start, let(out.local, kind), switch, result(out, at, out.local))
    else:
        body = (*start, Steps(1, (kind,), 2), result(out, at, first.name, size=2))
    return s.kernel(rng.choice(("apply", "update", "blend", "drive", "tune")), body)


CATEGORY = Category("scalar_param", draw, PALETTE, "driven by parameters")
