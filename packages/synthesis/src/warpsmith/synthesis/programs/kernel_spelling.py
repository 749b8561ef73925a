"""Kernels, functions and structs of the catalogue as Python: decorators, types and docstrings in the style of the program."""

from __future__ import annotations

import re

from warpsmith.synthesis.programs.program_style import ProgramStyle

_DEFINITION = re.compile(r"^(kernel!?|func|struct) (\w+)(.*)$", re.MULTILINE)
_ARRAY = re.compile(r": (\[+)(\w+)\]+")
_SCALAR = re.compile(r"(?<=: )(float|int)\b(?! =)|(?<=-> )(float|int)\b")
_BUILTIN = re.compile(
    r"(?<=: )((?:vec|mat|quat|transform|spatial)\w*|u?int(?:8|16|32|64)|float(?:16|32|64))\b|(?<=-> )((?:vec|mat|quat)\w*)\b"
)
_SHORT = re.compile(r"\bwp\.(vec[234]|mat22|mat33|mat44|quat)\b")
_SCALARS = {"float": "wp.float32", "int": "wp.int32"}
_KINDS = {
    "kernel": "@wp.kernel\ndef {}{}",
    "kernel!": "@wp.kernel(enable_backward=False)\ndef {}{}",
    "func": "@wp.func\ndef {}{}",
    "struct": "@wp.struct\nclass {}{}",
}


def spell_kernels(text: str, style: ProgramStyle) -> str:
    """Return the section of kernels as Python."""
    lines: list[str] = []
    for written in text.split("\n"):
        match = _DEFINITION.fullmatch(written)
        is_member = re.fullmatch(r"    \w+: [\w\[\]]+", written) is not None
        line = _with_types(written, style) if match or is_member else written
        if match and (match := _DEFINITION.fullmatch(line)):
            while lines and not lines[-1]:
                lines.pop()
            if not (lines and lines[-1].startswith("#")):
                lines += ["", ""] if lines else []
            lines.append(_KINDS[match[1]].format(match[2], match[3]))
        elif style.kernel_docs or not line.lstrip().startswith('"""'):
            lines.append(line)
    return long_types("\n".join(lines), style)


def spell_type(kind: str, dimensions: int, style: ProgramStyle) -> str:
    """Return the annotation of a parameter of a kernel: an array of ``kind``, or a value for no dimensions."""
    spelled = _with_types(f"x: {'[' * dimensions}{kind}{']' * dimensions}", style)
    return long_types(spelled.removeprefix("x: "), style)


def long_types(text: str, style: ProgramStyle) -> str:
    """Return a text with the names of vectors and matrices that the style prefers."""
    return text if style.short_types else _SHORT.sub(r"wp.\1f", text)


def _with_types(line: str, style: ProgramStyle) -> str:
    line = _ARRAY.sub(lambda match: f": {_array(match[2], len(match[1]), style)}", line)
    if style.spelling.warp_scalars:
        line = _SCALAR.sub(lambda match: _SCALARS[match[0]], line)
    return _BUILTIN.sub(lambda match: f"wp.{match[0]}", line)


def _array(element: str, dimensions: int, style: ProgramStyle) -> str:
    if element in _SCALARS:
        element = _SCALARS[element] if style.spelling.warp_scalars else element
    elif not element[0].isupper():
        element = f"wp.{element}"
    spelling = style.spelling
    numbered = f"{dimensions}d" if dimensions > 1 and (spelling.numbered or spelling.subscripted) else ""
    if spelling.subscripted:
        return f"wp.array{numbered}[{element}]"
    rest = f", ndim={dimensions}" if dimensions > 1 and not numbered else ""
    return f"wp.array{numbered}(dtype={element}{rest})"
