"""Category `indexed_array`: arrays whose elements are selected by a list of indices."""

from __future__ import annotations

from warpsmith.core.records.launch import Domain
from warpsmith.synthesis.language.nodes import Kernel, Steps, TemplateStatement
from warpsmith.synthesis.language.types import FLOAT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.holes import store_result
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder
from warpsmith.synthesis.writing.skeletons.templates import template_output, vary

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("vector", 1.5), ("selection", 1.0), ("physics", 1.0), ("curve", 1.0)))

VALUE = template_output("v", FLOAT, -6.0, 6.0, "picked", "sel", "active_value")
TEXT = "$v = {x}[{i}]⟨| * ⟨0.5|3.0⟩| + 0.5| - 1.0⟩"


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel in which each thread reads its selected element, between steps of the grammar."""
    rng = builder.rng
    reads = [builder.add_input(FLOAT), *([builder.add_input(VEC3)] if rng.chance(0.4) else [])]
    builder.add_scalars(rng.below(2), FLOAT)
    opening, at = builder.open_threads()
    domain = Domain(kind="uniform", low=-2.0, high=2.0)
    about = {"kind": "indexed_array", "dtype": "float32", "shape": builder.lengths("n"), "domain": domain}
    name = builder.add_opaque(rng.choice(("selected", "subset", "active")), "wp.indexedarray(dtype=float)", **about)
    statement = TemplateStatement(
        vary(TEXT.replace("{x}", name).replace("{i}", at[0].name), rng), (), (VALUE,), "an indexed array"
    )
    outputs = [builder.add_output(rng.choice([read.element for read in reads])) for _ in range(rng.choice((1, 1, 2)))]
    types = tuple(read.element for read in reads)
    body = (
        *opening,
        *builder.load_elements(*reads, at=at),
        statement,
        Steps(2, types, 1),
        *(store_result(out, at) for out in outputs),
    )
    return builder.build_kernel(rng.choice(("select", "compact", "filter", "mask")), body)


CATEGORY = Category("indexed_array", draw, WEIGHTS, "through indices", "arrays", dry_run=False)
