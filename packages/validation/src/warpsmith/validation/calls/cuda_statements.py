"""Statements that a CUDA compiler accepts: each form of a statement is compiled once for each combination of types."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set

from warpsmith.validation.calls.statement_table import MAX_STATEMENTS, Entry, Signature
from warpsmith.validation.compiling.batch import compile_parts

Subjects = Set[str | Signature]
"""Types and statements."""

INDEX = "_idx"
"""The name that macros have for the number of the thread in CUDA texts."""

_HELPER = """
template <typename T> void warpsmith_describe(size_t*, char*, char*)
{
    T undefined;
    T empty = {};
}
"""


class CudaStatements:
    """The types and statements that a CUDA compiler accepts.

    Args:
        opening: the text before all statements, which ends the precompiled headers.
        compile_unit: compiles a text, or raises `CompileError`.
    """

    def __init__(self, opening: str, compile_unit: Callable[[str], None]) -> None:
        self._opening, self._compile_unit = opening, compile_unit
        self._accepted: dict[str | Signature, bool] = {}

    def accepted(self, texts: Mapping[str, Subjects]) -> set[str]:
        """Return the keys of the texts whose types and statements are all accepted.

        Args:
            texts: the types and statements of each text.
        """
        self._add(subject for subjects in texts.values() for subject in subjects)
        found = {key for key, subjects in texts.items() if all(self._accepted[subject] for subject in subjects)}
        if len(self._accepted) > MAX_STATEMENTS:
            self._accepted.clear()
        return found

    def _add(self, subjects: Iterable[str | Signature]) -> None:
        """Compile what has not been compiled yet; the order, and with it the unit, is the same in every process."""
        new = sorted({subject for subject in subjects if subject not in self._accepted}, key=repr)
        entries = [Entry.of(f"K{number}", subject, INDEX) for number, subject in enumerate(new)]

        def compile_entries(unit: Sequence[Entry]) -> None:
            self._compile_unit(f"{self._opening}{_HELPER}{''.join(entry.text for entry in unit)}")

        errors = compile_parts(entries, compile_entries)
        self._accepted |= {entry.subject: entry.key not in errors for entry in entries}
