"""The function of the host that launches a kernel over all of its elements."""

from __future__ import annotations

from dataclasses import dataclass, replace

from warpsmith.scoring.cuda_writer.idioms import Idioms
from warpsmith.scoring.cuda_writer.kernel_code import KernelText
from warpsmith.scoring.cuda_writer.layout.line_breaks import broken, head_lines
from warpsmith.scoring.plain.plain_signature import Signature

_BLOCKS = {
    2: {128: "16, 8", 256: "16, 16", 512: "32, 16"},
    3: {128: "8, 4, 4", 256: "8, 8, 4", 512: "8, 8, 8"},
}
"""Blocks by the number of dimensions and threads."""

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
    result = "cudaError_t" if idioms.checked else "void"
    lines = head_lines(f"{result} {signature.name}", declared, **idioms.of_heads)
    names = ", ".join(parameter.name for parameter in signature.parameters)
    launch = f"{kernel.signature.name}<<<grid, block, 0, stream>>>({names});"
    check = ["return cudaGetLastError();"] if idioms.checked else []
    for statement in (*_grid(kernel, idioms.block), launch, *check):
        lines += broken(statement, idioms.indent, aligned=idioms.aligned)
    return Launcher("\n".join([*lines, "}\n"]), signature)


def _grid(kernel: KernelText, block: int) -> list[str]:
    """Return the statements that compute block and grid."""
    bounds, threads = kernel.bounds, kernel.threads
    if len(bounds) == 1 or threads.is_flat:
        total = " * ".join(bounds)
        blocks = f"({total} + block - 1) / block"
        if threads.strides:
            blocks = f"min({blocks}, {_MAX_BLOCKS})"
        return [f"const int block = {block};", f"const int grid = {blocks};"]
    axes = "xyz"[: len(bounds)]
    counts = [f"({bound} + block.{axis} - 1) / block.{axis}" for axis, bound in zip(axes, reversed(bounds), strict=True)]
    return [f"const dim3 block({_BLOCKS[len(bounds)][block]});", f"const dim3 grid({', '.join(counts)});"]
