"""`Sample`: a written kernel with everything that its pair records about it."""

from __future__ import annotations

from msgspec import Struct

from warpsmith.core.records.launch import Launch


class Sample(Struct, frozen=True, gc=False):
    """A written kernel.

    Attributes:
        id: ``"<generator version>-<seed>-<index>"``.
        category: the name of its category.
        kernel_name: the name of the kernel in ``source``.
        source: the Python file.
        launch: how to run the kernel.
        features: the builtins, types and constructs in use.
        description: one sentence.
        structure: a hash of the kernel without its names and constants.
        domain: the field that the kernel is from.
        ideas: the ideas that it is written from; none for random calls.
        options: the module options that differ from Warp's defaults.
    """

    id: str
    category: str
    kernel_name: str
    source: str
    launch: Launch
    features: tuple[str, ...]
    description: str
    structure: str
    domain: str
    ideas: tuple[str, ...]
    options: tuple[tuple[str, int], ...] = ()
