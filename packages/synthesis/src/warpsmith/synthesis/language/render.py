"""Rendering: a kernel -> the Python file, in the style of handwritten code."""

from __future__ import annotations

import re
from itertools import product

from msgspec import Struct

from warpsmith.synthesis.language.composed_kernel import Array, Kernel, OpaqueParameter, Param, Scalar
from warpsmith.synthesis.language.warp_types import WARP_SPELLING, Type

INDENT = "    "


class Style(Struct, frozen=True, gc=False):
    """The choices of spelling that differ between authors and do not change the meaning.

    Attributes:
        warp_scalars: write ``wp.float32`` instead of ``float``.
        subscripted: write ``wp.array[float]`` instead of ``wp.array(dtype=float)``.
        numbered: write ``wp.array2d(…)`` instead of ``wp.array(…, ndim=2)``.
    """

    warp_scalars: bool = False
    subscripted: bool = False
    numbered: bool = True


STYLES = tuple(Style(*options) for options in product((False, True), (False, False, False, True), (True, True, False)))
"""The styles of rendering, each as often as it is likely."""


def render(kernel: Kernel, style: Style) -> str:
    """Return the whole file: imports, constants, definitions, the kernel, and an overload if the kernel is generic.

    Every statement is in one line; `layout.file_layout` wraps those that are too long.
    """
    lines = [f'"""{kernel.heading}"""', ""] if kernel.heading else []
    imports = [*(["from enum import IntEnum"] if kernel.enumerations else []), *kernel.imports]
    lines += [*imports, *[""] * bool(imports), "import warp as wp", ""]
    for enumeration in kernel.enumerations:
        lines += ["", f"class {enumeration.name}(IntEnum):", *map(_member, enumeration.members), ""]
    if kernel.enumerations and kernel.constants:
        lines.append("")
    for constant in kernel.constants:
        text = f"{constant.cast}({constant.value!r})" if constant.cast else repr(constant.value)
        text = f"wp.constant({text})" if constant.wrapped else text
        lines.append(f"{constant.name} = {text}{f'  # {constant.comment}' if constant.comment else ''}")
    lines += [""] * bool(kernel.constants)
    for block in kernel.preface:
        lines += ["", *_definition(block, style), ""]
    params = [_parameter(param, style, kernel.generic) for param in kernel.params]
    lines += ["", kernel.decorator, *_signature(kernel, params)]
    if kernel.doc:
        lines += _docstring(kernel.doc)
    lines += [f"{INDENT}{line}" if line else "" for line in kernel.body]
    return "\n".join(lines + _overload(kernel, style)) + "\n"


_ARRAY = re.compile(r"wp\.array(\d?)d?\(dtype=([\w.]+)\)")


def _definition(block: str, style: Style) -> list[str]:
    """Return the lines of a definition before the kernel, with arrays spelled as in the kernel."""
    return _ARRAY.sub(lambda match: _array_of(match[2], int(match[1] or 1), style), block).splitlines()


def _member(member: tuple[str, int, str]) -> str:
    name, value, comment = member
    return f"{INDENT}{name} = {value}{f'  # {comment}' if comment else ''}"


def _signature(kernel: Kernel, params: list[str]) -> list[str]:
    """Return the signature in one line, or one parameter a line if there are comments."""
    if not kernel.comments:
        return [f"def {kernel.name}({', '.join(params)}):"]
    comments = {comment.name: comment for comment in kernel.comments}
    lines = [f"def {kernel.name}("]
    for param, text in zip(kernel.params, params, strict=True):
        comment = comments.get(param.name)
        if comment and comment.above:
            lines.append(f"{INDENT}# {comment.above}")
        lines.append(f"{INDENT}{text},{f'  # {comment.beside}' if comment and comment.beside else ''}")
    return [*lines, "):"]


def _docstring(text: str) -> list[str]:
    first, *rest = text.split("\n")
    if not rest:
        return [f'{INDENT}"""{first}"""']
    return [f'{INDENT}"""{first}', *(f"{INDENT}{line}" if line else "" for line in rest), f'{INDENT}"""']


def _overload(kernel: Kernel, style: Style) -> list[str]:
    """Write the overload of a generic kernel: the types of all parameters in order, or of the generic ones by name."""
    named = [_parameter(param, style).split(": ", 1) for param in kernel.params if param.name in kernel.generic]
    if not named:
        return []
    types = [f'"{name}": {kind}' for name, kind in named]
    if not style.numbered:
        types = [_parameter(param, style).split(": ", 1)[1] for param in kernel.params]
    opening, closing = "{}" if style.numbered else "[]"
    return ["", "", f"wp.overload({kernel.name}, {opening}{', '.join(types)}{closing})"]


def _parameter(param: Param, style: Style, generic: tuple[str, ...] = ()) -> str:
    if isinstance(param, OpaqueParameter):
        return f"{param.name}: {param.annotation}"
    kind = spelling_of(param.type if isinstance(param, Scalar) else param.element, style)
    if param.name in generic:
        kind = "Any"
    return f"{param.name}: {kind if isinstance(param, Scalar) else _array(param, kind, style)}"


def spelling_of(kind: Type, style: Style) -> str:
    """Return a type in source text."""
    return WARP_SPELLING.get(kind.name, kind.spelling) if style.warp_scalars else kind.spelling


def _array(array: Array, element: str, style: Style) -> str:
    return _array_of(element, len(array.dims), style)


def _array_of(element: str, ndim: int, style: Style) -> str:
    suffix = "" if ndim == 1 else f"{ndim}d"
    if style.subscripted:
        return f"wp.array{suffix}[{element}]"
    if ndim == 1 or style.numbered:
        return f"wp.array{suffix}(dtype={element})"
    return f"wp.array(dtype={element}, ndim={ndim})"
