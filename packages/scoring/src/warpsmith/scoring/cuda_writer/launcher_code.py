"""The function of the host that launches a kernel over all of its elements."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace

from warpsmith.scoring.cuda_writer.function_layout import WIDTH, wrapped
from warpsmith.scoring.cuda_writer.idioms import Idioms
from warpsmith.scoring.cuda_writer.kernel_code import KernelText
from warpsmith.scoring.plain.plain_signature import Signature

_BLOCKS = {2: "32, 8", 3: "8, 8, 4"}
"""The block by the number of dimensions."""

_MAX_BLOCKS = 1024
"""The most blocks of a kernel whose threads step over the grid."""


@dataclass(frozen=True, slots=True)
class Launcher:
    """A function that launches a kernel.

    Attributes:
        text: the function.
        signature: its interface, without the stream.
    """

    text: str
    signature: Signature


def launcher_of(kernel: KernelText, idioms: Idioms) -> Launcher:
    """Return the function that launches a kernel."""
    signature = replace(kernel.signature, name=f"launch_{kernel.signature.name}", is_host=True)
    declared = [f"{parameter.ctype} {parameter.name}" for parameter in signature.parameters]
    declared.append("cudaStream_t stream = 0")
    lines = _head(signature.name, declared, idioms.indent)
    names = ", ".join(parameter.name for parameter in signature.parameters)
    for statement in _grid(kernel):
        lines += wrapped(statement, idioms.indent)
    lines += _launch(f"{' ' * idioms.indent}{kernel.signature.name}<<<grid, block, 0, stream>>>(", names, idioms.indent)
    return Launcher("\n".join([*lines, "}\n"]), signature)


def _head(name: str, declared: Sequence[str], indent: int) -> list[str]:
    head = f"void {name}({', '.join(declared)})"
    if len(head) <= WIDTH:
        return [head, "{"]
    parts = [f"{' ' * indent}{text}{',' if number + 1 < len(declared) else ')'}" for number, text in enumerate(declared)]
    return [f"void {name}(", *parts, "{"]


def _launch(opening: str, names: str, indent: int) -> list[str]:
    if len(opening) + len(names) + 2 <= WIDTH:
        return [f"{opening}{names});"]
    return [opening, *textwrap.wrap(f"{names});", WIDTH, initial_indent=" " * 2 * indent, subsequent_indent=" " * 2 * indent)]


def _grid(kernel: KernelText) -> list[str]:
    """Return the statements that compute block and grid."""
    bounds, threads = kernel.bounds, kernel.threads
    if len(bounds) == 1 or threads.is_flat:
        total = " * ".join(bounds)
        blocks = f"({total} + block - 1) / block"
        if threads.strides:
            blocks = f"min({blocks}, {_MAX_BLOCKS})"
        return ["const int block = 256;", f"const int grid = {blocks};"]
    axes = "xyz"[: len(bounds)]
    counts = [f"({bound} + block.{axis} - 1) / block.{axis}" for axis, bound in zip(axes, reversed(bounds), strict=True)]
    return [f"const dim3 block({_BLOCKS[len(bounds)]});", f"const dim3 grid({', '.join(counts)});"]
