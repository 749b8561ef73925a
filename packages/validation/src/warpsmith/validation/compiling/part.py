"""One kernel's generated code as a part of a translation unit, and what its text shows. This module does not load Warp."""

from __future__ import annotations

from dataclasses import dataclass

from warpsmith.core.records import text_format
from warpsmith.core.records.ir import Code


@dataclass(frozen=True, slots=True)
class UnitPart:
    """One text of a translation unit.

    Attributes:
        key: a C++ name, unique in the unit.
        target: ``"cpu"`` or ``"cuda"``.
        code: the generated code of one kernel.
        options: the module options that differ from Warp's defaults.
        has_grid_entry: whether a text for ``"cpu"`` gets an entry point that runs its statements over a grid, as CUDA does; see
            `shared`.
        in_double: whether an emulated text is read in double precision, see `translation_unit.emulation`.
        keeps_shapes: whether code that runs accepts indices from the start after a statement that clears the shape of an
            adjoint array. The statement affects checks of indices, which Warp does not make by default, and negative indices.
        forward_key: the key under which parts with the same forward code share it: a unit compiles it once, in the namespace
            around those of their backward code. Empty if the part contains its forward code.
    """

    key: str
    target: str
    code: Code
    options: tuple[tuple[str, object], ...] = ()
    has_grid_entry: bool = False
    in_double: bool = False
    keeps_shapes: bool = False
    forward_key: str = ""

    @property
    def block_dim(self) -> int:
        """Threads per block, from the module option."""
        return int(str(dict(self.options).get("block_dim", text_format.DEFAULT_BLOCK)))

    @property
    def dimensions(self) -> int | None:
        """How many coordinates the kernel's ``wp.tid()`` returns; None if the text does not say."""
        match = text_format.LAUNCH_DIMENSIONS.search(self.code.forward_code)
        return int(match[1]) if match else None

    @property
    def backward_rewrites_arrays(self) -> bool:
        """Whether the backward pass may write arrays again: it calls helper functions once more, with all their writes."""
        opening = text_format.kernel_opening(self.code.kernel_name, self.target, "forward")
        helpers, _, _ = self.code.forward_code.partition(f" {opening}")
        return self.code.backward_code is not None and text_format.ARRAY_WRITE.search(helpers) is not None

    @property
    def strides(self) -> bool:
        """Whether a thread continues with further elements, so that a grid may have fewer threads than elements.

        Kernels with ``grid_stride=False`` do not. The text itself decides, because it is Warp's own: see levels `parse` and
        `regenerate`.
        """
        return text_format.ELEMENT_GUARD not in self.code.forward_code

    @property
    def synchronizes(self) -> bool:
        """Whether the threads of a block wait for each other, as threads that share tiles do."""
        return text_format.BLOCK_OPERATION.search(self.code.forward_code) is not None

    @property
    def links_library(self) -> bool:
        """Whether the text calls functions of a library that exists on GPUs only."""
        return text_format.LINKED_LIBRARY in self.code.forward_code

    @property
    def directions(self) -> tuple[str, ...]:
        """The directions that the text has entry points for."""
        return ("forward",) if self.code.backward_code is None else ("forward", "backward")

    @property
    def namespace(self) -> str:
        """The C++ namespace of the text."""
        return f"{self.forward_key}::{self.key}" if self.forward_key else self.key

    def symbol(self, direction: str) -> str:
        """Return the C name of the ``"forward"`` or ``"backward"`` entry point in the compiled unit."""
        key = self.forward_key if self.forward_key and direction == "forward" else self.key
        return f"{key}_{direction}"
