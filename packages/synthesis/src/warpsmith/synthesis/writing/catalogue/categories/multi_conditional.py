"""Category `multi_conditional`: elif ladders, chained comparisons, ``and``, ``or`` and ``not``, selections."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Assign, Hole, If, Kernel, Name, Stmt
from warpsmith.synthesis.language.terms import compare, const, load
from warpsmith.synthesis.language.types import BOOL, FLOAT, INT
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.holes import assign, store_result
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder

WEIGHTS = ProductionWeights(
    (("arithmetic", 5.0), ("selection", 2.0), ("curve", 0.8), ("physics", 1.0), ("cast", 0.3), ("transcendental", 0.4))
)


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel that computes, names and combines conditions, with a ladder of branches over them."""
    rng = builder.rng
    builder.dims = ("n", "m") if rng.chance(0.1) else ("n",)
    reads = [builder.add_input(FLOAT) for _ in range(rng.choice((1, 1, 1, 2)))]
    kinds = builder.add_input(INT) if rng.chance(0.2) else None
    builder.add_scalars(rng.choice((0, 0, 1)), FLOAT)
    opening, at = builder.open_threads()
    out = builder.add_output(INT if rng.chance(0.15) else FLOAT)
    name, dtype = out.local, out.element
    flags = tuple(Assign("", Hole(BOOL, size=1)) for _ in range(rng.choice((0, 0, 1))))
    ladder: tuple[Stmt, ...] = (assign(name, dtype, 1),) if rng.chance(0.3) else ()
    for _ in range(rng.choice((2, 2, 2, 2, 3)) if kinds is None else 1):
        ladder = (If(Hole(BOOL, size=1), (assign(name, dtype, 1),), ladder),)
    body: tuple[Stmt, ...] = (*opening, *builder.load_elements(*reads, at=at), *flags, assign(name, dtype, 1))
    if kinds is None:
        body = (*body, *ladder)
    else:
        code = Name(kinds.local, INT, kinds.low, kinds.high)
        first = If(compare("==", code, const(rng.below(2))), (assign(name, dtype, 1),), ladder)
        body = (*body, Assign(kinds.local, load(kinds, *at)), first)
    return builder.build_kernel(
        rng.choice(("classify", "select", "grade", "resolve", "route")), (*body, store_result(out, at, name))
    )


CATEGORY = Category("multi_conditional", draw, WEIGHTS, "choosing between several cases")
