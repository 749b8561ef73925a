"""The layout of a whole file: which lines are wrapped, and how."""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct

from warpsmith.synthesis.language.layout.exploded import Exploded
from warpsmith.synthesis.language.layout.packed import Packed
from warpsmith.synthesis.language.layout.statement_text import (
    Statement,
    is_complete,
    last_brackets,
    split_commas,
    split_statement,
)

MANY = 5
"""The least number of arguments of a call that is spread over lines like a vector."""

_SHORT = 4
"""The mean length of arguments below which a call stays in one line, such as ``wp.vec3(x, y, z)``."""

_INDENT = "    "
_QUOTES = '"""'
_SIGNATURE = re.compile(r"(def \w+)\((.*)\)( -> .+)?:")
_CALLED = re.compile(r"[\w.]+")
_CONSTRUCTOR = re.compile(r"(?:wp\.)?(?:vec|mat|quat|spatial_vector|transform)\w*")


class Layout(Struct, frozen=True, gc=False):
    """How the lines of a file are wrapped.

    Attributes:
        length: the longest line; 0 for no limit.
        wrapping: ``exploded`` as by black and ruff, ``aligned`` with the opening bracket, or ``hanging``.
        leading: whether lines begin with an operator where ``wrapping`` leaves it open.
        signatures: ``short`` ones in one line, one parameter a line in ``all`` with more than one, or ``packed``.
        constructors: whether vectors and matrices of three and more arguments, and calls of `MANY`, have one argument a line.
        indent: the number of spaces of a block.
    """

    length: int = 100
    wrapping: Literal["exploded", "aligned", "hanging"] = "exploded"
    leading: bool = True
    signatures: Literal["short", "all", "packed"] = "short"
    constructors: bool = False
    indent: int = 4


PLAIN = Layout(0)
"""The layout of files whose statements are in one line each."""


def lay_out(source: str, layout: Layout) -> str:
    """Return a file in a layout; texts in triple quotes and statements that are in several lines stay as they are."""
    if layout == PLAIN:
        return source
    return _FileLayout(layout).lay_out(source)


class _FileLayout:
    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._length = layout.length or 1 << 16
        self._unit = " " * layout.indent
        self._exploded = Exploded(self._length, self._unit)
        self._packed = Packed(self._length, self._unit, hanging=layout.wrapping == "hanging", leading=layout.leading)

    def lay_out(self, source: str) -> str:
        lines: list[str] = []
        quoted = False
        for line in source.split("\n"):
            text = line.lstrip(" ")
            margin = line[: len(line) - len(text)]
            if self._layout.indent != len(_INDENT) and margin:
                margin = self._unit * (len(margin) // len(_INDENT)) + margin[: len(margin) % len(_INDENT)]
            is_inside, quoted = quoted, quoted != bool(text.count(_QUOTES) & 1)
            if is_inside or quoted or text[:1] in ("", "#", '"', "@") or not self._is_concerned(margin, text):
                lines.append(margin + text)
            else:
                lines += self._wrap(text, margin)
        return "\n".join(lines)

    def _is_concerned(self, margin: str, text: str) -> bool:
        """Return whether a line may have to be wrapped; almost all lines need no further look."""
        if len(margin) + len(text) <= self._length:
            layout = self._layout
            is_short = not (layout.signatures == "all" and text.startswith("def ")) and not (
                layout.constructors and text.endswith(")") and text.count(",") > 1
            )
            if is_short:
                return False
        return "#" not in text and is_complete(text)

    def _wrap(self, text: str, margin: str) -> list[str]:
        fits = len(margin) + len(text) <= self._length
        if match := _SIGNATURE.fullmatch(text):
            return self._wrap_signature(match, margin, fits)
        if text.endswith(":") and text.startswith(("def ", "class ", "else")):
            return [margin + text]
        statement = split_statement(text)
        if self._layout.constructors and (lines := self._explode_call(statement, margin)):
            return lines
        if fits:
            return [margin + text]
        wrap = self._exploded.wrap if self._layout.wrapping == "exploded" else self._packed.wrap
        return wrap(statement, margin)

    def _wrap_signature(self, match: re.Match[str], margin: str, fits: bool) -> list[str]:
        parameters = split_commas(match[2])
        style, tail = self._layout.signatures, f"{match[3] or ''}:"
        if style == "packed" and self._layout.wrapping != "exploded":
            return [margin + match[0]] if fits else self._packed.signature(match[1], parameters, tail, margin)
        if fits and (style != "all" or len(parameters) < 2):
            return [margin + match[0]]
        return self._exploded.signature(match[1], parameters, tail, margin, always=style != "packed")

    def _explode_call(self, statement: Statement, margin: str) -> list[str]:
        """Return a vector or matrix with one argument a line; nothing if the statement is no such call."""
        found = last_brackets(statement.expression)
        if found is None or not statement.head or statement.tail:
            return []
        name, arguments = statement.expression[: found[0]], statement.expression[found[0] + 1 : found[1]]
        if found[1] != len(statement.expression) - 1 or not _CALLED.fullmatch(name):
            return []
        parts = split_commas(arguments)
        if len(parts) < (3 if _CONSTRUCTOR.fullmatch(name) else MANY) or len(arguments) < _SHORT * len(parts):
            return []
        return self._exploded.argument_lines(f"{statement.head}{name}", parts, "", margin)
