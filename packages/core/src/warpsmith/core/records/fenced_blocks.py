"""Fenced code blocks of a completion, outside of the thoughts that a model writes before its answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_OPENING = re.compile(r"(?P<indent> *)(?P<fence>`{3,}(?=[^`]*$)|~{3,})(?P<info>.*)", re.DOTALL)
"""A line that opens a fenced block, as in CommonMark: backticks behind the fence make the line inline code instead. Fences may
be indented as in lists."""

_TAG = r"(?:<(?i:/?(?:think|thinking|thought|reasoning))>|\[/?THINK\])"
_THOUGHT = re.compile(rf"(?!(?<=`){_TAG}`){_TAG}")
"""A tag around thoughts, unless it is quoted as inline code."""

_WORD = re.compile(r"[^\s,;:{}()\[\]|\"']+")
_LANGUAGE_ATTRIBUTE = re.compile(r"(?:lang|language)=")


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block.

    Attributes:
        mark: the word behind the opening fence that names the language, in lower case; empty if there is none.
        text: the content.
    """

    mark: str
    text: str


def normalized(completion: str) -> str:
    r"""Return a completion with the line ends of Unix and without a byte order mark.

    Examples:
        >>> normalized("\ufeffx = 1\r\ny = 2\r")
        'x = 1\ny = 2\n'
    """
    return completion.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def without_thoughts(text: str) -> list[str]:
    r"""Return the lines of a text that are no thoughts.

    Thoughts begin at ``<think>`` outside of a fenced block and end at ``</think>``, or with the text. If a text contains only
    the end of a thought, the beginning belongs to the prompt, and all before it is thoughts.

    Examples:
        >>> without_thoughts("<think>\nx = 1\n</think>\nx = 2\n")
        ['\n', 'x = 2\n']
        >>> without_thoughts("x = 1\n</think>x = 2\n")
        ['x = 2\n']
    """
    kept: list[str] = []
    closing: re.Pattern[str] | None = None
    is_thought = False
    for line in lines_of(text):
        rest, start = "", 0
        for tag in _THOUGHT.finditer(line):
            if tag[0][1] == "/":
                if not is_thought:
                    kept.clear()
                    rest = ""
                is_thought, closing, start = False, None, tag.end()
            elif not is_thought and closing is None:
                is_thought, rest = True, rest + line[start : tag.start()]
        if not is_thought:
            rest += line[start:]
        if rest:
            kept.append(rest)
            closing = _next_closing(rest, closing)
    return kept


def _next_closing(line: str, closing: re.Pattern[str] | None) -> re.Pattern[str] | None:
    """Return what closes the block that is open after a line, given what closes the one that is open before it."""
    line = line.rstrip("\n")
    if closing is not None:
        return None if closing.fullmatch(line) else closing
    opening = _OPENING.fullmatch(line)
    return None if opening is None else _closing(opening)


def blocks(lines: list[str]) -> Iterator[Block]:
    """Yield the fenced blocks, by the rules of CommonMark for the block that contains the fence."""
    remaining = iter(lines)
    for line in remaining:
        opening = _OPENING.fullmatch(line.rstrip("\n"))
        if opening is None:
            continue
        closing, indent = _closing(opening), len(opening["indent"])
        content = []
        for inner in remaining:
            if closing.fullmatch(inner.rstrip("\n")):
                break
            content.append(inner[min(indent, len(inner) - len(inner.lstrip(" "))) :])
        yield Block(_mark(opening["info"]), "".join(content).removeprefix("\ufeff"))


def _closing(opening: re.Match[str]) -> re.Pattern[str]:
    fence = opening["fence"]
    return re.compile(rf" {{0,{len(opening['indent']) + 3}}}{fence[0]}{{{len(fence)},}}[ \t]*")


def lines_of(text: str) -> list[str]:
    """Return the lines with their ends; `str.splitlines` would also split at characters that strings of code may contain."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _mark(info: str) -> str:
    """Return the first word behind a fence that is no attribute, in lower case.

    Examples:
        >>> [_mark(info) for info in ("{.python}", 'title="x" cuda', "cuda:kernel.cu", "lang=cuda")]
        ['python', 'cuda', 'cuda', 'cuda']
    """
    words = _WORD.findall(_LANGUAGE_ATTRIBUTE.sub("", re.sub(r"""(?<==)("[^"]*"|'[^']*')""", "", info)))
    return next((word.lstrip(".").lower() for word in words if "=" not in word), "")
