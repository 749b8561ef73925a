"""Category `overloads`: builtins of Warp's registry in all their types, equally likely, to cover rare ones."""

from __future__ import annotations

from warpsmith.synthesis.language.nodes import Kernel
from warpsmith.synthesis.language.types import FLOAT, INT
from warpsmith.synthesis.writing.catalogue.categories.category import Category
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.builtin_calls import callable_builtins, draw_call
from warpsmith.synthesis.writing.skeletons.compose import compose_kernel
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder

WEIGHTS = ProductionWeights((("arithmetic", 4.0), ("selection", 0.6), ("curve", 0.8), ("cast", 0.6)))


def draw(builder: KernelBuilder) -> Kernel:
    """Draw a kernel of numbers with calls of one to three builtins."""
    templates = [draw_call(builder.rng, key) for key in builder.rng.sample(callable_builtins(), 3)]
    return compose_kernel(builder, templates, (FLOAT, INT), (FLOAT,), ("evaluate", "apply", "compute", "probe"), 3)


CATEGORY = Category("overloads", draw, WEIGHTS, "by builtins of many types", "numbers", dry_run=False)
