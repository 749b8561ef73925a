"""Plain CUDA from Warp's own CUDA text: the reference of a plain task, which shows that the task can be solved."""

from __future__ import annotations

import re

from warpsmith.core.records.pair import Pair
from warpsmith.scoring.plain.plain_signature import C_TYPES, Signature, plain_signature
from warpsmith.scoring.plain.reference.library import FUNCTIONS, prelude
from warpsmith.scoring.plain.reference.text_types import Composite, quat, transform

_SCALARS = {f"wp::{name}": ctype for name, ctype in C_TYPES.items()}
_COMPOSITE = re.compile(r"wp::(?:(?:vec|mat)_t<([\d, ]+), ?|(quat|transform)_t<)(wp::\w+)>")
_IDENTITY = re.compile(r"\bwp::((?:(quat|transform)_)?identity)<(?:(\d+), )?(wp::\w+)>\(")
_FROM_VECTORS = re.compile(r"\bwp::(matrix_from_(?:cols|rows))<wp::\w+>\(")
_SCALAR = re.compile(r"\bwp::(?:float32|float64|u?int(?:8|16|32|64))\b(?!\()")
_ARRAY = re.compile(r"wp::array_t<([\w ]+)>")
_CALL = re.compile(r"\bwp::(\w+)(?=(?:<\w+>)?\()")
_CONSTRUCTOR = re.compile(r"\b((?:vec|mat|quat|transform)\d+_\w+)\(")
_VARIABLE = re.compile(r"^( +(?!return )(?:\w+ )+var_\w+);$", re.MULTILINE)
_KERNEL = re.compile(r'extern "C" __global__ void \w+\(\n(.*?)\)\n\{\n(.*)\n\}\s*$', re.DOTALL)
_LOOP = re.compile(r"\s*wp::tile_shared_storage_t tile_mem;\s*for \(size_t _idx =.*?\n    \{\n(.*)\n    \}\s*$", re.DOTALL)
_STRUCT = re.compile(r"^struct (\w+)\n\{\n((?:    [^\n]+;\n)+)", re.MULTILINE)
_STRUCT_BODY = re.compile(r"^struct \w+\n\{\n.*?^\};\n", re.MULTILINE | re.DOTALL)
_STRUCT_FUNCTION = re.compile(r"^(?:static )?CUDA_CALLABLE \w+ (?:adj_\w+|add)\([^)]*\)\n\{.*?^\}\n", re.MULTILINE | re.DOTALL)
_MADE_STRUCT = re.compile(r"= (\w+_[0-9a-f]{8})\(([^;]*)\);")
_INIT = "wp::tile_shared_storage_t::init();"
_THREADS = re.compile(r"(?:(\w+) = )?builtin_tid(\d)d\(([\w, ]*)\);")


def translate(pair: Pair, entry_point: str, *, serial: bool = False) -> str | None:
    """Return a plain CUDA text with the statements of a pair's CUDA text, or None if the text cannot be translated.

    Args:
        pair: the pair.
        entry_point: the name of the kernel.
        serial: whether the first thread does the work of all threads.
    """
    signature = plain_signature(pair, entry_point)
    if signature is None or not pair.cuda_ir_forward:
        return None
    text = re.sub(r"//[^\n]*", "", pair.cuda_ir_forward)
    try:
        return _translated(text, signature, serial)
    except (KeyError, ValueError):
        return None


def _translated(text: str, signature: Signature, serial: bool) -> str:
    """Return the translation of a text without comments.

    Raises:
        KeyError: if a type or a function is not known.
        ValueError: if the text has another layout.
    """
    kernel = _KERNEL.search(text)
    loop = _LOOP.fullmatch(kernel[2]) if kernel else None
    if kernel is None or loop is None:
        raise ValueError("the kernel has another layout")
    structs, before = _structs(text[: kernel.start()])
    helpers, body = _plain_types(before), _plain_types(loop[1].replace(_INIT, ""))
    types, scalars = _types(text)
    called = {*_CALL.findall(helpers + body)} - {"assign"} | {"construct"}
    if unknown := called - FUNCTIONS.keys():
        raise KeyError(unknown)
    arguments, statements = _arguments(_plain_types(kernel[1]), signature), _statements(body, signature)
    if serial:
        kernel_text = _serial_kernel(arguments + statements, signature)
    else:
        kernel_text = f"{signature.text}\n{{\n{arguments}{_threads(signature)}{statements}\n}}\n"
    unit = prelude(types, scalars, called, structs) + _functions(helpers) + kernel_text
    if "wp::" in unit or "assert(" in unit:
        raise ValueError("something of Warp is left")
    return unit


def _structs(text: str) -> tuple[dict[str, str], str]:
    """Return the members of the structs before a kernel by name, and the text without structs and their functions."""
    structs = {name: " ".join(_plain_types(members).split()) for name, members in _STRUCT.findall(text)}
    return structs, _STRUCT_FUNCTION.sub("", _STRUCT_BODY.sub("", text))


def _types(text: str) -> tuple[set[Composite], set[str]]:
    found = {_composite(*match.groups()) for match in _COMPOSITE.finditer(text)}
    scalars = {_SCALARS[name] for name in _SCALAR.findall(text)}
    return found, scalars | ({"bool"} & set(_ARRAY.findall(text)))


