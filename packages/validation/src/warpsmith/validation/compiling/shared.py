"""Detect CUDA texts with exactly the statements of the pair's C++ text: these statements are compiled only once for the CPU.

Warp writes both texts from one build. They differ in how a thread obtains its index and its arguments, and in how it continues
with the next element. This module constructs the expected CUDA text from the lines of the C++ text. If the CUDA text equals it
line by line, its statements need no second compilation; if any line differs, for example in an edited text, they do.
"""

from __future__ import annotations

import re

from warpsmith.core.records import text_format
from warpsmith.core.records.ir import Code
from warpsmith.core.records.reference_arguments import passed_by_reference


def arguments(cpp: Code) -> list[tuple[str, str]]:
    """Return the types and names of a kernel's arguments in order, from the structure in its C++ text."""
    structure = _structure(cpp)
    return text_format.STRUCT_FIELD.findall(structure[2]) if structure else []


def same_statements(cpp: Code, cuda: Code) -> bool:
    """Return whether the CUDA text is the C++ text in a loop over a grid, forward and backward."""
    structure = _structure(cpp)
    if structure is None or cpp.kernel_name != cuda.kernel_name or (cpp.backward_code is None) != (cuda.backward_code is None):
        return False
    pairs = [("forward", cpp.forward_code, cuda.forward_code), ("backward", cpp.backward_code, cuda.backward_code)]
    return all(
        cpp_text is None or cuda_text is None or _expected(structure, direction, cpp_text) == _lines(cuda_text)
        for direction, cpp_text, cuda_text in pairs
    )


def _structure(cpp: Code) -> re.Match[str] | None:
    return next(
        (match for match in text_format.ARGUMENT_STRUCT.finditer(cpp.forward_code) if match[1] == cpp.kernel_name), None
    )


def _expected(structure: re.Match[str], direction: str, text: str) -> list[str] | None:
    """Return the lines of the expected CUDA text.

    None if Warp does not write such C++ text, or if a thread may change its arguments.
    """
    name, kernel = structure[1], text_format.CPU_KERNEL.search(text)
    if kernel is None or (kernel["name"], kernel["direction"]) != (name, direction):
        return None
    before, fields = text[: kernel.start()].replace(structure[0], ""), text_format.STRUCT_FIELD.findall(structure[2])
    prefixes = dict(text_format.ARGUMENT_VARIABLES)
    if not kernel["adjoint"]:
        del prefixes["adj"]
    assignments = [
        f"{ctype} {prefix}_{field} = {source}->{field};" for prefix, source in prefixes.items() for ctype, field in fields
    ]
    if (
        not fields
        or _lines(kernel["arguments"]) != assignments
        or text_format.REFERENCE_PARAMETER.search(before)
        or _changed(kernel["body"], fields)
        or (kernel["adjoint"] and _changes_parameters(before))
    ):
        return None
    parameters = [f"wp::launch_bounds_t<{kernel['dimensions']}> dim"]
    parameters += [f"{ctype} {prefix}_{field}" for prefix in prefixes for ctype, field in fields]
    return [
        *_lines(before),
        f'extern "C" __global__ void {text_format.kernel_opening(name, "cuda", direction)}',
        *(f"{parameter}," for parameter in parameters[:-1]),
        f"{parameters[-1]})",
        *text_format.GRID_STRIDE_LOOP,
        text_format.SECTION_RULE,
        *("continue;" if line == "return;" else line for line in _lines(kernel["body"])),
        "}",
        "}",
    ]


def _changed(body: str, fields: list[tuple[str, str]]) -> bool:
    """Return whether a thread may change an argument.

    The change would last for all elements of the thread in CUDA, but for one element in C++.
    """
    names = {name for _, name in fields}
    values = {name for ctype, name in fields if not ctype.startswith("wp::array_t")}
    return any((found[1] or found[2]) in names for found in text_format.ARGUMENT_CHANGE.finditer(body)) or any(
        name in values for name in passed_by_reference(body)
    )


def _changes_parameters(helpers: str) -> bool:
    """Return whether a helper function changes one of its parameters: its adjoint reads what the caller's adjoint contains.

    That adjoint may belong to an argument of the kernel, where it lasts for all elements of the thread in CUDA.
    """
    return any(not name.isdigit() for name in passed_by_reference(helpers))


def _lines(text: str) -> list[str]:
    """Return the lines of a text without indentation, empty lines and the qualifier of CUDA functions."""
    return [stripped for line in text.replace(text_format.FUNCTION_QUALIFIER, "").split("\n") if (stripped := line.strip())]
