"""The rule of a description: every kind of statement in words."""

from __future__ import annotations

import pytest

from warpsmith.synthesis.language.layout.statement_text import split_commas
from warpsmith.synthesis.writing.ideas.narrate import describe_rule


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["x = wp.sin(y)"], "x = sin(y)"),
        (["a[i, j] = b"], "set a[i, j] to b"),
        (["a[b[i]] = c"], "set a[b[i]] to c"),
        (["s += x[i]"], "add x[i] to s"),
        (["s *= 2.0"], "multiply s by 2.0"),
        (["out[i] -= f"], "subtract f from out[i]"),
        (["wp.atomic_add(f, i, wp.vec3(1.0, 2.0, 3.0))"], "atomically add vec3(1.0, 2.0, 3.0) to f[i]"),
        (["k = wp.atomic_add(c, 0, 1)"], "atomically add 1 to c[0], keeping the value before as k"),
        (["if a < b:", "    return"], "if a < b: (stop)"),
        (["if a:", "    x = 1", "elif b:", "    x = 2"], "if a: (x = 1); otherwise if b: (x = 2)"),
        (["if a:", "    x = 1", "else:", "    x = 3"], "if a: (x = 1); otherwise: (x = 3)"),
        (["for k in range(n):", "    continue"], "for k from 0 to n - 1: (go to the next iteration)"),
        (["for k in range(a, wp.min(b, c)):", "    break"], "for k from a to before min(b, c): (leave the loop)"),
        (["for k in range(0, n, 2):", "    s += k"], "for k from 0 to before n in steps of 2: (add k to s)"),
        (["# why", "", '"""doc"""', "return x"], "the result is x"),
    ],
)  # fmt: skip
def test_statements_in_words(lines: list[str], expected: str) -> None:
    assert describe_rule(lines) == expected


def test_arguments_are_split_outside_of_brackets() -> None:
    assert split_commas("a, f(b, c), d[e, g]") == ["a", "f(b, c)", "d[e, g]"]
