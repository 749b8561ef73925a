"""Skeletons depend on the kinds of statements, their order and nesting, and on nothing else."""

from __future__ import annotations

import ast

import pytest

from warpsmith.validation.statistics.realism.skeletons import skeleton, summarize

SOURCE = '''def k(x, out, n):
    """Scale the positive elements."""
    i = wp.tid()
    if i >= n:
        return
    for j in range(3):
        if x[i] > 0.5:
            out[i] += x[j]
        elif x[i] < -0.5:
            continue
        else:
            wp.atomic_add(out, 0, x[i])
    y: float = 1.0
    while y < 2.0:
        y = y * 2.0
'''


def of(source: str) -> str:
    (function,) = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    return skeleton(function)


def test_a_skeleton_contains_the_kinds_of_statements_and_their_nesting() -> None:
    assert of(SOURCE) == "Assign;If(Return);For(If(AugAssign|If(Continue|Expr)));AnnAssign;While(Assign)"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('    """Scale the positive elements."""\n', ""),
        ("range(3)", "range(n, 2 * n)"),
        ("x[i] > 0.5", "wp.abs(x[i]) != 1.0 and n > 2"),
        ("out[i] += x[j]", "total -= wp.sin(x[j])"),
        ("def k(x, out, n)", "def other(x, out, n, more)"),
        ("    for j", "\n    # a comment\n    for j"),
    ],
)
def test_names_constants_and_expressions_do_not_matter(old: str, new: str) -> None:
    assert old in SOURCE
    assert of(SOURCE.replace(old, new)) == of(SOURCE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("out[i] += x[j]", "out[i] = x[j]"),
        ("        return\n", "        n = 0\n        return\n"),
        ("        elif x[i] < -0.5:\n            continue\n", ""),
        ("            continue", "            break"),
        ("    y: float = 1.0", "    y = 1.0"),
    ],
)
def test_kinds_and_numbers_of_statements_matter(old: str, new: str) -> None:
    assert old in SOURCE
    assert of(SOURCE.replace(old, new)) != of(SOURCE)


def test_the_share_of_the_ten_most_frequent() -> None:
    counts = {str(number): 1 for number in range(10)} | {"a": 5, "b": 3}
    assert summarize(counts) == {"distinct": 12, "distinct_share": round(12 / 18, 6), "top_share": round(16 / 18, 6)}
    assert summarize({}) == {"distinct": 0, "distinct_share": 0.0, "top_share": 0.0}
