"""The prompts about programs: the file with a gap, its launches, and the numbers that nothing else shows."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from itertools import groupby

from warpsmith.core.records.program_record import ProgramArgument, ProgramLaunch, ProgramRecord
from warpsmith.core.records.python_source import parse_python
from warpsmith.scoring.tasks.program_gaps import MAIN, Gap, missing_text, without
from warpsmith.scoring.tasks.prompts import counts, fenced, joined

LISTED_LAUNCHES = 12
"""The entries of the list of launches in order."""

_HOST_RULES = """\
Rules:
- The missing statements stand between those that are shown, in the same block. They may define no kernels or classes, import
  nothing, and change nothing that the file defines outside of functions.
- They make the launches above, in an order with the same effects.
- The answer is judged on the parameters of the file and on other ones: numbers that the file has names for are no literals."""

_KERNEL_RULES = """\
Rules:
- The kernel has the name and the parameters that are shown. Functions of Warp (`@wp.func`) that the file does not have can be
  defined before it.
- It is compiled for the CPU and the GPU by Warp, and differentiated where the program has a tape."""

_HOST_JUDGEMENT = """\
The program is run with the missing statements in their place. An answer is right if every kernel is launched as often as in the
original program, on the same contents, if the arrays and variables at the end are the same within the rounding of floats, and
if the checks of the program pass."""

_KERNEL_JUDGEMENT = """\
The program is run with the kernel in its place. An answer is right if all launches leave the same contents of arrays as in the
original program within the rounding of floats, and if the checks of the program pass."""


def host_prompt(program: ProgramRecord, gap: Gap) -> str:
    """Return the prompt that asks for the missing statements of the host code."""
    where = 'the block `if __name__ == "__main__":`' if gap.name == MAIN else f"`{gap.name}`"
    answer = (
        "Answer with the missing statements only, in one fenced block."
        if gap.name == MAIN
        else f"Answer in one fenced block with the function `{gap.function}`, whose other statements stay as they are, or with "
        "the missing statements only."
    )
    return joined(
        "A program that uses NVIDIA Warp lacks statements of its host code. Write them.",
        f"Purpose: {program.metadata.description}",
        fenced("python", without(program.python_source, gap)),
        f"The statements in {where} are missing, from the first to the last one that launches a kernel.",
        _launches(program),
        *_numbers(missing_text(program.python_source, gap)),
        _HOST_RULES,
        _HOST_JUDGEMENT,
        answer,
        counts("python"),
    )


def kernel_prompt(program: ProgramRecord, gap: Gap) -> str:
    """Return the prompt that asks for the body of a kernel."""
    return joined(
        f"A program that uses NVIDIA Warp lacks the body of the kernel `{gap.name}`. Write the kernel.",
        f"Purpose: {program.metadata.description}",
        fenced("python", without(program.python_source, gap)),
        _launches(program),
        *_numbers(missing_text(program.python_source, gap)),
        _KERNEL_RULES,
        _KERNEL_JUDGEMENT,
        f"Answer with the kernel `{gap.name}` in one fenced block.",
        counts("python"),
    )


def _launches(program: ProgramRecord) -> str:
    """Return the launches of a program: what each kernel receives, and the order."""
    order = [program.launches[position] for position in program.order]
    lines = []
    for name in dict.fromkeys(launch.kernel for launch in order):
        of_kernel = [launch for launch in order if launch.kernel == name]
        times = f"{len(of_kernel):,} launches" if len(of_kernel) > 1 else "1 launch"
        lines.append(f"- `{name}`: {times}, {_described(of_kernel)}")
    names = [(name, len([*group])) for name, group in groupby(launch.kernel for launch in order)]
    shown = ", ".join(f"{name} × {number}" if number > 1 else name for name, number in names[:LISTED_LAUNCHES])
    return "\n".join(
        ["The program makes these launches:", *lines, f"In order: {shown}{', …' if len(names) > LISTED_LAUNCHES else ''}"]
    )


def _described(launches: Iterable[ProgramLaunch]) -> str:
    first, *variants = dict.fromkeys(launches)
    arguments = ", ".join(_argument(argument) for argument in first.args)
    block = f", {first.block_dim} threads in a block" if first.block_dim else ""
    dims = f"{len(variants)} times with other sizes" if variants else ""
    return f"dim {_shape(first.dim)}{block}{f' ({dims})' if dims else ''}, with {arguments or 'no arguments'}"


def _argument(argument: ProgramArgument) -> str:
    shape = f" of shape {_shape(argument.shape)}" if argument.kind == "array" else ""
    return f"{argument.name}: {argument.kind if argument.kind != 'value' else ''} {argument.dtype}{shape}".replace("  ", " ")


def _shape(lengths: tuple[int, ...]) -> str:
    return " × ".join(map(str, lengths))


def _numbers(text: str) -> Iterator[str]:
    """Yield a remark with the numbers of a text that a reader cannot guess."""
    found = (node for node in ast.walk(parse_python(text)) if isinstance(node, ast.Constant))
    numbers = {ast.unparse(node): None for node in found if type(node.value) in (int, float) and node.value not in (0, 1, 2)}
    if numbers:
        yield f"Numbers that the missing part contains: {', '.join(numbers)}."
