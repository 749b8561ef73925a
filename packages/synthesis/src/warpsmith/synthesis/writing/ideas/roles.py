"""Roles of arrays: what a kernel reads, writes, or changes in place follows from its text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Sequence
from typing import Literal, TypeAlias

from warpsmith.synthesis.writing.ideas.notation import INDENT, PARAMETER

Role: TypeAlias = Literal["input", "output", "inout"]

_WRITE = re.compile(
    r"^\s*{(\w+)}\[[^\n]*?\](\.\w+|\[[^\n=]*\])? ([-+*/|&^]?)= |wp\.(?:tile_)?atomic_\w+\({(\w+)},", re.MULTILINE
)
_TILE_STORE = re.compile(r"wp\.tile_store(?:_indexed)?\({(\w+)},")
_INDEXED = re.compile(r"{(\w+)}(\[)?")
_ATOMIC = re.compile(r"wp\.atomic_\w+\($")


def find_roles(lines: Sequence[str]) -> dict[str, Role]:
    """Return the role of each parameter that ``lines`` name; an array that is only stored to is an output."""
    text = "\n".join(lines)
    roles: dict[str, Role] = dict.fromkeys(PARAMETER.findall(text), "input")
    stores: Counter[str] = Counter(_TILE_STORE.findall(text))
    changed: set[str] = set()
    for stored, part, operator, atomic in _WRITE.findall(text):
        if atomic or operator or part:
            changed.add(atomic or stored)
        else:
            stores[stored] += 1
    for key in stores.keys() | changed:
        is_only_stored = key not in changed and text.count(f"{{{key}}}") == stores[key]
        roles[key] = "output" if is_only_stored else "inout"
    return roles


def can_batch(arrays: Container[str], lines: Sequence[str]) -> bool:
    """Return whether each of ``arrays`` is only accessed by index, so that a leading index can be added."""
    for line in lines:
        for match in _INDEXED.finditer(line):
            if match[1] in arrays and not match[2] and not _ATOMIC.search(line[: match.start()]):
                return False
    return True


def find_nested(lines: Sequence[str]) -> set[str]:
    """Return the keys that lines of nested blocks name more than once; an ``elif`` is an ``if`` inside an ``else``.

    Warp may read a module constant without a value after it was used in both branches of a nested ``if``, see
    `notes/explanation/warp_findings.md`: such constants are literals.
    """
    counts: Counter[str] = Counter()
    branches: list[int] = []
    for line in filter(str.strip, lines):
        text = line.lstrip()
        indent = len(line) - len(text)
        while branches and branches[-1] >= indent:
            branches.pop()
        if branches or line.startswith(2 * INDENT) or text.startswith("elif "):
            counts.update(PARAMETER.findall(line))
        if text.startswith(("elif ", "else:")):
            branches.append(indent)
    return {key for key, count in counts.items() if count > 1}
