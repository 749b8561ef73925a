"""Comparison of generated texts as code, which checks that an extracted kernel is still the kernel of its project.

The text of a kernel quotes its source lines and numbers its helper functions in the order in which the process created them.
Both change when the kernel moves to another file, as do the names of objects defined inside functions, and names that a
project or `standalone` chose because two objects had one name. The code must not change: the texts are equal up to comments,
white space and a one-to-one renaming of the functions, structures and kernels that they define.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import NamedTuple

from warpsmith.core.records import text_format


def same_code(left: str | None, right: str | None) -> bool:
    r"""Return whether two texts have the same code; None is equal to None only.

    Examples:
        >>> same_code("// a.py:5\nvoid step_0(\nx) {}\nstep_0(y);", "// b.py:9\nvoid go_3(\nx) {}\ngo_3(y);")
        True
        >>> same_code("void step_0(\nx) {}\nstep_0(y);", "void step_0(\nx) {}\nstep_1(y);")
        False
    """
    if left is None or right is None:
        return left is right
    left, right = (text_format.LINE_COMMENT.sub("", text) for text in (left, right))
    if left == right:
        return True
    names, other_names = _defined_names(left), _defined_names(right)
    renaming = _Renaming({}, {})
    tokens = zip_longest(text_format.TOKEN.findall(left), text_format.TOKEN.findall(right), fillvalue="")
    return all(
        renaming.allows(names[token], other_names[other]) if token in names and other in other_names
        else token == other and token not in names and other not in other_names
        for token, other in tokens
    )  # fmt: skip


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


def _defined_names(text: str) -> dict[str, _Name]:
    """Return the names of all functions and structures that ``text`` defines, and of what Warp derives from them, in parts."""
    found = {function or structure: None for function, structure in text_format.DEFINITION.findall(text)}
    names = {name: _parts(name) for name in found}
    for name in list(names.values()):
        for prefix in text_format.NAME_PREFIXES:
            names.setdefault(prefix + name.base, _Name(prefix, name.base, ""))
    return names


def _parts(name: str) -> _Name:
    suffix = text_format.NAME_SUFFIX.search(name)
    base = name[: suffix.start()] if suffix else name
    prefix = next((prefix for prefix in text_format.NAME_PREFIXES if base.startswith(prefix)), "")
    return _Name(prefix, base.removeprefix(prefix), suffix.group() if suffix else "")
