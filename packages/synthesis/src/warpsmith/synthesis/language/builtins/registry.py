"""The row of each builtin, and the types of its results."""

from __future__ import annotations

from functools import cache

from warpsmith.synthesis.language.builtins import linear, scalar
from warpsmith.synthesis.language.builtins.rows import Row
from warpsmith.synthesis.language.overloads import signatures
from warpsmith.synthesis.language.types import Type

ROWS: dict[str, Row] = {row.key: row for row in (*scalar.ROWS, *linear.ROWS)}


@cache
def result_type(key: str, arguments: tuple[Type, ...]) -> Type | None:
    """Return the result type of a builtin for these argument types, or None if it has no such overload."""
    return signatures(key).get(arguments)
