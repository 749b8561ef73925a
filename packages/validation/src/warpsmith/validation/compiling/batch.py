"""Compilation of many parts at once: parts with errors are identified, and the other parts compile without them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from warpsmith.validation.sandbox.machine import MachineProblem, machine_words

_KEY = re.compile(r"\bK\d+\b")
_ERROR = re.compile(r"error\s*:", re.IGNORECASE)


class Keyed(Protocol):
    """A part of a unit; compilers report its errors under its key."""

    @property
    def key(self) -> str:
        """The letter K and a number, unique in the unit."""


PartT = TypeVar("PartT", bound=Keyed)


class CompileError(Exception):
    """The compiler rejected a unit; the message is its log."""


def rejection(log: str) -> CompileError | MachineProblem:
    """Return the error that a compiler's log describes: a part is wrong, or the machine lacks something."""
    problem = machine_words(log)
    return CompileError(log) if problem is None else MachineProblem(f"the compiler stopped: {problem}")


def compile_parts(parts: Sequence[PartT], compile_unit: Callable[[Sequence[PartT]], None]) -> dict[str, str]:
    """Compile ``parts`` together, drop parts with errors until the rest compiles, and return the errors by key.

    If ``compile_unit`` writes a result, the last successful call has written the final one.

    Args:
        parts: the texts.
        compile_unit: compiles some of the parts as one unit.
    """
    errors: dict[str, str] = {}
    remaining = list(parts)
    while remaining:
        try:
            compile_unit(remaining)
        except CompileError as failure:
            named = _by_key(str(failure), {part.key for part in remaining})
            # An open brace in one text causes an error in the next text: only parts that fail alone are dropped.
            failing = _one_by_one([part for part in remaining if part.key in named], compile_unit)
            failing = failing or _one_by_one(remaining, compile_unit)
            if not failing:
                keys = named or {part.key for part in remaining}
                failing = dict.fromkeys(sorted(keys), f"only together with others: {first_error(str(failure))}")
            errors |= failing
            remaining = [part for part in remaining if part.key not in failing]
            continue
        break
    return errors


def _one_by_one(parts: Sequence[PartT], compile_unit: Callable[[Sequence[PartT]], None]) -> dict[str, str]:
    """Return the errors of the parts that do not compile alone, by key."""
    errors = {}
    for part in parts:
        try:
            compile_unit([part])
        except CompileError as failure:
            errors[part.key] = first_error(str(failure))
    return errors


def _by_key(log: str, keys: set[str]) -> set[str]:
    """Return the keys that a log names with an error; an error in a header belongs to the text that uses the header."""
    named: set[str] = set()
    lines = log.splitlines()
    starts = [number for number, line in enumerate(lines) if _ERROR.search(line)]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        # Clang prints the path from a header to the text in notes after the error, GCC-like compilers before it.
        mentioned = [key for line in lines[start:end] for key in _KEY.findall(line) if key in keys]
        named.update(mentioned[:1])
    return named


def first_error(log: str) -> str:
    """Return the first line of a log that reports an error."""
    lines = log.splitlines()
    return next((_message(line) for line in lines if _ERROR.search(line)), "the compiler gave no message")


def _message(line: str) -> str:
    return _KEY.sub("line", line.strip())[:300]
