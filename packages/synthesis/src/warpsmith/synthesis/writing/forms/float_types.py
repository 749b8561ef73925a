"""The twins of float32 types in other precisions, and the builtins that have overloads for both."""

from __future__ import annotations

import re
from functools import cache

from warpsmith.core.errors import WarpsmithError
from warpsmith.extraction.warp import registries
from warpsmith.synthesis.language.composed_kernel import Array, Kernel, OpaqueParameter, Scalar
from warpsmith.synthesis.language.warp_types import TYPES, Type

NUMBER = r"(?<![\w.])(?:\d+\.\d*(?:[eE][-+]?\d+)?|\d+[eE][-+]?\d+)"
"""The pattern of a float literal without sign."""

VALUE_TYPES = ("vec2", "vec3", "vec4", "mat22", "mat33", "mat44", "quat", "transform", "spatial_vector", "spatial_matrix")
"""Warp's names of the float32 types that have a twin, which ends with ``d``."""

FLOATS = frozenset(("float", "wp.float32", "wp.float64", *(f"wp.{name}{end}" for name in VALUE_TYPES for end in ("", "d"))))
"""How types with floats are written in annotations."""

PASSES = 2
"""How often assignments are read to find the names of floats: a name may be assigned after its use in a loop."""

FUNCTION = "@wp.func\ndef "
"""The start of a function in the text before the kernel."""

_STRUCT = "@wp.struct\nclass "
_NEUTRAL = frozenset(
    (
        "kernel func struct array array1d array2d array3d array4d tid constant pi where "
        "bool int8 uint8 int32 uint32 int64 uint64"
    ).split()
)
"""What a kernel may name in every precision, besides types with a twin and builtins."""

_NAME = re.compile(r"\bwp\.(\w+)")
_OBJECTS = re.compile(r"\b(?:mesh|bvh|hash_grid|volume|texture|tile|rand\w?|p?noise|curlnoise|sample)_|\bwp\.\w*(?:rand|noise)")
_UNUSUAL = re.compile(r"\*\*|printf?\(|Callable|Any|float(?:16|32|64)|identity\(\)|\bassert\b|wp\.static|spatial_vector\([^)]")
"""What has no counterpart in float64, or another meaning: a spatial vector of two vectors is one of float32."""

_COMPONENTS = re.compile(rf"\bwp\.(?:{'|'.join(VALUE_TYPES)})\(([^()]*)\)")
_ASSIGNMENT = re.compile(r"^ *(\w+)(?:: [\w.]+)? = (.*)$", re.MULTILINE)
_ANNOTATED = re.compile(rf"\b(\w+): (?:{'|'.join(sorted(map(re.escape, FLOATS), reverse=True))})\b")
_FLOAT_VALUE = re.compile(r"\d\.|\bfloat\(| / |\bwp\.pi\b")
_INTEGER_VALUE = re.compile(r"\bint\(|\bwp\.u?int\d+\(")
_RETURNS_FLOAT = re.compile(r"^def (\w+)\(.*\) -> (?:float|wp\.(?:vec|mat|quat)\w*):", re.MULTILINE)
_WORD = re.compile(r"(?<![\w.])[A-Za-z_]\w*")


_INTEGERS = re.compile(r"\b(\w+): (?:int|wp\.int32)\b")
_THREADS = re.compile(r"^ *([\w, ]+) = wp\.tid\(\)", re.MULTILINE)
_COUNTERS = re.compile(r"\bfor (\w+) in range\(")
_CAST_NAMES = re.compile(r"(?<![\w.])(?:float|wp\.float32)\((\w+)\)")


def twin(kind: Type) -> Type:
    """Return the float64 type of a float32 type; other types are their own twins."""
    return TYPES[_twin_name(kind.name)] if kind.scalar == "float32" else kind


def _twin_name(name: str) -> str:
    if name == "float32":
        return "float64"
    kind = TYPES.get(name)
    return f"{name[:-1]}d" if kind is not None and kind.scalar == "float32" else name


def texts_of(kernel: Kernel) -> str:
    """Return the statements and definitions of a kernel."""
    return "\n".join((*kernel.preface, *kernel.body))


def has_twin(kernel: Kernel) -> bool:
    """Return whether a kernel can be written in another precision: its types and builtins exist there.

    A kernel of objects, random numbers, noise or tiles has no twin, nor has one that names a precision itself.
    """
    if any(isinstance(param, OpaqueParameter) and param.argument.kind != "struct" for param in kernel.params):
        return False
    if kernel.generic or kernel.options or not all(block.startswith((FUNCTION, _STRUCT)) for block in kernel.preface):
        return False
    text = texts_of(kernel)
    if _UNUSUAL.search(text) or _OBJECTS.search(text) or _has_integer_components(kernel, text) or _casts_a_constant(text):
        return False
    return all(name in _NEUTRAL or name in VALUE_TYPES or is_generic_builtin(name) for name in set(_NAME.findall(text)))


def _has_integer_components(kernel: Kernel, text: str) -> bool:
    """Return whether a component of a vector may be an integer, which Warp converts to float32 only."""
    components = [part for match in _COMPONENTS.finditer(text) for part in match[1].split(",") if part.strip()]
    components = [part for part in components if not _FLOAT_VALUE.search(part)]
    if not components:
        return False
    floats = {param.name for param in kernel.params if isinstance(param, OpaqueParameter) or _type_of(param).is_float}
    floats |= {*_ANNOTATED.findall(text), *_RETURNS_FLOAT.findall(text)}
    floats |= {constant.name for constant in kernel.constants if isinstance(constant.value, float)}
    assignments = _ASSIGNMENT.findall(text)
    for _ in range(PASSES):
        for name, value in assignments:
            if not _INTEGER_VALUE.search(value) and (_FLOAT_VALUE.search(value) or not floats.isdisjoint(_WORD.findall(value))):
                floats.add(name)
    indices = {*_COUNTERS.findall(text), *(name for names in _THREADS.findall(text) for name in names.split(", "))}
    indices |= {*_INTEGERS.findall(text), *(name for name, value in assignments if _INTEGER_VALUE.search(value))}
    return any(floats.isdisjoint(names := _WORD.findall(part)) or indices.issuperset(names) for part in components)


def _casts_a_constant(text: str) -> bool:
    """Return whether a constant, or a counter that Warp replaces by constants, is cast to a float.

    Warp 1.19 gives the constant itself the type of a cast to float64, so that it is no index and no bound any more.
    """
    counters = set(_COUNTERS.findall(text))
    return any(name.isupper() or name in counters for name in _CAST_NAMES.findall(text))


def _type_of(param: Array | Scalar) -> Type:
    return param.element if isinstance(param, Array) else param.type


@cache
def is_generic_builtin(name: str) -> bool:
    """Return whether each overload of a builtin with float32 has a counterpart with float64, by Warp's registry."""
    try:
        overloads = registries.builtin_overloads(name)
    except WarpsmithError:
        return False
    if not overloads or any("float32" in kind for arguments, _ in overloads for kind in arguments if kind != "float32"):
        return False
    results = dict(overloads)
    for arguments, result in overloads:
        twins = tuple(map(_twin_name, arguments))
        if twins not in results or (result is not None and results[twins] != _twin_name(result)):
            return False
    return True
