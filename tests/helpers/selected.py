"""The parameters of the tests that run, so that a fixture prepares only what these tests use."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from inspect import signature
from typing import Any, TypeVar

import pytest

T = TypeVar("T")


def selected(request: pytest.FixtureRequest, table: Mapping[str, T], always: Collection[str] = ()) -> dict[str, T]:
    """Return the rows of a table whose names are parameters of the tests that run and use the fixture, in the table's order.

    Args:
        request: the request of a fixture of the module.
        table: rows by name.
        always: names that tests use without a parameter.
    """
    names = {value for values in selected_parameters(request) for value in values.values() if type(value) is str}
    return {name: row for name, row in table.items() if name in names or name in always}


def selected_parameters(request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    """Return the parameters, by name, of each test of this module that runs, has any, and uses the fixture.

    A test with the argument ``request`` may use it by its name.
    """
    tests = (item for item in request.session.items if isinstance(item, pytest.Function) and item.path == request.path)
    users = (
        test for test in tests if request.fixturename in test.fixturenames or "request" in signature(test.function).parameters
    )
    return [dict(test.callspec.params) for test in users if hasattr(test, "callspec")]
