"""Generic functions and kernels: ``Any`` in annotations, and literals of the type of an argument."""

from __future__ import annotations

import re
from collections import Counter

from msgspec.structs import replace

from warpsmith.synthesis.language.composed_kernel import Array, Kernel, OpaqueParameter, Param, Scalar
from warpsmith.synthesis.language.layout.statement_text import split_commas
from warpsmith.synthesis.language.warp_types import FLOAT, INT
from warpsmith.synthesis.writing.forms.float_types import FLOATS, FUNCTION, NUMBER, VALUE_TYPES, has_twin, texts_of

_HEADER = re.compile(r"@wp\.func\ndef (\w+)\((.*)\)(?: -> (.+))?:\n")
_CONSTRUCTOR = re.compile(rf"\bwp\.(?:{'|'.join(VALUE_TYPES)})d?\b|\bwp\.(?:identity|quat_\w+|transform_\w+)\(")
_LITERAL = re.compile(
    rf"(?P<comment>#.*)|(?<![\w.])(?:wp\.)?float(?:32|64)?\((?P<cast>-?{NUMBER})\)|(?P<number>{NUMBER}|\bwp\.pi\b)"
)
_CAST = re.compile(r"(?<![\w.])float\(")
_ANY = "from typing import Any"


def with_generic_functions(kernel: Kernel, *, typed: bool, returns: bool) -> Kernel:
    """Return a kernel whose functions have arguments of any type where they consist of arithmetic only.

    Args:
        kernel: the kernel.
        typed: whether literals have the type of an argument.
        returns: whether the annotation of a result is ``Any``; otherwise there is none.
    """
    calls = _Calls(texts_of(kernel))
    preface = tuple(_generic_function(block, calls, typed, returns) or block for block in kernel.preface)
    if preface == kernel.preface:
        return kernel
    return replace(kernel, preface=preface, imports=tuple(dict.fromkeys((*kernel.imports, _ANY))))


def _generic_function(block: str, calls: _Calls, typed: bool, returns: bool) -> str | None:
    """Return a function with arguments of any type, or None if it must not have them."""
    header = _HEADER.match(block)
    if header is None or _CONSTRUCTOR.search(block[header.end() :]):
        return None
    if "Any" in header[2] or not calls.take_floats(header[1]):
        return None
    params = [tuple(param.split(": ", 1)) for param in split_commas(header[2])]
    if any(len(param) < 2 for param in params) or not any(param[1] in FLOATS for param in params):
        return None
    body = block[header.end() :]
    if _has_several_precisions([param[1] for param in params], body) or _has_single_numbers(body, typed):
        return None
    annotated = ", ".join(f"{name}: {'Any' if kind in FLOATS else kind}" for name, kind in params)
    result = header[3] or ""
    if result in FLOATS:
        result = "Any" if returns else ""
    elif result and any(kind in result for kind in FLOATS):
        result = ""
    if (witness := _witness(params)) and (typed or _CAST.search(body)):
        body = _with_typed_literals(body, witness)
    elif _CAST.search(body):
        return None
    return f"{FUNCTION}{header[1]}({annotated}){f' -> {result}' if result else ''}:\n{body}"


def _has_several_precisions(kinds: list[str], body: str) -> bool:
    """Return whether a function has floats of several precisions, or ``wp.static``, which knows no arguments."""
    is_double = {kind.endswith(("64", "d")) for kind in kinds if kind in FLOATS}
    if len(is_double) > 1 or "wp.static(" in body:
        return True
    return bool((_SINGLE if True in is_double else _DOUBLE).search(body)) or (
        True in is_double and bool(_CAST_EXPRESSION.search(body))
    )


def _has_single_numbers(body: str, typed: bool) -> bool:
    """Return whether a function computes with module constants, or with literals that keep their type: of one type anyway."""
    return bool(_CONSTANT.search(body)) or (not typed and any(match["number"] for match in _LITERAL.finditer(body)))


_CONSTANT = re.compile(r"\b[A-Z][A-Z0-9_]+\b")
_SINGLE = re.compile(r"(?<![\w.])float\(|float(?:16|32)\b")
_DOUBLE = re.compile(r"float(?:16|64)\b")
_CAST_EXPRESSION = re.compile(rf"wp\.float64\((?!-?{NUMBER}\))")
"""A cast of more than a literal, as of a product with a constant in single precision."""


class _Calls:
    """The calls in the text of a kernel and its functions."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._words, self._calls = Counter(_WORD.findall(text)), Counter(_CALLED.findall(text))

    def take_floats(self, name: str) -> bool:
        """Return whether a function is only called, and with no integer literal, which would have another type there."""
        if self._words[name] != self._calls[name]:
            return False
        start = f"{name}("
        parts = self._text.split(start)
        return not any(_INTEGER_ARGUMENT.search(f"({part.partition(_LINE)[0]}") for part in parts[1:])


_WORD = re.compile(r"[A-Za-z_]\w*")
_CALLED = re.compile(r"(\w+)\(")
_INTEGER_ARGUMENT = re.compile(r"[(,] ?-?\d+[,)]")
_LINE = "\n"


def _witness(params: list[tuple[str, ...]]) -> str:
    """Return what makes a number of the type of the arguments, such as ``type(x)``; nothing if there is no such argument."""
    for name, kind in params:
        if kind in ("float", "wp.float32", "wp.float64"):
            return f"type({name})"
    return next((f"{name}.dtype" for name, kind in params if kind.startswith("wp.vec")), "")


def _with_typed_literals(text: str, witness: str) -> str:
    """Return statements whose float literals and casts are made by ``witness``."""
    text = _LITERAL.sub(lambda match: match["comment"] or f"{witness}({match['cast'] or match['number']})", text)
    return _CAST.sub(f"{witness}(", text)


def _is_scalar(param: Param) -> bool:
    """Return whether a parameter is an integer, a float, or an array of either."""
    if isinstance(param, OpaqueParameter):
        return False
    kind = param.element if isinstance(param, Array) else param.type
    return kind is FLOAT or kind is INT


def as_generic(kernel: Kernel) -> Kernel | None:
    """Return a kernel whose floats have any type, which an overload names, or None if it must not be generic.

    The kernel computes with scalars only, all of which have one type.
    """
    if not has_twin(kernel) or not all(map(_is_scalar, kernel.params)) or _CONSTRUCTOR.search(texts_of(kernel)):
        return None
    arrays = [param for param in kernel.params if isinstance(param, Array) and param.element is FLOAT]
    if not any(param.role == "input" for param in arrays):
        return None
    made = with_generic_functions(kernel, typed=True, returns=False)
    if any(block.startswith(FUNCTION) and re.search(r"\bfloat\b", block) for block in made.preface):
        return None
    witness = f"{next(param.name for param in arrays if param.role == 'input')}.dtype"
    body = _with_typed_literals("\n".join(kernel.body), witness)
    for constant in kernel.constants:
        if isinstance(constant.value, float):
            if any(constant.name in block for block in kernel.preface):
                return None
            # its value and not its name, which Warp does not assign again after a cast in a branch
            body = re.sub(rf"(?<![\w.]){constant.name}\b", f"{witness}({constant.value!r})", body)
    generic = tuple(
        param.name
        for param in kernel.params
        if (isinstance(param, Array) and param.element is FLOAT) or (isinstance(param, Scalar) and param.type is FLOAT)
    )
    imports = tuple(dict.fromkeys((*kernel.imports, _ANY)))
    constants = tuple(constant for constant in kernel.constants if not isinstance(constant.value, float))
    return replace(made, body=tuple(body.split("\n")), generic=generic, imports=imports, constants=constants)
