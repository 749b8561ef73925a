"""Comparison of a launch with the arguments that the C++ text of its kernel declares, before anything runs.

The text contains a structure of all arguments, with the type of each, and the definitions of structs. It does not contain the
number of dimensions of an array, which is therefore read from the annotations in the Python, where these are of a known form.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from warpsmith.core.inputs.launch_objects import is_object
from warpsmith.core.records import text_format
from warpsmith.core.records.ir import Code
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.core.records.launch_size import MAX_DIMENSIONS
from warpsmith.core.records.python_source import NotPythonError, parse_python

_STRUCT = re.compile(r"^struct (\w+)\n\{\n((?:    [^\n]+;\n)+)", re.MULTILINE)
"""The definition of a struct: its name and its members, up to the empty line before its constructors."""

_EMPTY = [("char", "_dummy_")]
"""The members that Warp gives a struct without members."""

_ARRAY = re.compile(r"(indexed)?array_t<(.+)>")
_HASH = re.compile(r"_[0-9a-f]{8}$")
_FIXED_NAMES = ("spatial_vector", "vec6"), ("spatial_matrix", "mat66")
_SHORT_UNSIGNED = re.compile(r"(vec\d|mat\d\d)u")
_ANNOTATION = re.compile(r"(indexed)?array([1-4]d)?")

_Dimensions = Mapping[str, int]


def mismatch(launch: Launch, code: Code, source: str) -> str | None:
    """Return why a launch does not fit its kernel, or None if it does.

    Args:
        launch: the launch.
        code: the C++ code of the kernel.
        source: the Python of the kernel.
    """
    problem = next(_problems(launch, code, source), None)
    return problem and f"the launch does not fit the kernel: {problem}"


def _problems(launch: Launch, code: Code, source: str) -> Iterator[str]:
    yield from _dim_problems(launch, code.forward_code)
    parameters = _parameters(code)
    if parameters is None:
        yield "its text does not say which arguments the kernel takes"
        return
    kernel = _Kernel(code.forward_code, *_annotated_dimensions(source))
    yield from kernel.problems(launch.args, parameters, kernel.parameters.get(code.kernel_name, {}), "")


def _dim_problems(launch: Launch, text: str) -> Iterator[str]:
    """Yield a problem if the launch has dimensions that the kernel's ``wp.tid()`` does not return.

    Threads that differ in further dimensions have the same coordinates. Only threads of one block that share tiles may have:
    one further dimension counts them.
    """
    if len(launch.dim) > MAX_DIMENSIONS:
        yield f"{len(launch.dim)} dimensions, Warp supports {MAX_DIMENSIONS}"
    match = text_format.LAUNCH_DIMENSIONS.search(text, max(text.find("launch_bounds_t<"), 0))
    if match is not None and len(launch.dim) > int(match[1]):
        maximum = int(match[1]) + (text_format.BLOCK_OPERATION.search(text) is not None)
        if len(launch.dim) > maximum:
            yield f"{len(launch.dim)} dimensions, the kernel has {maximum}"


def _parameters(code: Code) -> list[tuple[str, str]] | None:
    """Return the types and names of a kernel's arguments. The text is long, and this is faster than a regular expression."""
    before, opening, after = code.forward_code.partition(text_format.argument_struct_opening(code.kernel_name))
    block, closing, _ = after.partition("};\n")
    return _members(block) if opening and closing and before[-1:] in ("", "\n") else None


def _members(block: str) -> list[tuple[str, str]] | None:
    """Return the types and names of the members in the text of a structure, or None if a line is no member."""
    found: list[tuple[str, str]] = text_format.STRUCT_FIELD.findall(block)
    if len(found) != len(block.split("\n")) - 1:
        return None
    return [] if found == _EMPTY else found


