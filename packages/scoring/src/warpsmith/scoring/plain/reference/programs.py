"""The references of programs: the plain CUDA of a pair, and a function that launches it with one thread for each element."""

from __future__ import annotations

from warpsmith.core.records.pair import Pair
from warpsmith.scoring.plain.plain_signature import program_signature
from warpsmith.scoring.plain.reference.translation import translate

_BLOCKS = ("256", "32, 8", "32, 4, 2")
"""The block by the number of dimensions."""


def program_reference(pair: Pair, entry_point: str) -> str | None:
    """Return a program that does the work of a pair, or None if its text cannot be translated."""
    signature, kernel = program_signature(pair, entry_point), f"{pair.metadata.kernel_name}_elements"
    text = translate(pair, kernel)
    if signature is None or text is None:
        return None
    count = signature.dimensions
    axes = [f"(dim{count - 1 - axis} + block.{name} - 1) / block.{name}" for axis, name in enumerate("xyz"[:count])]
    names = ", ".join(parameter.name for parameter in signature.parameters)
    opening = signature.text[signature.text.index(f"void {signature.name}(") :]
    return (
        f"{text}\n{opening}\n{{\n    dim3 block({_BLOCKS[count - 1]});\n    dim3 grid({', '.join(axes)});\n"
        f"    {kernel}<<<grid, block>>>({names});\n}}\n"
    )
