"""Finds atomic operations of the Python that the generated text makes without being atomic.

Threads run one after the other on a CPU, where a plain addition to an element that several threads share leaves the same
result. The text quotes each line of the Python before its statements, so that the atomic function has to be among them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from warpsmith.core.records import text_format

_CALL = re.compile(r"\bwp\.((?:tile_)?atomic_\w+)\(")
_IN_PLACE = re.compile(r"([A-Za-z_]\w*)\[[^\]=]*\] (?:\+|-)= ")
_NO_CODE = re.compile(r"\"(?:\\.|[^\"\\])*\"?|'(?:\\.|[^'\\])*'?|#.*")
"""Strings and comments of Python."""

_ATOMIC_TYPES = r"wp::(?:u?int(?:32|64)|float(?:32|64))"
"""The types of elements for which Warp adds in place with an atomic function."""


def plain_atomic(text: str) -> str | None:
    """Return the first line of Python that a forward text does not compute atomically, or None."""
    return next((line for line, statements in _quoted(text) if _is_plain(line, statements, text)), None)


def _quoted(text: str) -> Iterator[tuple[str, str]]:
    """Yield each line of Python that the text quotes, with its statements up to the next quotation or the end of a function.

    The text quotes the lines of a longer statement one by one, and not all of them; they count as one up to the last bracket.
    """
    quotation, statements = "", list[str]()
    for line in text.split("\n"):
        match = text_format.PYTHON_COMMENT.match(line)
        if match and quotation and _is_open(quotation):
            quotation += f" {_NO_CODE.sub('', match[2])}"
        elif match or line == "}":
            if quotation:
                yield quotation, "\n".join(statements)
            quotation, statements = _NO_CODE.sub("", match[2]) if match else "", []
        elif quotation:
            statements.append(line)


def _is_open(code: str) -> bool:
    return any(code.count(left) > code.count(right) for left, right in ("()", "[]", "{}"))


def _is_plain(line: str, statements: str, text: str) -> bool:
    if any(name.removeprefix("tile_") not in statements for name in _CALL.findall(line)):
        return True
    added = _IN_PLACE.match(line)
    if added is None or f"wp::array_store(var_{added[1]}," not in statements:
        return False
    types = re.findall(rf"^\s+wp::array_t<(.+)> var_{added[1]}(?:[,)]| =)", text, re.MULTILINE)
    builtin = "= wp::add(" in statements or "= wp::sub(" in statements
    return builtin and bool(types) and all(re.fullmatch(_ATOMIC_TYPES, ctype) for ctype in types)
