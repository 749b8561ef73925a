"""Code in other texts: in fenced blocks, in JSON, in strings of Python, in quotes, and between lines of prose."""

from __future__ import annotations

import ast
import html
import re
import textwrap
from collections.abc import Iterator
from itertools import islice
from typing import Any

import orjson

from warpsmith.core.records import text_format
from warpsmith.core.records.fenced_blocks import blocks, lines_of, normalized
from warpsmith.core.records.python_source import is_python, parse_python

MAX_DEPTH = 4
"""How deeply texts are in each other, such as a block in a string of a list in JSON in a string."""

MAX_TEXTS = 10_000
"""The most texts that are found in one."""

MAX_CHARACTERS = 1 << 22
"""The longest text that is searched."""

_QUOTE = re.compile(r"^[ \t]*>[ \t]?", re.MULTILINE)
_ESCAPES = {r"\n": "\n", r"\t": "    ", r"\"": '"', r"\'": "'", "\\\\": "\\"}
_ESCAPE = re.compile(r"\\[nt\"'\\]")
_PYTHON_START = re.compile(r"[ \t]*(?:@\w|def\s+\w|class\s+\w|import\s+\w|from\s+\w+\s+import\b)")
_PYTHON_NEXT = re.compile(r"[ \t]*(?:@\w|def\b|class\b|import\b|from\b|[)\]}#]|[A-Za-z_]\w*\s*[:=])")
_BRACES = re.compile(r"[{}]")
_LITERAL_BRACES = str.maketrans("{}", "  ")
_MAX_TRIMMED = 40


def texts_in(text: str, depth: int = MAX_DEPTH) -> Iterator[str]:
    """Yield a text without its layout of files, and all texts in it that may be code."""
    found = normalized(text)
    yield found
    if depth and len(found) <= MAX_CHARACTERS:
        for inner in islice(_inner(found), MAX_TEXTS):
            if inner.strip() and inner != found:
                yield from texts_in(inner, depth - 1)


def strings_of(value: Any) -> Iterator[str]:
    """Yield all strings of JSON, but not the keys of objects."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for inner in value.values():
            yield from strings_of(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from strings_of(inner)


def _inner(text: str) -> Iterator[str]:
    """Yield the texts in a text, apart from those in them."""
    if text.lstrip()[:1] in ("{", "[", '"'):
        try:
            yield from strings_of(orjson.loads(text))
        except orjson.JSONDecodeError:
            pass
        else:
            return
    yield from (block.text for block in blocks(lines_of(text)))
    if _QUOTE.search(text):
        yield _QUOTE.sub("", text)
    if "&lt;" in text or "&gt;" in text or "&#" in text or "&quot;" in text:
        yield html.unescape(text)
    if text.count(r"\n") > max(text.count("\n"), 2):
        yield _ESCAPE.sub(lambda found: _ESCAPES[found[0]], text)
    yield from python_strings(text) if is_python(text) else iter(python_parts(text))
    yield from code_parts(text)


def python_strings(text: str) -> Iterator[str]:
    """Yield the strings of several lines in Python."""
    for node in ast.walk(parse_python(text)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" in node.value:
            yield textwrap.dedent(node.value)


def python_parts(text: str) -> list[str]:
    r"""Return the Python between lines of prose as one text, if there is any.

    Examples:
        >>> python_parts("Translate:\n  def k(x):\n      x[0] = 1\nAnswer:\n")
        ['def k(x):\n    x[0] = 1\n']
    """
    lines = text.expandtabs(4).split("\n")
    parts, start = [], 0
    while start < len(lines):
        if not _PYTHON_START.match(lines[start]):
            start += 1
            continue
        part, start = _python_part(lines, start)
        parts.append(part)
    return ["".join(parts)] if any(parts) else []


def _python_part(lines: list[str], start: int) -> tuple[str, int]:
    """Return the longest Python that begins at a line, and the number of the line behind it."""
    indent = _indent(lines[start])
    end = start + 1
    while end < len(lines) and (
        not lines[end].strip()
        or _indent(lines[end]) > indent
        or (_indent(lines[end]) == indent and _PYTHON_NEXT.match(lines[end]))
    ):
        end += 1
    for last in range(end, max(start, end - _MAX_TRIMMED), -1):
        part = textwrap.dedent("\n".join(lines[start:last])) + "\n"
        if is_python(part):
            return part, last
    return "", start + 1


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def code_parts(text: str) -> list[str]:
    r"""Return the C++ between lines of prose: each kernel with the definitions before it, and all of it.

    Examples:
        >>> code_parts("So:\nstruct S { int n; };\n__global__ void k(S s) { if (s.n) { } }\nDone {it}.")
        ['struct S { int n; };\n__global__ void k(S s) { if (s.n) { } }']
    """
    bare = text_format.COMMENT_OR_LITERAL.sub(lambda found: found[0].translate(_LITERAL_BRACES), text)
    depth = start = behind = 0
    kernels: list[str] = []
    definitions: list[str] = []
    pieces: list[str] = []
    for brace in _BRACES.finditer(bare):
        if brace[0] == "{":
            if depth == 0:
                start = _definition_start(bare, behind, brace.start())
            depth += 1
        elif depth:
            depth -= 1
            if depth == 0:
                behind = brace.end() + (bare[brace.end() : brace.end() + 1] == ";")
                if start >= 0:
                    definitions.append(text[start:behind])
                    pieces.append(definitions[-1])
                    if "__global__" in definitions[-1]:
                        kernels.append("\n".join(definitions))
                        definitions = []
    everything = "\n".join(pieces)
    return [*kernels, *([everything] if everything and everything not in kernels else [])]


def _definition_start(bare: str, behind: int, brace: int) -> int:
    """Return where the function or the struct begins whose body begins at a brace, or -1 if it is neither."""
    head = bare[max(behind, brace - 20_000) : brace]
    header = re.search(
        r"(?:^|[;}\n])([ \t]*(?:extern|static|inline|template|struct|__\w+__|[A-Za-z_][\w:<>,*&]*[ \t*&]+)[^;{}]*\Z)", head
    )
    if header is None or not re.search(r"\)\s*(?:const\s*)?\Z|\bstruct\s+\w+\s*\Z", head):
        return -1
    return brace - len(head) + header.start(1)
