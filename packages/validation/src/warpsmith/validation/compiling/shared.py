"""Whether a CUDA text has the very statements of the C++ text beside it, so that compiling them once is enough for both.

Warp writes both from one build: they differ in how a thread finds its place and its arguments, and in how it goes on to the
next one. Here the CUDA text is put together once more from the lines of the C++ text. If that gives the CUDA text, line by
line, its statements need no second compilation for a CPU; where anything differs, as where somebody changed it, they do.
"""

from __future__ import annotations

import re

from warpsmith.core.records import text_format
from warpsmith.core.records.ir import Code


def arguments(cpp: Code) -> list[tuple[str, str]]:
    """The types and names of a kernel's arguments in order, as the structure in its C++ text says."""
    found = _structure(cpp)
    return text_format.STRUCT_FIELD.findall(found[2]) if found else []


def same_statements(cpp: Code, cuda: Code) -> bool:
    """Whether the CUDA text is what the C++ text becomes in a loop over a grid, forward and backward."""
    structure = _structure(cpp)
    if structure is None or cpp.kernel_name != cuda.kernel_name or (cpp.backward_code is None) != (cuda.backward_code is None):
        return False
    pairs = [("forward", cpp.forward_code, cuda.forward_code), ("backward", cpp.backward_code, cuda.backward_code)]
    return all(
        theirs is None or ours is None or _expected(structure, direction, ours) == _lines(theirs)
        for direction, ours, theirs in pairs
    )


def _structure(cpp: Code) -> re.Match[str] | None:
    return next(
        (found for found in text_format.ARGUMENT_STRUCT.finditer(cpp.forward_code) if found[1] == cpp.kernel_name), None
    )


def _expected(structure: re.Match[str], direction: str, text: str) -> list[str] | None:
    """The lines that the CUDA text has to have, None where the C++ text is none that Warp writes or a thread changes more."""
    name, found = structure[1], text_format.CPU_KERNEL.search(text)
    if found is None or (found["name"], found["direction"]) != (name, direction):
        return None
    before, fields = text[: found.start()].replace(structure[0], ""), text_format.STRUCT_FIELD.findall(structure[2])
    prefixes = dict(text_format.ARGUMENT_VARIABLES)
    if not found["adjoint"]:
        del prefixes["adj"]
    given = [f"{kind} {prefix}_{field} = {place}->{field};" for prefix, place in prefixes.items() for kind, field in fields]
    if (
        not fields
        or _lines(found["arguments"]) != given
        or text_format.REFERENCE_PARAMETER.search(before)
        or _changed(found["body"], fields)
    ):
        return None
    parameters = [f"wp::launch_bounds_t<{found['dimensions']}> dim"]
    parameters += [f"{kind} {prefix}_{field}" for prefix in prefixes for kind, field in fields]
    return [
        *_lines(before),
        f'extern "C" __global__ void {text_format.kernel_opening(name, "cuda", direction)}',
        *(f"{parameter}," for parameter in parameters[:-1]),
        f"{parameters[-1]})",
        *text_format.GRID_STRIDE_LOOP,
        text_format.SECTION_RULE,
        *("continue;" if line == "return;" else line for line in _lines(found["body"])),
        "}",
        "}",
    ]


def _changed(body: str, fields: list[tuple[str, str]]) -> bool:
    """Whether a thread may change an argument: one that strides over several elements keeps that in CUDA, but not in C++."""
    names = {name for _, name in fields}
    return any((found[1] or found[2]) in names for found in text_format.ARGUMENT_CHANGE.finditer(body))


def _lines(text: str) -> list[str]:
    """The lines of a text less indentation, empty ones and the word that CUDA's functions have before them."""
    return [stripped for line in text.replace(text_format.FUNCTION_QUALIFIER, "").splitlines() if (stripped := line.strip())]
