"""Substitution keeps the results of functions: both forms run in Python on the same values."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from warpsmith.core.descriptions.substitution import LONGEST, substitute

FUNCTIONS = {
    "values move to their use": ("a = x[0] * 2.0\nb = a + 1.0\nx[1] = b", 1),
    "a store between": ("a = x[0]\nx[0] = 5.0\nx[1] = a", 3),
    "a change in place between": ("s = 1.0\na = s * x[0]\ns += 3.0\nx[1] = a + s", 4),
    "a use in a loop": ("a = x[0]\nfor i in range(3):\n    x[0] += a\n    x[1] = x[0] * 2.0", 2),
    "a use in a branch": ("a = x[0] - 1.0\nif x[1] > 0.0:\n    x[0] = 3.0\n    x[2] = a", 2),
    "conditions": ("a = x[0]\nb = a > 0.0\nif b:\n    x[2] = 1.0\nelse:\n    x[2] = 2.0", 1),
    "order of operations": ("a = x[0] + 1.0\nb = a * x[1]\nx[2] = -b", 1),
    "ends of loops": ("n = int(x[0])\ns = 0.0\nfor i in range(n):\n    s += x[i]\nx[2] = s", 3),
    "functions that change arrays": ("a = bump(x)\nb = x[0]\nx[1] = a + b", 2),
    "an index": ("k = 1\nx[k] = x[0] + 3.0", 1),
    "a value before a function that changes arrays": ("a = x[0]\nb = bump(x)\nx[2] = a * b", 3),
}
"""Statements, and the number of statements after substitution."""


def results(body: list[ast.stmt]) -> list[float]:
    """Run statements on an array of floats and return it."""

    def bump(array: list[float]) -> float:
        array[0] += 10.0
        return array[0]

    x = [2.0, 3.0, -1.0]
    module = ast.fix_missing_locations(ast.Module(body, []))
    exec(compile(module, "kernel.py", "exec"), {"x": x, "bump": bump})  # noqa: S102 - texts of this file
    return x


@pytest.mark.parametrize("name", FUNCTIONS)
def test_results_are_the_same(name: str) -> None:
    code, count = FUNCTIONS[name]
    body = ast.parse(code).body
    substituted = substitute(body, {"bump"})
    assert results(substituted) == results(body)
    assert len(substituted) == count


def test_the_statements_are_not_changed() -> None:
    body = ast.parse(FUNCTIONS["order of operations"][0]).body
    before = [ast.dump(statement) for statement in body]
    substitute(body)
    assert [ast.dump(statement) for statement in body] == before


def test_long_expressions_stay_in_parts() -> None:
    body = ast.parse(dedent(f"a = {' + '.join(['x[0]'] * 12)}\nx[1] = a * a_second\n")).body
    assert len(ast.unparse(body[0])) > LONGEST
    assert len(substitute(body)) == 2