def _composite(shape: str | None, kind: str | None, scalar: str) -> Composite:
    """Return a type by its shape as text or its kind, and Warp's name of its numbers."""
    if shape:
        return Composite(_SCALARS[scalar], tuple(map(int, shape.split(","))))
    return (quat if kind == "quat" else transform)(_SCALARS[scalar])


def _identity(found: re.Match[str]) -> Composite:
    """Return the type of an identity, whose size stands before the type of its numbers in the text of a matrix."""
    return _composite(found[3] and f"{found[3]}, {found[3]}", found[2], found[4])


def _plain_types(text: str) -> str:
    """Return a text with plain names of types."""
    text = _IDENTITY.sub(lambda found: f"wp::{found[1]}<{_identity(found).name}>(", _FROM_VECTORS.sub(r"wp::\1(", text))
    text = _COMPOSITE.sub(lambda found: _composite(*found.groups()).name, text)
    text = _SCALAR.sub(lambda found: _SCALARS[found[0]], text)
    text = text.replace("wp::shape_t", "shape_type").replace("wp::range_t", "range_type")
    return _ARRAY.sub(lambda found: f"array_{found[1].replace(' ', '_')}", text)


def _calls(text: str) -> str:
    """Return a text with calls of the library; variables start with zero, as vectors do in Warp."""
    text = _VARIABLE.sub(r"\1 = {};", text)
    text = re.sub(r"\bwp::assign\((\w+), (\w+)\)", r"\1 = \2", text)
    text = _CONSTRUCTOR.sub(r"w_\1(", text)
    return _CALL.sub(r"w_\1", text)


def _functions(helpers: str) -> str:
    """Return the helper functions; a parameter by reference stays one."""
    text = re.sub(r"\bstatic\s+(?:WP_\w+\s+)*(?:CUDA_CALLABLE\s+)?|\bCUDA_CALLABLE\s+", "__device__ ", helpers)
    return _calls(text).strip() + "\n\n"


def _arguments(parameters: str, signature: Signature) -> str:
    """Return the variables that stand for Warp's arguments."""
    structs_by_value = {parameter.name for parameter in signature.parameters if parameter.ctype in signature.structs}
    lines = []
    for line in parameters.split("\n")[1:]:
        ctype, name = line.strip().rstrip(",").rsplit(" ", 1)
        argument = name.removeprefix("var_")
        if ctype.startswith("array_"):
            sizes = [
                parameter.name
                for parameter in signature.parameters
                if parameter.argument == argument and parameter.dimension is not None
            ]
            shape = ", ".join([*sizes, *"0000"][:4])
            element = _element(ctype)
            lines.append(f"    {ctype} {name} = {{ ({element}*){argument}, {{ {shape} }} }};")
        elif _CONSTRUCTOR.match(f"{ctype}("):
            lines.append(f"    {ctype} {name} = *(const {ctype}*){argument};")
        elif argument in structs_by_value:
            lines.append(f"    {ctype} {name} = *(const {ctype}*)&{argument};")
        else:
            lines.append(f"    {ctype} {name} = {argument};")
    return "\n".join(lines) + "\n"


def _element(ctype: str) -> str:
    name = ctype.removeprefix("array_")
    return name.replace("_", " ") if name.replace("_", " ") in C_TYPES.values() else name


def _threads(signature: Signature) -> str:
    """Return the variables with the coordinates of the thread, and the check of the launch's size."""
    number = signature.dimensions
    lines, names = [], []
    for dimension in range(number):
        axis = "xyz"[number - 1 - dimension]
        names.append(f"thread{dimension}")
        lines.append(f"    int thread{dimension} = blockIdx.{axis} * blockDim.{axis} + threadIdx.{axis};")
    outside = " || ".join(f"{name} >= dim{dimension}" for dimension, name in enumerate(names))
    return "\n".join((*lines, f"    if ({outside}) return;")) + "\n"


def _serial_kernel(body: str, signature: Signature) -> str:
    """Return a function with the statements of one element, and a kernel whose first thread calls it for all elements."""
    threads = [f"thread{dimension}" for dimension in range(signature.dimensions)]
    parameters = ", ".join([*map(str, signature.parameters), *(f"int {name}" for name in threads)])
    loops = "".join(f"    for (int {name} = 0; {name} < dim{number}; {name}++)\n" for number, name in enumerate(threads))
    structs, _, opening = signature.text.partition("__global__")
    given = ", ".join([*(parameter.name for parameter in signature.parameters), *threads])
    return (
        f"{structs}__device__ void w_element({parameters})\n{{\n{body}\n}}\n\n__global__{opening}\n{{\n"
        "    if (blockIdx.x + blockIdx.y + blockIdx.z + threadIdx.x + threadIdx.y + threadIdx.z) return;\n"
        f"{loops}        w_element({given});\n}}\n"
    )


def _statements(body: str, signature: Signature) -> str:
    """Return the statements of one element."""

    def coordinates(found: re.Match[str]) -> str:
        if int(found[2]) != signature.dimensions:
            raise ValueError("other dimensions")
        names = [found[1]] if found[1] else found[3].split(", ")
        return " ".join(f"{name} = thread{dimension};" for dimension, name in enumerate(names))

    text = _THREADS.sub(coordinates, body)
    text = _MADE_STRUCT.sub(r"= \1{\2};", re.sub(r"\bcontinue;", "return;", text))
    return _calls(text)
