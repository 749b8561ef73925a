"""Compiles many parts at once; those that are at fault are named, and the others compile without them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from warpsmith.validation.compiling.part import UnitPart

_KEY = re.compile(r"\bK\d+\b")
_ERROR = re.compile(r"error\s*:", re.IGNORECASE)


class CompileError(Exception):
    """The compiler refused a unit; the message is its log."""


def compile_parts(parts: Sequence[UnitPart], compile_unit: Callable[[Sequence[UnitPart]], None]) -> dict[str, str]:
    """Compile ``parts`` together until what is left compiles, and return the errors of the others by key.

    The last call of ``compile_unit`` that succeeds with more than nothing is the one that matters where it leaves a result.

    Args:
        parts: the texts.
        compile_unit: compiles some of them as one unit.
    """
    errors: dict[str, str] = {}
    left = list(parts)
    while left:
        try:
            compile_unit(left)
        except CompileError as failure:
            named = _by_key(str(failure), {part.key for part in left})
            # A text that leaves a brace open has its error told of the next: who is named has to fail alone, too.
            found = _one_by_one([part for part in left if part.key in named], compile_unit) or _one_by_one(left, compile_unit)
            if not found:
                to_blame = named or {part.key for part in left}
                found = dict.fromkeys(sorted(to_blame), f"only together with others: {first_error(str(failure))}")
            errors |= found
            left = [part for part in left if part.key not in found]
            continue
        break
    return errors


def _one_by_one(parts: Sequence[UnitPart], compile_unit: Callable[[Sequence[UnitPart]], None]) -> dict[str, str]:
    """The errors of those parts that do not compile alone, by key."""
    errors = {}
    for part in parts:
        try:
            compile_unit([part])
        except CompileError as failure:
            errors[part.key] = first_error(str(failure))
    return errors


def _by_key(log: str, keys: set[str]) -> set[str]:
    """The keys that a log names beside an error; an error in a header belongs to the text that led there."""
    found: set[str] = set()
    lines = log.splitlines()
    starts = [number for number, line in enumerate(lines) if _ERROR.search(line)]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        # clang tells the way from a header to the text in notes that follow, GCC-like compilers in lines before
        named = [key for line in lines[start:end] for key in _KEY.findall(line) if key in keys]
        found.update(named[:1])
    return found


def first_error(log: str) -> str:
    """The first line of a log that speaks of an error."""
    lines = log.splitlines()
    return next((_message(line) for line in lines if _ERROR.search(line)), "the compiler gave no message")


def _message(line: str) -> str:
    return _KEY.sub("line", line.strip())[:300]
