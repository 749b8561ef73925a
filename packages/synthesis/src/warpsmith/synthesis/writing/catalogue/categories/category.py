"""The form of a category."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from warpsmith.synthesis.language.nodes import Kernel
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder

CORE = "core"
"""The group that takes turns by index."""


class Category(Struct, frozen=True, gc=False):
    """A kind of kernel.

    Attributes:
        name: as users write it.
        draw: draws a skeleton on a sketch.
        weights: what fills its holes.
        says: the middle of a kernel's description, such as ``"with branches on"``.
        group: `CORE` for what a dataset holds by default.
        tried: whether its kernels run in plain Python before they are kept, see `trial`.
        every: in a dataset of several categories it takes every so many turns; 2 is for what real code seldom does.
    """

    name: str
    draw: Callable[[KernelBuilder], Kernel]
    weights: ProductionWeights
    phrase: str
    group: str = CORE
    dry_run: bool = True
    every: int = 1
