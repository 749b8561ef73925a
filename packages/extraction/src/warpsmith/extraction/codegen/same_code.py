"""Comparison of generated texts as code, which checks that an extracted kernel is still the kernel of its project.

The text of a kernel quotes its source lines and numbers its helper functions in the order in which the process created them.
Both change when the kernel moves to another file, as do the names of objects defined inside functions, and names that a
project or `standalone` chose because two objects had one name. The code must not change: the texts are equal up to comments,
white space, the quoted Python of assertions, and a one-to-one renaming of the functions, structures and kernels that they
define.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain, zip_longest
from typing import NamedTuple

from warpsmith.core.records import text_format
from warpsmith.core.records.ir import Code

_LINE = re.compile(r"[^\n]+")

_ASSERTED = "assert(((void)"
_ASSERTION = re.compile(re.escape(_ASSERTED) + r'"(?:[^"\\\n]|\\.)*"')
"""What Warp makes of an assertion, with the Python of it."""


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
    differing = [(line, other) for line, other in zip_longest(_lines(left), _lines(right), fillvalue="") if line != other]
    if not differing:
        return True
    names, other_names, renaming = _defined_names(left), _defined_names(right), _Renaming({}, {})

    def is_renamed(tokens: Iterable[str], renamed: Iterable[str]) -> bool:
        return all(
            renaming.allows(names[token], other_names[other]) if token in names and other in other_names
            else token == other and token not in names and other not in other_names
            for token, other in zip_longest(tokens, renamed, fillvalue="")
        )  # fmt: skip

    if all(is_renamed(_TOKENS(line), _TOKENS(other)) for line, other in differing):
        changed = {name for name in names.keys() | other_names.keys() if not is_renamed([name], [name])}
        equal = (line for line, other in zip(_lines(left), _lines(right), strict=False) if line == other)
        return not _occur(changed, equal)
    renaming = _Renaming({}, {})
    return is_renamed(_tokens(left), _tokens(right))  # the code may be divided into other lines


def _occur(names: set[str], lines: Iterable[str]) -> bool:
    """Return whether one of the names is a token of one of the lines."""
    if not names:
        return False
    search = re.compile("|".join(map(re.escape, names))).search
    return any(search(line) and not names.isdisjoint(_TOKENS(line)) for line in lines)


_TOKENS = text_format.TOKEN.findall


def _lines(code: Code) -> Iterator[str]:
    """Yield the lines that have more than a comment, without comments and without the Python of assertions."""
    for text in (code.forward_code, code.backward_code or ""):
        for match in _LINE.finditer(text):
            line = match.group()
            if "//" not in line or (line := text_format.LINE_COMMENT.sub("", line)):
                yield line if _ASSERTED not in line else _ASSERTION.sub(_ASSERTED, line)


def _tokens(code: Code) -> Iterator[str]:
    return chain.from_iterable(map(_TOKENS, _lines(code)))


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
    candidates = (line for line in _lines(code) if line.endswith("(") or line.startswith("struct "))
    definitions = filter(None, map(text_format.DEFINITION.match, candidates))
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
