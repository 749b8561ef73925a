"""Indexed arrays: elements that a list of places selects, read as if they were an array."""

from __future__ import annotations

from warpsmith.core.records.launch import Domain
from warpsmith.synthesis.language.nodes import Kernel, Steps, TemplateStatement
from warpsmith.synthesis.language.types import FLOAT, VEC3
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder, result
from warpsmith.synthesis.writing.skeletons.templates import template_output, vary

PALETTE = ProductionWeights((("arithmetic", 4.0), ("vector", 1.5), ("selection", 1.0), ("physics", 1.0), ("curve", 1.0)))

VALUE = template_output("v", FLOAT, -6.0, 6.0, "picked", "sel", "active_value")
TEXT = "$v = {x}[{i}]⟨| * ⟨0.5|3.0⟩| + 0.5| - 1.0⟩"


def draw(s: KernelBuilder) -> Kernel:
    """What each thread's place selects, amid steps of the grammar."""
    rng = s.rng
    reads = [s.input(FLOAT), *([s.input(VEC3)] if rng.chance(0.4) else [])]
    s.scalars(rng.below(2), FLOAT)
    opening, at = s.threads()
    domain = Domain(kind="uniform", low=-2.0, high=2.0)
    about = {"kind": "indexed_array", "dtype": "float32", "shape": s.shape("n"), "domain": domain}
    name = s.other(rng.choice(("selected", "subset", "active")), "wp.indexedarray(dtype=float)", **about)
    templated = TemplateStatement(
        vary(TEXT.replace("{x}", name).replace("{i}", at[0].name), rng), (), (VALUE,), "an indexed array"
    )
    outputs = [s.output(rng.choice([read.element for read in reads])) for _ in range(rng.choice((1, 1, 2)))]
    types = tuple(read.element for read in reads)
    body = (*opening, *s.fetch(*reads, at=at), templated, Steps(2, types, 1), *(result(out, at) for out in outputs))
    return s.kernel(rng.choice(("select", "compact", "filter", "mask")), body)


CATEGORY = Category("indexed_array", draw, PALETTE, "through indices", "arrays", dry_run=False)
