"""Texts of definitions whose identifiers are replaced by their roles.

Names of Warp and of Python, operators and numbers stay. A string becomes ``STRING``, a comment ``#``, and the indentation of
blocks four spaces, so that neither vocabulary nor layout of a project tells it from another one.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from itertools import accumulate
from typing import NamedTuple

from warpsmith.core.records.python_source import source_lines
from warpsmith.validation.statistics.realism.kernels import Definition, definition_kind, first_line
from warpsmith.validation.statistics.resemblance import identifiers
from warpsmith.validation.statistics.resemblance.identifiers import Bindings, Place

_COMMENT = re.compile(r"#[^\n]*")
_NAME = re.compile(r"(def|class)\s+(\w+)")
_INDENTATION = re.compile(r"^ +", re.MULTILINE)

INDENTATION = 4


class RoleText(NamedTuple):
    """The text of a definition with roles: up to the docstring, and the statements after it."""

    head: str
    body: str


class SourceText:
    """The text of a file, with the offsets of its lines."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._lines = source_lines(source)
        self._starts = [0, *accumulate(map(len, self._lines))]
        self._ascii = source.isascii()

    def offset(self, line: int, column: int = 0) -> int:
        """Return the number of characters before a place; the column is in bytes, as in Python's `ast`."""
        start = self._starts[min(line, len(self._starts)) - 1]
        if self._ascii or not column:
            return start + column
        return start + len(self._lines[line - 1].encode(errors="replace")[:column].decode(errors="ignore"))


def role_text(definition: Definition, nodes: list[ast.AST], bound: Bindings, text: SourceText) -> RoleText:
    """Return the text of a definition with roles.

    Args:
        definition: a kernel, function or struct.
        nodes: all nodes in it.
        bound: the names that it binds.
        text: the text of its file.
    """
    edits = _edits([*identifiers.places(definition, nodes, bound), *_title(definition, text)], text)
    start, end = text.offset(first_line(definition)), text.offset((definition.end_lineno or 0) + 1)
    body = _body_start(definition, text, end)
    margin = len(text.source[start:end]) - len(text.source[start:end].lstrip(" "))
    unit = _unit(definition, margin)
    return RoleText(*(_indented(_edited(text.source, edits, *span), margin, unit) for span in ((start, body), (body, end))))


def _title(definition: Definition, text: SourceText) -> list[Place]:
    """Return the place of the name of a definition."""
    start = text.offset(definition.lineno, definition.col_offset)
    found = _NAME.match(text.source, start)
    if found is None:
        return []
    role = {"kernel": identifiers.KERNEL, "function": identifiers.FUNCTION, "struct": identifiers.TYPE}[
        definition_kind(definition)
    ]
    column = definition.col_offset + len(text.source[start : found.start(2)].encode())
    return [Place(definition.lineno, column, definition.lineno, column + len(found[2].encode()), role)]


def _edits(found: list[Place], text: SourceText) -> list[tuple[int, int, str]]:
    """Return the places as offsets, in order and without those inside of others."""
    spans = [
        (text.offset(place.line, place.column), text.offset(place.end_line, place.end_column), place.replacement)
        for place in found
    ]
    ordered: list[tuple[int, int, str]] = []
    for span in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not ordered or span[0] >= ordered[-1][1]:
            ordered.append(span)
    return ordered


def _edited(source: str, edits: list[tuple[int, int, str]], start: int, end: int) -> str:
    parts, position = [], start
    for first, last, replacement in edits[bisect_left(edits, (start,)) :]:
        if first >= end:
            break
        parts += [_COMMENT.sub("#", source[position:first]), replacement]
        position = last
    return "".join([*parts, _COMMENT.sub("#", source[position:end])])


def _body_start(definition: Definition, text: SourceText, end: int) -> int:
    """Return the offset of the line of the first statement after the docstring."""
    if isinstance(definition, ast.ClassDef):
        return end
    statements = definition.body[ast.get_docstring(definition, clean=False) is not None :]
    if not statements:
        return end
    first = statements[0]
    on_new_line = not text.source[text.offset(first.lineno) : text.offset(first.lineno, first.col_offset)].strip()
    return text.offset(first.lineno) if on_new_line else text.offset(first.lineno, first.col_offset)


def _unit(definition: Definition, margin: int) -> int:
    """Return the number of spaces by which the body of a definition is indented."""
    first = definition.body[0]
    return (first.col_offset - margin if first.lineno > definition.lineno else 0) or INDENTATION


def _indented(text: str, margin: int, unit: int) -> str:
    def replace(match: re.Match[str]) -> str:
        blocks, rest = divmod(max(len(match[0]) - margin, 0), max(unit, 1))
        return " " * (INDENTATION * blocks + rest)

    return text if (margin, unit) == (0, INDENTATION) else _INDENTATION.sub(replace, text)
