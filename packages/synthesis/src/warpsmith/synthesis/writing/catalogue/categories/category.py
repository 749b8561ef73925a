"""`Category`, the type of every category."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from warpsmith.synthesis.language.nodes import Kernel
from warpsmith.synthesis.writing.filling.production_weights import ProductionWeights
from warpsmith.synthesis.writing.skeletons.kernel_builder import KernelBuilder

CORE = "core"
"""The group whose categories share one numbering of kernels."""


class Category(Struct, frozen=True, gc=False):
    """A category of kernels.

    Attributes:
        name: the name for users.
        draw: draws a skeleton with a builder.
        weights: the weights of the productions that fill the holes.
        phrase: the middle of a kernel's description, such as ``"with branches on"``.
        group: the group for users; `CORE` for the categories of a dataset by default.
        dry_run: whether its kernels run in plain Python before they are kept, see the package `dry_run`.
        every: the category takes every ``every``-th turn in a dataset; 2 for kernels that are rare in real code.
    """

    name: str
    draw: Callable[[KernelBuilder], Kernel]
    weights: ProductionWeights
    phrase: str
    group: str = CORE
    dry_run: bool = True
    every: int = 1
