"""The parameters of the tests that run, so that a fixture prepares only what these tests use."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeVar

import pytest

T = TypeVar("T")


def selected(request: pytest.FixtureRequest, table: Mapping[str, T], always: Collection[str] = ()) -> dict[str, T]:
    """Return the rows of a table whose names are parameters of the tests of this module that run, in the table's order.

    Args:
        request: the request of a fixture of the module.
        table: rows by name.
        always: names that tests use without a parameter.
    """
    names = {value for values in selected_parameters(request) for value in values.values() if type(value) is str}
    return {name: row for name, row in table.items() if name in names or name in always}


def selected_parameters(request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    """Return the parameters, by name, of each test of this module that runs and has any."""
    tests = (item for item in request.session.items if isinstance(item, pytest.Function) and item.path == request.path)
    return [dict(test.callspec.params) for test in tests if hasattr(test, "callspec")]
