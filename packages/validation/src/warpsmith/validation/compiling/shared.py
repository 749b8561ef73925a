"""Whether a CUDA text has the very statements of the C++ text beside it, so that compiling them once is enough for both.

Warp writes both from one build: they differ in how a thread finds its place and its arguments, and in how it goes on to the
next one. Here the CUDA text is put together once more from the lines of the C++ text. If that gives the CUDA text, line by
line, its statements need no second compilation for a CPU; where anything differs, as where somebody changed it, they do.
"""

from __future__ import annotations

import re

from warpsmith.core.records.ir import Code

# One pattern for all kernels, not one with each kernel's name: it takes longer to compile a pattern than to find it.
_STRUCTURE = re.compile(r"^struct wp_args_(\w+) \{\n(.*?)^\};\n", re.MULTILINE | re.DOTALL)
_KERNEL = re.compile(
    r"template <bool wp_linear_contiguous>\nstatic void (?P<name>\w+)_cpu_kernel_(?P<direction>forward|backward)\(\n"
    r"    wp::launch_bounds_t<(?P<dimensions>\d)> dim,\n    size_t task_index,\n    wp_args_(?P=name) \*_wp_args"
    r"(?P<adjoint>,\n    wp_args_(?P=name) \*_wp_adj_args)?\)\n"
    r"\{\n    static constexpr bool wp_linear_tid = wp_linear_contiguous;\n\n    //---------\n    // argument vars\n"
    r"(?P<given>.*?)    //---------\n(?P<body>.*?)\n\}\n",
    re.DOTALL,
)
_FIELD = re.compile(r"^    (\S.*) (\w+);$", re.MULTILINE)
_REFERENCE_PARAMETER = re.compile(r"& var_\w+[,)]$", re.MULTILINE)

_CHANGE = re.compile(r"(?:&\(?|assign\w*\()var_(\w+)\b(?!\.shape\))|^\s+var_(?=(\w+)\S* [-+*/%&|^]?= )", re.MULTILINE)


def arguments(cpp: Code) -> list[tuple[str, str]]:
    """The types and names of a kernel's arguments in order, as the structure in its C++ text says."""
    found = _structure(cpp)
    return _FIELD.findall(found[2]) if found else []


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
    return next((found for found in _STRUCTURE.finditer(cpp.forward_code) if found[1] == cpp.kernel_name), None)


def _expected(structure: re.Match[str], direction: str, text: str) -> list[str] | None:
    """The lines that the CUDA text has to have, None where the C++ text is none that Warp writes or a thread changes more."""
    name, found = structure[1], _KERNEL.search(text)
    if found is None or (found["name"], found["direction"]) != (name, direction):
        return None
    before, fields = text[: found.start()].replace(structure[0], ""), _FIELD.findall(structure[2])
    prefixes = {"var": "_wp_args"} | ({"adj": "_wp_adj_args"} if found["adjoint"] else {})
    given = [f"{kind} {prefix}_{field} = {place}->{field};" for prefix, place in prefixes.items() for kind, field in fields]
    if not fields or _lines(found["given"]) != given or _REFERENCE_PARAMETER.search(before) or _changed(found["body"], fields):
        return None
    parameters = [f"wp::launch_bounds_t<{found['dimensions']}> dim"]
    parameters += [f"{kind} {prefix}_{field}" for prefix in prefixes for kind, field in fields]
    return [
        *_lines(before),
        f'extern "C" __global__ void {name}_cuda_kernel_{direction}(',
        *(f"{parameter}," for parameter in parameters[:-1]),
        f"{parameters[-1]})",
        *_LOOP,
        "//---------",
        *("continue;" if line == "return;" else line for line in _lines(found["body"])),
        "}",
        "}",
    ]


_LOOP = (
    "{",
    "wp::tile_shared_storage_t tile_mem;",
    "for (size_t _idx = static_cast<size_t>(blockDim.x) * static_cast<size_t>(blockIdx.x) + static_cast<size_t>(threadIdx.x);",
    "_idx < dim.size;",
    "_idx += static_cast<size_t>(blockDim.x) * static_cast<size_t>(gridDim.x))",
    "{",
    "// reset shared memory allocator",
    "wp::tile_shared_storage_t::init();",
)


def _changed(body: str, fields: list[tuple[str, str]]) -> bool:
    """Whether a thread may change an argument: one that strides over several elements keeps that in CUDA, but not in C++."""
    names = {name for _, name in fields}
    return any((found[1] or found[2]) in names for found in _CHANGE.finditer(body))


def _lines(text: str) -> list[str]:
    """The lines of a text less indentation, empty ones and the word that CUDA's functions have before them."""
    return [stripped for line in text.replace("CUDA_CALLABLE ", "").splitlines() if (stripped := line.strip())]