@dataclass(slots=True)
class _Kernel:
    """What a kernel takes.

    Attributes:
        text: the C++, with the definitions of structs.
        parameters: the dimensions of arrays, by function and parameter.
        structs: the dimensions of arrays, by struct and member.
    """

    text: str
    parameters: Mapping[str, _Dimensions]
    structs: Mapping[str, _Dimensions]
    _definitions: dict[str, list[tuple[str, str]] | None] | None = None

    def problems(
        self, arguments: Sequence[Argument], expected: Sequence[tuple[str, str]], dimensions: _Dimensions, prefix: str
    ) -> Iterator[str]:
        """Yield the first difference between arguments, or members of a struct, and the types and names in the text."""
        what = f"members of {prefix[:-1]!r}" if prefix else "arguments"
        if len(arguments) != len(expected):
            yield f"{len(arguments)} {what}, the kernel takes {len(expected)}"
            return
        for argument, (ctype, name) in zip(arguments, expected, strict=True):
            if argument.name != name:
                yield f"argument {prefix + argument.name!r}, the kernel takes {prefix + name!r} in this place"
                return
            yield from self._argument_problems(argument, _plain(ctype), dimensions.get(name), prefix + name)

    def _argument_problems(self, argument: Argument, ctype: str, dimensions: int | None, name: str) -> Iterator[str]:
        array = _ARRAY.fullmatch(ctype)
        element = array[2] if array else ctype
        kind = "value" if array is None else "indexed_array" if array[1] else "array"
        if argument.kind == "null_array":
            same = _canonical(argument.dtype) == _type_name(element) or _is_name_of(argument.dtype, element)
            if kind != "array" or not same:
                given, taken = f"None for an array of {argument.dtype}", _described(kind, element)
                yield f"argument {name!r} is {given}, the kernel takes {taken}"
            return
        given = {"struct": "value"}.get(argument.kind, argument.kind)
        if is_object(argument):
            expected = f"texture{argument.dtype[7:].lower()}_t" if argument.kind == "texture" else "uint64"
            if ctype != expected:
                yield f"argument {name!r} is a {argument.kind}, the kernel takes {_described(kind, element)}"
            return
        if argument.fields or argument.kind == "struct":
            members = self._struct(element)
            fits = members is not None and _is_name_of(argument.dtype, element)
        else:
            members, fits = None, _canonical(argument.dtype) == _type_name(element)
        if given != kind or not fits:
            type_name = f"struct {argument.dtype}" if argument.fields else argument.dtype
            yield f"argument {name!r} is {_described(given, type_name)}, the kernel takes {_described(kind, element)}"
        elif array and dimensions not in (None, len(argument.shape)):
            yield f"argument {name!r} has {len(argument.shape)} dimensions, the kernel takes {dimensions}"
        elif members is not None:
            yield from self.problems(argument.fields, members, self.structs.get(argument.dtype, {}), f"{name}.")

    def _struct(self, name: str) -> list[tuple[str, str]] | None:
        if self._definitions is None:
            self._definitions = {match[1]: _members(match[2]) for match in _STRUCT.finditer(self.text)}
        return self._definitions.get(name)


def _plain(ctype: str) -> str:
    """Return a C++ type without namespaces and spaces."""
    return ctype.replace("wp::", "").replace(" ", "")


@lru_cache(1024)
def _type_name(ctype: str) -> str:
    """Return Warp's name for a C++ type, such as ``vec3f`` for ``vec_t<3,float32>``."""
    match = text_format.COMPOSITE_TYPE.fullmatch(ctype)
    if match is None or match[3] not in text_format.SCALAR_SUFFIXES:
        return ctype
    return match[1] + match[2].replace(",", "") + text_format.SCALAR_SUFFIXES[match[3]]


@lru_cache(1024)
def _canonical(dtype: str) -> str:
    """Return the name that `_type_name` returns for a type with several names."""
    for name, same in _FIXED_NAMES:
        dtype = dtype.replace(name, same)
    return f"{dtype}i" if _SHORT_UNSIGNED.fullmatch(dtype) else dtype


def _is_name_of(name: str, ctype: str) -> bool:
    """Return whether a C++ type is a struct of this name; Warp puts names of functions before it, and a hash behind it."""
    struct = _HASH.sub("", ctype)
    return struct == name or struct.endswith(f"__{name}")


def _described(kind: str, ctype: str) -> str:
    name = _HASH.sub("", _type_name(ctype))
    name = name if name.removeprefix("struct ").isidentifier() else repr(name[:60])
    return {"array": f"an array of {name}", "indexed_array": f"an indexed array of {name}"}.get(kind, name)


def _annotated_dimensions(source: str) -> tuple[dict[str, _Dimensions], dict[str, _Dimensions]]:
    """Return the dimensions of arrays, by function and parameter, and by struct and member."""
    try:
        body = parse_python(source).body
    except NotPythonError:
        return {}, {}
    functions = {node.name: _dimensions(node.args.args) for node in body if isinstance(node, ast.FunctionDef)}
    structs = {node.name: _dimensions(node.body) for node in body if isinstance(node, ast.ClassDef)}
    return functions, structs


def _dimensions(nodes: Sequence[ast.arg] | Sequence[ast.stmt]) -> _Dimensions:
    found: dict[str, int] = {}
    for node in nodes:
        if isinstance(node, ast.arg):
            name, annotation = node.arg, node.annotation
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            name, annotation = node.target.id, node.annotation
        else:
            continue
        if (count := _dimensions_of(annotation)) is not None:
            found[name] = count
    return found


def _dimensions_of(annotation: ast.expr | None) -> int | None:
    """Return the dimensions of an array by its annotation, or None for an annotation of an unknown form."""
    if not isinstance(annotation, ast.Call) or not isinstance(annotation.func, ast.Attribute) or annotation.args:
        return None
    match = _ANNOTATION.fullmatch(annotation.func.attr)
    if match is None:
        return None
    keywords = {keyword.arg: keyword.value for keyword in annotation.keywords}
    if match[2]:
        return int(match[2][0])
    if not keywords.keys() <= {"dtype", "ndim"}:
        return None
    value = keywords.get("ndim", ast.Constant(1))
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, int) else None
