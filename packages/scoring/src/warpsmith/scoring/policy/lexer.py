"""Tokens of C++ text, in linear time; text that a compiler might read differently is refused."""

from __future__ import annotations

import re
from dataclasses import dataclass

from warpsmith.scoring.policy.violation import Violation
from warpsmith.validation.allowlist.strings import hidden_character

MAX_LENGTH = 400_000
"""The longest text, in characters."""

NAME, NUMBER, STRING, PUNCTUATION, END = "name", "number", "string", "punctuation", "end"

LOOKAHEAD = 8
"""How many tokens beyond the current one the readers look at, or more."""

LINKAGE = '"C"'
"""The string of ``extern "C"``."""

_TOKEN = re.compile(
    r"""
      [ \t]+
    | (?P<lines>\n)
    | (?P<comment>//[^\n]*|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/)
    | (?P<digraph><%|%>|<:|:>|%:|\?\?)
    | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
    | (?P<number>(?:0[xX][0-9a-fA-F]+[uUlL]{0,3}|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?:[fF]|[uUlL]{1,3})?)(?![\w.']))
    | (?P<string>"(?:[^"\\\n?]|\\[nt"]|\?(?!\?))*")
    | (?P<punctuation>(?!/\*)(?:<<=|>>=|->|::|<=|>=|==|!=|&&|\|\||<<|\+\+|--|[-+*/%&|^]=|[-+*/%<>=!~?:;,.(){}\[\]&|^]))
    """,
    re.VERBOSE,
)

_ENDS_BEFORE_STRING = re.compile(r"\bextern\s+$|\bconst wp::str var_\w+ = $|\bassert\(\(\(void\)$")
"""What stands before the strings that Warp writes: linkage, constants and the Python of an assertion."""

_UNREADABLE = {
    "#": "a directive", "\\": "a backslash", "'": "a character literal", '"': "such a string", "/": "an unterminated comment",
}  # fmt: skip

_SPLICE = re.compile(r"(?:\\|\?\?/)[^\S\n]*(?:\n|\Z)")
"""A line that continues in the next one, even in a comment."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a text without comments, as lists of the same length that end with `LOOKAHEAD` empty tokens.

    The characters ``>>`` are two tokens, because they may close two lists of template arguments.

    Attributes:
        kinds: `NAME`, `NUMBER`, `STRING`, `PUNCTUATION` or `END`.
        texts: the tokens.
        lines: their line numbers.
    """

    kinds: list[str]
    texts: list[str]
    lines: list[int]


def tokenize(text: str) -> Tokens:
    """Return the tokens of a text.

    Raises:
        Violation: the text is too long, or contains directives, strings other than Warp's, or characters that some compilers
            read differently.
    """
    _check_characters(text)
    kinds: list[str] = []
    texts: list[str] = []
    lines: list[int] = []
    line = 1
    position = 0
    match = _TOKEN.match
    while found := match(text, position):
        position = found.end()
        kind = found.lastgroup
        if kind == "lines":
            line += 1
            continue
        if kind is None:
            continue
        token = found[0]
        if kind == "comment":
            line += token.count("\n")
            continue
        if kind == "digraph":
            raise Violation.at(line, f"the digraph or trigraph {token} is not allowed")
        if kind == STRING and not _ENDS_BEFORE_STRING.search(text, max(0, found.start() - 200), found.start()):
            raise Violation.at(line, "a string is not allowed here")
        kinds.append(kind)
        texts.append(token)
        lines.append(line)
    if position < len(text):
        raise Violation.at(line, _unreadable(text, position))
    kinds += [END] * LOOKAHEAD
    texts += [""] * LOOKAHEAD
    lines += [line] * LOOKAHEAD
    return Tokens(kinds, texts, lines)


def _check_characters(text: str) -> None:
    if len(text) > MAX_LENGTH:
        raise Violation(f"line 1: the text has {len(text):,} characters, more than {MAX_LENGTH:,}")
    if hidden := hidden_character(text):
        raise Violation(f"{hidden} is not allowed")
    if ("\\" in text or "??/" in text) and (splice := _SPLICE.search(text)):
        line = text.count("\n", 0, splice.start()) + 1
        raise Violation.at(line, "a backslash at the end of a line is not allowed")


def _unreadable(text: str, position: int) -> str:
    """Return what the lexer cannot read."""
    character = text[position]
    if character in _UNREADABLE:
        return f"{_UNREADABLE[character]} is not allowed"
    if not character.isascii():
        return f"the character U+{ord(character):04X} outside comments is not allowed"
    if character.isdigit() or character == ".":
        return f"the number {text[position : position + 20]!a} is not allowed"
    return f"the character {character!a} is not allowed"
