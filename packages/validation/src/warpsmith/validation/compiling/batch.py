"""Compilation of many parts at once: parts that fail alone are identified, and the other parts compile without them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from warpsmith.validation.confinement.machine_problems import MachineProblem, machine_words

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


def compile_parts(
    parts: Sequence[PartT],
    compile_unit: Callable[[Sequence[PartT]], None],
    keep: Callable[[Sequence[PartT]], None] = lambda _: None,
) -> dict[str, str]:
    """Compile ``parts`` in as few units as possible, and return the errors by key.

    A part has an error only if it fails alone. Parts that compile alone but not together are divided among smaller units.

    Args:
        parts: the texts.
        compile_unit: compiles some of the parts as one unit.
        keep: receives each unit that is a part of the result, directly after its compilation.
    """
    errors: dict[str, str] = {}
    alone: set[str] = set()
    waiting = [list(parts)]
    while waiting:
        if not (unit := waiting.pop()):
            continue
        try:
            compile_unit(unit)
        except CompileError as failure:
            failing = _failing(unit, str(failure), compile_unit, alone)
            remaining = [part for part in unit if part.key not in failing]
            errors |= failing
            middle = 0 if failing else (len(remaining) + 1) // 2
            waiting += [remaining[middle:], remaining[:middle]]
        else:
            keep(unit)
    return errors


def _failing(
    unit: Sequence[PartT], log: str, compile_unit: Callable[[Sequence[PartT]], None], alone: set[str]
) -> dict[str, str]:
    """Return the errors of the parts of a unit that fail alone, by key; those that compile are added to ``alone``."""
    if len(unit) == 1:
        return {unit[0].key: first_error(log)}
    named = _by_key(log, {part.key for part in unit})
    # An open brace in one text causes an error in the next text.
    suspects = [part for part in unit if part.key in named], unit
    for group in suspects:
        errors = {}
        for part in group:
            if part.key in alone:
                continue
            try:
                compile_unit([part])
            except CompileError as failure:
                errors[part.key] = first_error(str(failure))
            else:
                alone.add(part.key)
        if errors:
            return errors
    return {}


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
