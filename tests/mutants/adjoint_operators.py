"""Further edits of the reverse pass, besides those of `warpsmith.scoring.mutants`: errors that compilers make in adjoints."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mutants.operators import called, component, successive
from warpsmith.scoring.mutants.cuda_edits import LineEdit
from warpsmith.scoring.mutants.edits import Edit
from warpsmith.scoring.mutants.text import Function, Statement, functions

SWAPPED_LINES = "swapped adjoint lines"
"""The kind of edits that exchange a line of the reverse pass and the next one; the new text of the line contains both."""

_SQUARE = re.compile(r"wp::mat_t<(\d), ?\1,")


def doubled(statement: Statement, _: Function) -> Iterator[str]:
    """Add a contribution twice."""
    if statement.call:
        yield f"{statement.code} {statement.code}"


def half_adjoint(statement: Statement, function: Function) -> Iterator[str]:
    """Round the adjoints that a line adds to to half precision."""
    for name in _written(statement):
        if function.types.get(name) == "wp::float32":
            yield f"{statement.code} {name} = wp::float32(wp::float16({name}));"


def other_variable(statement: Statement, function: Function) -> Iterator[str]:
    """Replace an operand, or the adjoint of one, by another variable of its type of the same kind."""
    arguments = statement.call[2] if statement.call else ()
    for position, name in enumerate(arguments):
        kind, prefix = function.types.get(name), name[:4]
        alike = [one for one in function.types if function.types[one] == kind and one.startswith(prefix)]
        others = [one for one in alike if one not in arguments]
        if others and kind and not re.search(r"\*|array_t|range_t|int|bool", kind):
            yield called(statement, [*arguments[:position], others[-1], *arguments[position + 1 :]])


def wrong_component(statement: Statement, function: Function) -> Iterator[str]:
    """Add the adjoint of a component to another component."""
    call = statement.call
    if call and call[1] == "wp::adj_extract":
        for position, argument in enumerate(call[2][1:], start=1):
            if argument.startswith("var_"):
                yield from component(statement, function, position)


def transposition(statement: Statement, function: Function) -> Iterator[str]:
    """Transpose the matrix in the adjoint of a product, or omit a transposition."""
    call = statement.call
    if call and call[1] == "wp::adj_mul" and _SQUARE.match(function.types.get(call[2][0], "")):
        yield called(statement, [f"wp::transpose({call[2][0]})", *call[2][1:]])
    if call and call[1] == "wp::adj_transpose" and _SQUARE.match(function.types.get(call[2][0], "")):
        yield called(statement, call[2]).replace("adj_transpose", "adj_copy", 1)


def _written(statement: Statement) -> tuple[str, ...]:
    """Return the adjoints of the operands of a line of the reverse pass."""
    adjoints = [one for one in (statement.call[2] if statement.call else ()) if one.startswith("adj_")]
    return tuple(dict.fromkeys(adjoints[:-1]))


EDITS: dict[str, Edit] = {
    "doubled adjoint": doubled,
    "half adjoint": half_adjoint,
    "other adjoint variable": other_variable,
    "adjoint component": wrong_component,
    "adjoint transposition": transposition,
}
"""Edits of one line of the reverse pass by kind; edits of the kind `SWAPPED_LINES` need the next line."""

KINDS = (*EDITS, SWAPPED_LINES)


def edits_of(text: str) -> Iterator[LineEdit]:
    """Yield the edits of the lines of a text that compute adjoints."""
    for function in functions(text):
        for statement, following in successive(function):
            if not statement.adjoint:
                continue
            for kind, edit in EDITS.items():
                for after in edit(statement, function):
                    yield LineEdit(kind, kind, statement.line, statement.code, after)
            if following is not None and _depends(statement, following):
                after = f"{following.code}\n{statement.code}"
                yield LineEdit(SWAPPED_LINES, SWAPPED_LINES, statement.line, statement.code, after)


def _depends(first: Statement, second: Statement) -> bool:
    """Return whether two lines of the reverse pass stand together, and the second one passes on what the first one adds."""
    if second.line != first.line + 1 or not second.adjoint or second.call is None:
        return False
    adjoints = [one for one in second.call[2] if one.startswith("adj_")]
    return bool(adjoints) and adjoints[-1] in _written(first)
