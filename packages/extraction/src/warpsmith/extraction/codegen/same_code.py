"""Comparison of generated texts as code, which checks that an extracted kernel is still the kernel of its project.

The text of a kernel quotes its source lines and numbers its helper functions in the order in which the process created them.
Both change when the kernel moves to another file, as do the names of objects defined inside functions, and names that a
project or `standalone` chose because two objects had one name. The code must not change: the texts are equal up to comments,
white space and a one-to-one renaming of the functions, structures and kernels that they define.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, zip_longest
from typing import NamedTuple

from warpsmith.core.records import text_format
from warpsmith.core.records.ir import Code

_LINE = re.compile(r"[^\n]+")


def same_code(left: Code, right: Code) -> bool:
    r"""Return whether two texts have the same code, forward and backward as one: backward code calls functions of forward code.

    Both are read line by line: texts of one kernel may have several megabytes, and lists of their tokens ten times as much.

    Examples:
        >>> step = Code("k", "// a.py:5\nvoid step_0(\nx) {}\nstep_0(y);", None)
        >>> same_code(step, Code("k", "// b.py:9\nvoid go_3(\nx) {}\ngo_3(y);", None))
        True
        >>> same_code(step, Code("k", "void step_0(\nx) {}\nstep_1(y);", None))
        False
    """
    if (left.backward_code is None) != (right.backward_code is None):
        return False
    if all(line == other for line, other in zip_longest(_lines(left), _lines(right))):
        return True
    names, other_names = _defined_names(left), _defined_names(right)
    renaming = _Renaming({}, {})
    return all(
        renaming.allows(names[token], other_names[other]) if token in names and other in other_names
        else token == other and token not in names and other not in other_names
        for token, other in zip_longest(_tokens(left), _tokens(right), fillvalue="")
    )  # fmt: skip


def _lines(code: Code) -> Iterator[str]:
    """Yield the lines that have more than a comment, without it."""
    for text in (code.forward_code, code.backward_code or ""):
        for match in _LINE.finditer(text):
            line = match.group()
            if "//" not in line or (line := text_format.LINE_COMMENT.sub("", line)):
                yield line


def _tokens(code: Code) -> Iterator[str]:
    return chain.from_iterable(map(text_format.TOKEN.findall, _lines(code)))


class _Name(NamedTuple):
    """The name of a definition in parts: ``adj_step_0`` belongs to ``step_0``."""

    prefix: str
    base: str
    suffix: str


class _Renaming(NamedTuple):
    """A one-to-one renaming of definitions, and its inverse."""

    renamed: dict[str, str]
    original: dict[str, str]

    def allows(self, name: _Name, other: _Name) -> bool:
        """Return whether ``name`` may become ``other``; the first pair of names decides about later ones."""
        return (
            (name.prefix, name.suffix) == (other.prefix, other.suffix)
            and self.renamed.setdefault(name.base, other.base) == other.base
            and self.original.setdefault(other.base, name.base) == name.base
        )


def _defined_names(code: Code) -> dict[str, _Name]:
    """Return the names of all functions and structures that ``code`` defines, and of what Warp derives from them, in parts."""
    definitions = filter(None, map(text_format.DEFINITION.match, _lines(code)))
    names = {name: _parts(name) for name in (match[1] or match[2] for match in definitions)}
    for name in list(names.values()):
        for prefix in text_format.NAME_PREFIXES:
            names.setdefault(prefix + name.base, _Name(prefix, name.base, ""))
    return names


def _parts(name: str) -> _Name:
    suffix = text_format.NAME_SUFFIX.search(name)
    base = name[: suffix.start()] if suffix else name
    prefix = next((prefix for prefix in text_format.NAME_PREFIXES if base.startswith(prefix)), "")
    return _Name(prefix, base.removeprefix(prefix), suffix.group() if suffix else "")
