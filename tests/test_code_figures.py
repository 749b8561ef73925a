"""Figures of the packages' code that have a limit: untyped dictionaries and lengths of functions."""

from __future__ import annotations

import ast

from source_tree import modules, parsed

UNTYPED = "dict[str, Any]"
MAX_UNTYPED = 40
"""The maximum number of lines that contain an untyped dictionary. Values that functions exchange have types."""

LONGEST_FUNCTION = 50
LONG_FUNCTIONS = {
    # function: why it has more than LONGEST_FUNCTION lines
    "synthesis.cli.make": "one parameter and one argument for each option of the command",
    "core.records.pair.from_ir": "one parameter, one line of documentation and one argument for each field of a record",
}


def long_functions() -> set[str]:
    """Return the functions with more than `LONGEST_FUNCTION` lines, from ``def`` to the last statement."""
    return {
        f"{module}.{node.name}"
        for module, path in modules().items()
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if (node.end_lineno or node.lineno) - node.lineno >= LONGEST_FUNCTION
    }


def test_data_that_travels_has_a_type() -> None:
    found = [
        f"{module}:{number}: {line.strip()}"
        for module, path in modules().items()
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if UNTYPED in line
    ]
    assert 0 < len(found) <= MAX_UNTYPED, "\n".join(found)


def test_long_functions_have_a_reason() -> None:
    assert long_functions() == set(LONG_FUNCTIONS)
