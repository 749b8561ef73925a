r"""Layout of the text that Warp generates: every name, marker and pattern that warpsmith reads in it.

The text of one kernel for one target reads::

    preamble · structs · helper functions · their adjoints · kernel forward · kernel backward
             · [C++ only: entry forward · entry backward]

Functions of helpers and kernels consist of sections: declarations, the statements of the forward pass and, in adjoints, the
statements of the reverse pass. A comment above the statements of each Python line contains the line and its number.

A Warp release that changes the layout is supported by changes in this module; `notes/reference/generated_code.md`
describes the texts. The module is part of core because exports and similarity read generated text without Warp.

Examples:
    >>> entry_opening("scale", "cuda", "forward")
    ' scale_cuda_kernel_forward('
    >>> PYTHON_COMMENT.match("    // x = wp.cos(y)   <L 11>").groups()
    (None, 'x = wp.cos(y)', '11')
    >>> COMPOSITE_TYPE.fullmatch("vec_t<3,float32>").groups()
    ('vec', '3', 'float32')
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

# ------------------------------------------------------------------------------------------------------------------------ names

DIRECTIONS = ("forward", "backward")

ENTRY_SUFFIXES = {"cuda": ("cuda_kernel_forward", "cuda_kernel_backward"), "cpu": ("cpu_forward", "cpu_backward")}
"""The ends of the names with C linkage by target, in the order of `DIRECTIONS`. For CUDA these are the kernels themselves."""


def entry_opening(name: str, target: str, direction: str) -> str:
    """Return the text that opens the function with C linkage of kernel ``name``."""
    return f" {name}_{ENTRY_SUFFIXES[target][DIRECTIONS.index(direction)]}("


def kernel_prefix(name: str, target: str) -> str:
    """Return the part that the names of the forward and the backward kernel function share."""
    return f"{name}_{target}_kernel_"


def kernel_opening(name: str, target: str, direction: str) -> str:
    """Return the name of a kernel function with the parenthesis of its parameters."""
    return f"{kernel_prefix(name, target)}{direction}("


def argument_struct_opening(name: str) -> str:
    """Return the line that opens the C++ structure of a kernel's arguments."""
    return f"struct wp_args_{name} {{\n"


def cpu_entry_opening(name: str, direction: str) -> str:
    """Return the line that opens the C++ entry point of a kernel: the payload of a block comes before the function."""
    return f"struct {name}_cpu_block_payload_{direction}\n"


ARGUMENT_STRUCT_PREFIX = "struct wp_args_"

# -------------------------------------------------------------------------------------------------------- preamble and language

DEFAULT_BLOCK = 256
"""Threads per block unless the module option ``block_dim`` sets them."""

NO_BFLOAT16 = "#define WP_NO_BFLOAT16\n"
"""First line of the preamble, absent from modules that mention bfloat16."""

BLOCK_MACRO = re.compile(r"(?<=^#define WP_TILE_BLOCK_DIM )\d+$", re.MULTILINE)
"""The number of threads of a block in the preamble."""


def with_options(preamble: str, text: str, options: Mapping[str, Any]) -> str:
    """Return the preamble of a file from the preamble of Warp's default options.

    Args:
        preamble: the preamble that a manifest contains.
        text: the code that follows.
        options: the module options that differ from Warp's defaults.
    """
    preamble = preamble.removeprefix(NO_BFLOAT16) if "bfloat16" in text else preamble
    return BLOCK_MACRO.sub(str(options["block_dim"]), preamble) if "block_dim" in options else preamble


PRECOMPILED_HEADER_END = "#pragma nv_hdrstop\n"
"""Where the precompiled header of NVRTC ends; the text after this line differs between units."""

THREAD_MACROS = ("builtin_tid1d", "builtin_tid2d", "builtin_tid3d", "builtin_tid4d", "builtin_block_dim")
"""The macros of the CUDA preamble that return coordinates of a thread."""

GRID_STRIDE_STEP = "_idx += static_cast<size_t>(blockDim.x) * static_cast<size_t>(gridDim.x)"
CPU_BLOCK_LOOP = "wp_cpu_run_block"

GRID_STRIDE_LOOP = (
    "{",
    "wp::tile_shared_storage_t tile_mem;",
    "for (size_t _idx = static_cast<size_t>(blockDim.x) * static_cast<size_t>(blockIdx.x) + static_cast<size_t>(threadIdx.x);",
    "_idx < dim.size;",
    f"{GRID_STRIDE_STEP})",
    "{",
    "// reset shared memory allocator",
    "wp::tile_shared_storage_t::init();",
)
"""The lines between the parameters of a CUDA kernel and its declarations, without indentation."""

ELEMENT_GUARD = "if (_idx >= dim.size) return;"
"""The line that takes the place of the loop in kernels with ``grid_stride=False``: each thread computes one element."""

