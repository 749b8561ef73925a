"""Edits of one line of generated CUDA text, by kind: of the values that it computes, of adjoints, and slips."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from warpsmith.scoring.mutants import edits, slips
from warpsmith.scoring.mutants.text import Function, Statement, functions

FORWARD: dict[str, edits.Edit] = {
    "operator": edits.operator,
    "index": edits.index,
    "constant": edits.constant,
    "branch": edits.branch,
    "loop bound": edits.loop_bound,
    "argument order": edits.argument_order,
    "dropped statement": edits.dropped,
}
"""Edits to statements that compute values, by kind."""

BACKWARD: dict[str, edits.Edit] = {
    "dropped adjoint": edits.dropped_adjoint,
    "swapped adjoint": edits.swapped_adjoint,
    "other adjoint": edits.other_adjoint,
    "dropped reset": edits.dropped_reset,
}
"""Edits to statements that compute adjoints, by kind; edits of kind `REPLAYED` change a line of the replayed forward pass."""

REPLAYED = "replayed line"

SLIPS: dict[str, edits.Edit] = {
    "missing semicolon": slips.missing_semicolon,
    "undeclared variable": slips.undeclared_variable,
    "function name": slips.function_name,
    "type": slips.wrong_type,
    "argument count": slips.argument_count,
    "missing atomic": slips.missing_atomic,
}
"""Slips of authors, by kind. Compilers reject nearly all of them, except a missing atomic."""


@dataclass(frozen=True, slots=True)
class LineEdit:
    """One edit of a text.

    Attributes:
        kind: a key of `FORWARD`, `BACKWARD` or `SLIPS`, or `REPLAYED`.
        edit: the kind of edit to a replayed line; otherwise equal to ``kind``.
        line: the number of the line, from 0.
        before: the line without its indentation; ``after`` is the new one, or None if the line is removed.
    """

    kind: str
    edit: str
    line: int
    before: str
    after: str | None


def line_edits(text: str, is_adjoint: bool) -> Iterator[LineEdit]:
    """Yield the edits of the values or adjoints that a text computes; nearly all of the results compile."""
    for function, statement in _statements(text):
        for kind, edit, after in _value_edits(statement, function, is_adjoint):
            if after != statement.code:
                yield LineEdit(kind, edit, statement.line, statement.code, after)


def slip_edits(text: str) -> Iterator[LineEdit]:
    """Yield the slips in a text."""
    for function, statement in _statements(text):
        for kind, edit in SLIPS.items():
            for after in edit(statement, function):
                yield LineEdit(kind, kind, statement.line, statement.code, after)


def _statements(text: str) -> Iterator[tuple[Function, Statement]]:
    return ((function, statement) for function in functions(text) for statement in function.statements)


def _value_edits(statement: Statement, function: Function, is_adjoint: bool) -> Iterator[tuple[str, str, str | None]]:
    if not statement.adjoint:
        for name, edit in FORWARD.items():
            for after in edit(statement, function):
                yield REPLAYED if is_adjoint else name, name, after
    elif is_adjoint:
        for name, edit in BACKWARD.items():
            for after in edit(statement, function):
                yield name, name, after


def replaced_line(text: str, number: int, after: str | None) -> str:
    """Return a text with another content of a line, which keeps its indentation; None empties the line."""
    lines = text.split("\n")
    indentation = lines[number][: len(lines[number]) - len(lines[number].lstrip())]
    lines[number] = indentation + after if after is not None else ""
    return "\n".join(lines)
