"""Parameters of kernels as a CUDA source declares them: PTX contains only their sizes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_NOT_CODE = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'", re.DOTALL)
_KERNEL = re.compile(r"\b__global__\b")
_CALL = re.compile(r"[^;{}(]*?\b([A-Za-z_]\w*)\s*\(")
_ATTRIBUTES = frozenset(
    "__launch_bounds__ __maxnreg__ __cluster_dims__ __block_size__ __attribute__ __declspec __align__ alignas".split()
)
"""Words with parentheses before the name of a kernel."""

_DECLARED = re.compile(r"(?P<type>.*?)\b(?P<name>[A-Za-z_]\w*)\s*(?P<array>(?:\[[^\]]*\]\s*)*)$", re.DOTALL)
_QUALIFIERS = re.compile(r"\b(?:const|volatile|restrict|__restrict__|__restrict|__grid_constant__|struct|typename|std::)\b")
_CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}

_NESTED = re.compile(r"_ZN?K?")
_SPACE = re.compile(r"\s+")

NUMBERS = {
    "bool": "bool",
    "char": "int8",
    "signed char": "int8",
    "int8_t": "int8",
    "unsigned char": "uint8",
    "uint8_t": "uint8",
    "short": "int16",
    "int16_t": "int16",
    "unsigned short": "uint16",
    "uint16_t": "uint16",
    "int": "int32",
    "int32_t": "int32",
    "unsigned": "uint32",
    "unsigned int": "uint32",
    "uint32_t": "uint32",
    "long": "int64",
    "long long": "int64",
    "int64_t": "int64",
    "unsigned long": "uint64",
    "unsigned long long": "uint64",
    "uint64_t": "uint64",
    "size_t": "uint64",
    "half": "float16",
    "__half": "float16",
    "float": "float32",
    "double": "float64",
}
"""The types of C++ that correspond to types of arrays."""


@dataclass(frozen=True, slots=True)
class Declared:
    """A parameter as the source declares it.

    Attributes:
        type: its type without qualifiers, such as ``"float *"``.
        name: its name, empty if it has none.
    """

    type: str
    name: str

    @property
    def is_pointer(self) -> bool:
        """Whether it is a pointer to numbers or to other values."""
        return self.type.endswith("*")

    @property
    def number(self) -> str | None:
        """The type of the number, or of the numbers that the pointer points to; None for other types."""
        return NUMBERS.get(self.type.rstrip("* ")) if self.type.count("*") <= 1 else None

    def __str__(self) -> str:
        return f"{self.type} {self.name}".strip()


def declared_kernels(source: str) -> dict[str, list[tuple[Declared, ...]]]:
    """Return the parameters of the kernels of a source by name; several if a name is overloaded.

    The source is read as text: macros are not expanded.

    Examples:
        >>> declared_kernels("__global__ void scale(const float* __restrict__ x, int n) { }")["scale"][0][0]
        Declared(type='float*', name='x')
    """
    code = _NOT_CODE.sub(lambda match: " " * len(match[0]), source)
    found: dict[str, list[tuple[Declared, ...]]] = {}
    for start in _KERNEL.finditer(code):
        name, inside = _header(code, start.end())
        parameters = tuple(_declared(text) for text in _split(inside or ""))
        if inside is not None and parameters not in found.setdefault(name, []):
            found[name].append(parameters)
    return found


def plain_name(mangled: str) -> str:
    """Return the name of a function without namespaces, template arguments and parameters.

    Examples:
        >>> plain_name("_Z5scalePfi"), plain_name("_ZN3abc5scaleIfEEvPT_"), plain_name("scale")
        ('scale', 'scale', 'scale')
    """
    match = _NESTED.match(mangled)
    rest = mangled[match.end() :] if match is not None else ""
    name = ""
    while (length := re.match(r"(?:L?|S._)(\d+)", rest)) is not None:
        end = length.end() + int(length[1])
        name, rest = rest[length.end() : end], rest[end:]
        if not mangled.startswith("_ZN"):
            break
    return name or mangled


def named_kernels(kernels: Iterable[str], name: str) -> list[str]:
    """Return the kernel with a name of PTX or, if there is none, those with a plain name."""
    found = list(kernels)
    return [name] if name in found else [mangled for mangled in found if plain_name(mangled) == name]


def _header(code: str, start: int) -> tuple[str, str | None]:
    """Return the name of the function that follows and the text of its parameters, None if no function follows."""
    while (head := _CALL.match(code, start)) is not None:
        inside = _enclosed(code, head.end() - 1)
        if inside is None or head[1] not in _ATTRIBUTES:
            return head[1], inside
        start = head.end() + len(inside) + 1
    return "", None


def _enclosed(code: str, start: int) -> str | None:
    """Return the text between a parenthesis and the one that closes it, None if none does."""
    depth = 0
    for at in range(start, len(code)):
        depth += (code[at] == "(") - (code[at] == ")")
        if depth == 0:
            return code[start + 1 : at]
    return None


def _split(parameters: str) -> Iterator[str]:
    """Yield the parameters of a list: a comma within brackets separates none."""
    closing: list[str] = []
    start = 0
    for at, character in enumerate(parameters):
        if closing and character == closing[-1]:
            closing.pop()
        elif character in _CLOSING:
            closing.append(_CLOSING[character])
        elif character == "," and not closing:
            yield parameters[start:at]
            start = at + 1
    if parameters[start:].strip() not in {"", "void"}:
        yield parameters[start:]


def _declared(text: str) -> Declared:
    text = text.partition("=")[0]  # without its default
    match = _DECLARED.match(text.strip())
    if match is None:
        return Declared(_clean(text), "")
    written, name = _clean(match["type"]), match["name"]
    if not written or name in NUMBERS:  # a parameter without a name
        return Declared(_clean(text), "")
    return Declared(f"{written}*" if match["array"] else written, name)


def _clean(text: str) -> str:
    words = _SPACE.sub(" ", _QUALIFIERS.sub(" ", text.replace("std::", "")))
    return re.sub(r"\s*\*", "*", words).strip()
