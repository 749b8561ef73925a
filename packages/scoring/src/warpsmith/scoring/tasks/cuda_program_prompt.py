"""The prompt that asks for a part of a program in CUDA: its kernels, and a function of the host."""

from __future__ import annotations

from warpsmith.core.records.program_record import ProgramRecord
from warpsmith.scoring.tasks.cuda_programs import CudaProgram
from warpsmith.scoring.tasks.plain_prompt import HOST_RULES, component_lines
from warpsmith.scoring.tasks.program_gaps import MAIN, missing_text
from warpsmith.scoring.tasks.prompts import counts, fenced, joined

_LAYOUT = """\
Arguments:
- Each argument is the variable of the program before the statements that it is listed with; it has the value of that time.
- An array `x` is a pointer to its elements on the device, followed by its shape: `x_shape0`, `x_shape1`, …. Arrays are
  contiguous and in row-major order: element `x[i, j]` is number `i * x_shape1 + j`. Pointers to `const` are arrays that do not
  change. The memory of an array starts at a multiple of 256 bytes."""

_JUDGEMENT = """\
The function is run on the variables of the program before the statements, with the parameters of the file and with other
ones. An answer is right if the memory of each array that it receives then has the contents that the statements leave
there, within the rounding of floats. If the statements exchange two arrays, each of them keeps its memory. Values of Python
that the statements change, and what they print, do not count."""


def cuda_prompt(program: ProgramRecord, cuda: CudaProgram) -> str:
    """Return the prompt."""
    signature, gap = cuda.signature, cuda.gap
    where = 'the block `if __name__ == "__main__":`' if gap.name == MAIN else f"`{gap.name}`"
    variables = "\n".join(f"- `{name}`: `{expression}`" for name, expression in cuda.variables.items())
    return joined(
        "Translate a part of a program that uses NVIDIA Warp to CUDA: its kernels, and a function of the host that launches "
        "them, without Warp's headers.",
        f"Purpose: {program.metadata.description}",
        fenced("python", program.python_source),
        f"The function does the work of these statements in {where}, with the functions that they call:",
        fenced("python", missing_text(program.python_source, gap)),
        f"Define the function `{signature.name}` with this signature:",
        fenced("cuda", signature.text),
        f"The arguments in the program:\n{variables}",
        "\n".join((_LAYOUT, *component_lines(cuda.arguments), HOST_RULES)),
        _JUDGEMENT,
        counts("cuda"),
    )
