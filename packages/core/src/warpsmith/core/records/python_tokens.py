"""The tokens of Python as texts: as `tokenize` finds them, in a third of its time where a text has common forms only."""

from __future__ import annotations

import re
import token
import tokenize
from typing import NamedTuple

from warpsmith.core.records.python_source import tokenize_python

NEWLINE, INDENT, DEDENT = "<newline>", "<indent>", "<dedent>"
"""The tokens of the end of a statement, and of the start and the end of a block."""

_LEFT_OUT = {tokenize.NL, tokenize.ENDMARKER}
_LAYOUT = {tokenize.NEWLINE: NEWLINE, tokenize.INDENT: INDENT, tokenize.DEDENT: DEDENT}

_UNCOMMON = re.compile(r"""[^\n -~] | [\\$?`] | !(?!=) | \b(?:f|fr|rf)["']""", re.VERBOSE | re.IGNORECASE)
"""What `split_tokens` leaves to `tokenize`: strings with fields, escapes, continued lines, tabs and other alphabets."""

_DIGITS = "[0-9](?:_?[0-9])*"
_OPERATORS = "|".join(re.escape(text) for text in sorted(token.EXACT_TOKEN_TYPES, reverse=True))
_TOKEN = re.compile(
    rf"""
    \ * (
      \n\ *
    | \#[^\n]*
    | (?:[uU]|[bB][rR]?|[rR][bB]?)?
      (?: \"\"\"[^"]*(?:"{{1,2}}[^"]+)*\"\"\" | '''[^']*(?:'{{1,2}}[^']+)*''' | "[^"\n]*" | '[^'\n]*' )
    | 0[xX](?:_?[0-9a-fA-F])+ | 0[bB](?:_?[01])+ | 0[oO](?:_?[0-7])+
    | (?:{_DIGITS}\.(?:{_DIGITS})?|\.{_DIGITS})(?:[eE][-+]?{_DIGITS})?[jJ]?
    | {_DIGITS}[eE][-+]?{_DIGITS}[jJ]? | {_DIGITS}[jJ] | 0(?:_?0)* | [1-9](?:_?[0-9])*
    | {_OPERATORS}
    | \w+
    | ["']
    )
    """,
    re.VERBOSE | re.ASCII,
)

_CLOSING = {"(": ")", "[": "]", "{": "}"}


class Tokens(NamedTuple):
    """The tokens of a text, among them `NEWLINE`, `INDENT` and `DEDENT`, and its comments."""

    texts: list[str]
    comments: list[str]


def split_tokens(source: str) -> Tokens:
    r"""Return the tokens of Python.

    Raises:
        NotPythonError: if Python cannot read the text as tokens.

    Examples:
        >>> split_tokens("if x:\n    y = 1  # one\n")
        Tokens(texts=['if', 'x', ':', '<newline>', '<indent>', 'y', '=', '1', '<newline>', '<dedent>'], comments=['# one'])
    """
    found = None if _UNCOMMON.search(source) else _common_tokens(source)
    return found or _all_tokens(source)


def _all_tokens(source: str) -> Tokens:
    tokens = tokenize_python(source)
    comments = [found.string for found in tokens if found.type == tokenize.COMMENT]
    kept = [found for found in tokens if found.type not in _LEFT_OUT and found.type != tokenize.COMMENT]
    return Tokens([_LAYOUT.get(found.type, found.string) for found in kept], comments)


def _common_tokens(source: str) -> Tokens | None:
    """Return the tokens of a text without uncommon forms, or None if it is not well formed."""
    texts: list[str] = []
    comments: list[str] = []
    indents, closing = [0], list[str]()
    column, in_statement = 0, False
    for text in _TOKEN.findall(f"\n{source}"):
        first = text[0]
        if first == "\n":
            if closing:
                continue
            if in_statement:
                texts.append(NEWLINE)
                in_statement = False
            column = len(text) - 1
        elif first == "#":
            comments.append(text)
        else:
            if not in_statement:
                if column != indents[-1] and not _change_indent(column, indents, texts):
                    return None
                in_statement = True
            texts.append(text)
            if text in _CLOSING:
                closing.append(_CLOSING[text])
            elif first in ")]}" and (not closing or closing.pop() != text):
                return None
    if closing or not {'"', "'"}.isdisjoint(texts):
        return None
    if in_statement:
        texts.append(NEWLINE)
    texts += [DEDENT] * (len(indents) - 1)
    return Tokens(texts, comments)


def _change_indent(column: int, indents: list[int], texts: list[str]) -> bool:
    """Add the tokens of a change of the indentation; return False for a column that no open block has."""
    if column > indents[-1]:
        indents.append(column)
        texts.append(INDENT)
        return True
    while column < indents[-1]:
        indents.pop()
        texts.append(DEDENT)
    return column == indents[-1]