COMMENT_OR_LITERAL = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])'", re.DOTALL)
"""Comments, strings and characters, whose brackets need not match."""

# -------------------------------------------------------------------------------------------------------- sections and comments

SECTION_RULE = "//---------"
ARGUMENT_SECTION = "// argument vars"
PRIMAL_SECTION = "// primal vars"
DUAL_SECTION = "// dual vars"
FORWARD_SECTION = "// forward"
REVERSE_SECTION = "// reverse"

PYTHON_COMMENT_LINE = re.compile(r"^[ \t]*//[^\n]*<L \d+>[ \t]*\n", re.MULTILINE)
"""A whole line with the comment that quotes a line of the Python."""

PYTHON_COMMENT = re.compile(r"\s*// (adj: )?(.*?)\s*<L (\d+)>$")
"""The same comment, in parts: whether it is in an adjoint, the line of Python and its number."""

LOCATION_COMMENT_LINE = re.compile(r"^[ \t]*// [^\n]*\.py:\d+[ \t]*\n", re.MULTILINE)  # above a helper function
HASHED_NAME = re.compile(r"\b(?:adj_)?([A-Za-z_]\w*)_([0-9a-f]{8})\b")  # of a struct: its name, and a hash of its members
NAME_HASH = re.compile(r"_[0-9a-f]{8}\b")  # the end of a hashed name, found ten times as fast
LINE_COMMENT = re.compile(r"^\s*//.*$|\s+//.*$", re.MULTILINE)

# ------------------------------------------------------------------------------------------------------------- helper functions

DEFINITION = re.compile(r"^(?:\S[^\n]*?\b(\w+)\($|struct (\w+)(?= \{$|$))", re.MULTILINE)
"""The first line of a function or structure: the name is in the first or in the second group."""

NAME_PREFIXES = ("adj_", "replay_", "wp_args_")
NAME_SUFFIX = re.compile(r"_(?:cpu|cuda)_(?:kernel_|block_payload_|block_thunk_)?(?:forward|backward)$")
"""What Warp adds to the name of a function, structure or kernel, for the definitions that belong to it."""

TOKEN = re.compile(r"\w+|[^\w\s]")

FUNCTION_QUALIFIER = "CUDA_CALLABLE "
"""The word before helper functions in CUDA texts."""

ADJOINT_PREFIX = "adj_"

# -------------------------------------------------------------------------------------------------------- statements and labels

BLOCK_LABEL = re.compile(r"\s*(start|end)_[a-z]+_\d+:;$")
"""The label at the start or the end of a loop."""

NEXT_ITERATION = re.compile(r"\s*goto start_[a-z]+_\d+;$")

ADJOINT_VARIABLE = re.compile(r"\badj_")

VARIABLE = re.compile(r"\bvar_\w+")

VARIABLE_OR_ADJOINT = re.compile(r"(?<![:\w])(var|adj)_(\w+)\b")
"""A variable, or the adjoint of one; ``wp::adj_add`` does not match."""

STATEMENT = re.compile(r"\s*(?:(var_\w+) = )?((?:wp::)?[A-Za-z_]\w*)(?=[<(])")
"""A call on one line: the variable that receives the result, if any, and the function."""

ARRAY_WRITE = re.compile(r"\bwp::(?:array_store|store|atomic_\w+)\(")

BLOCK_OPERATION = re.compile(
    r"(?:WP_TILE_SYNC(?<!\wWP_TILE_SYNC)|__syncthreads(?<!\w__syncthreads)"
    r"|wp::(?<!\wwp::)(?:tile_(?!shared_storage_t\b)\w+|untile))\b"
)
"""Operations for which the threads of a block wait for each other; a search for ``\\b`` in front of them would be slow."""

ADJOINT_SHAPE_CLEARED = re.compile(r"adj_(?<!\wadj_)\w+\.shape = ")
"""The adjoint of reading ``x.shape`` clears the shape of the adjoint array for everything that the thread does after its first
element. Only index checks read that shape, and they would stop the backward pass of a thread with several elements."""

ADJOINT_SHAPE_STATEMENT = re.compile(r"\b(adj_\w+)\.shape = [^;\n]+;")
"""The whole statement of `ADJOINT_SHAPE_CLEARED`, with the name of the adjoint array."""

LINKED_LIBRARY = "#define WP_LTO_LINK_INPUTS "
"""The start of CUDA texts that call functions of libmathdx, which exist on GPUs only."""

LINKED_FUNCTION = re.compile(r"^void (\w+)\(.*\);$", re.MULTILINE)  # declares a function of libmathdx

