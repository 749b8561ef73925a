"""The compiled table of operations."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from warpsmith.simt.machine.native_code import NativeCode, load
from warpsmith.simt.operations import table

NATIVE = Path(__file__).parent / "native"
HEADERS = (table.HEADER, NATIVE / "lane_operations.h")
"""The headers of code that calls `load_operations`'s functions."""


@cache
def load_operations() -> NativeCode:
    """Return the compiled operations.

    They have the functions ``run_operation`` and ``common_operations`` of ``lane_operations.cpp``; operations are numbered as
    in `table.statements`.
    """
    text = (NATIVE / "lane_operations.cpp").read_text(encoding="utf-8")
    return load(text.replace('#include "statements.h"', _statements()), HEADERS, "operations")


def _statements() -> str:
    """Return a call of the macro ``COMMON`` or ``RARE`` for each statement."""
    common = table.common_statements()
    rows = enumerate(table.statements())
    return "\n".join(f"{'COMMON' if number < common else 'RARE'}({number}, {statement})" for number, statement in rows)