FFT_MEMORY = re.compile(r"\btile_i?fft\((\w+), \w+, [\w:]+, (\d+), ")
"""A call of a Fourier transform of libmathdx: the name of its function, and the bytes of shared memory that it needs."""

ARGUMENT_CHANGE = re.compile(r"(?:&\(?|assign\w*\()var_(\w+)\b(?!\.shape\))|^\s+var_(?=(\w+)\S* [-+*/%&|^]?= )", re.MULTILINE)
"""A statement that may change the variable of an argument: the name is in the first or in the second group."""


# ------------------------------------------------------------------------------------------------------- kernels and parameters

# Patterns match any kernel and capture its name: compiling one pattern per kernel takes longer than searching with one for all.
ARGUMENT_STRUCT = re.compile(r"^struct wp_args_(\w+) \{\n(.*?)^\};\n", re.MULTILINE | re.DOTALL)
"""The C++ structure of a kernel's arguments: the kernel's name and the fields."""

STRUCT_FIELD = re.compile(r"^    (\S.*) (\w+);$", re.MULTILINE)

ARGUMENT_VARIABLES = {"var": "_wp_args", "adj": "_wp_adj_args"}
"""Prefix of the variable of an argument, and the C++ parameter that the variable is read from."""

CPU_KERNEL = re.compile(  # a whole C++ kernel function
    r"template <bool wp_linear_contiguous>\nstatic void (?P<name>\w+)_cpu_kernel_(?P<direction>forward|backward)\(\n"
    r"    wp::launch_bounds_t<(?P<dimensions>\d)> dim,\n    size_t task_index,\n    wp_args_(?P=name) \*_wp_args"
    r"(?P<adjoint>,\n    wp_args_(?P=name) \*_wp_adj_args)?\)\n"
    r"\{\n    static constexpr bool wp_linear_tid = wp_linear_contiguous;\n\n    //---------\n    // argument vars\n"
    r"(?P<arguments>.*?)    //---------\n(?P<body>[^\n]*(?:\n(?!\}\n)[^\n]*)*)\n\}\n",
    re.DOTALL,
)

REFERENCE_PARAMETER = re.compile(r"& var_\w+[,)]$", re.MULTILINE)  # of a helper function, by reference

CUDA_PARAMETERS = {direction: re.compile(rf"_cuda_kernel_{direction}\(\n(.*?)\)\n\{{", re.DOTALL) for direction in DIRECTIONS}
"""The parameters of a CUDA kernel, one a line, by direction."""

ADJOINT_VALUE_PARAMETER = re.compile(r"^(\s+(?!wp::array_t)\S.*?) (adj_\w+)(,?)$", re.MULTILINE)
"""A parameter with the adjoint of an argument that is no array: its type, its name and the comma."""

ADJOINT_VALUE_VARIABLE = re.compile(r"^(    (?!wp::array_t)\S.*?) (adj_\w+ = _wp_adj_args->\w+;)$", re.MULTILINE)
"""The variable in C++ with the adjoint of an argument that is no array: its type, and its name with the value."""

NATIVE_FLOAT = re.compile(r"\bfloat\b(?=\s*[A-Za-z_*&)])")
"""The type ``float`` of a variable or cast. Warp writes ``wp::float32``: only native code of users names ``float`` there."""

LAUNCH_DIMENSIONS = re.compile(r"\blaunch_bounds_t<(\d)>")

LARGEST_BLOCK = re.compile(r"\b__launch_bounds__\((\d+)")  # the most threads of a block that a kernel of CUDA accepts

# ------------------------------------------------------------------------------------------------------------------------ types

SCALAR_SUFFIXES = {
    "float16": "h", "bfloat16": "bf", "float32": "f", "float64": "d", "int8": "b", "uint8": "ub", "int16": "s",
    "uint16": "us", "int32": "i", "uint32": "ui", "int64": "l", "uint64": "ul", "bool": "bool",
}  # fmt: skip
"""Scalar types, and the suffix of Warp's name for a vector of each, as in ``vec3f``."""

SCALAR_TYPE = re.compile(rf"\b({'|'.join(SCALAR_SUFFIXES)})\b")
COMPOSITE_TYPE = re.compile(r"(vec|mat|quat|transform)_t<([\d,]*?),?(\w+)>")
ARRAY_TYPE = re.compile(r"(?:indexed|fixed)?array_t<(?:\d+,)?(.*)>")


def linked_functions(cuda_forward: str | None) -> dict[str, int]:
    """Return the functions of libmathdx that a CUDA text calls, and the bytes of shared memory that each needs, if known."""
    text = cuda_forward or ""
    if LINKED_LIBRARY not in text:
        return {}
    memory = {name: int(size) for name, size in FFT_MEMORY.findall(text)}
    return {name: memory.get(name, 0) for name in LINKED_FUNCTION.findall(text)}
