"""Edits of the Python of a handwritten kernel, of each kind."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from warpsmith.core.records.jsonl import read_pairs
from warpsmith.scoring.mutants import python_edits

KERNEL = '''import warp as wp

LIMIT = 3


@wp.kernel
def f(x: wp.array(dtype=float), ids: wp.array2d(dtype=int), n: int, y: wp.array(dtype=float)):
    """Größe 1 of x."""
    i, j = wp.tid()
    if i >= n:
        return
    ä = x[i] * 2.0 + 1.5
    for k in range(n):
        ä += wp.clamp(x[k], 0.0, ä)
    wp.atomic_add(y, ids[i, j], ä)
    y[i] = (ä) / (x[j])
'''


def changed(kind: str) -> list[str]:
    """Return the lines that the edits of a kind leave in place of one line; texts differ in nothing else."""
    found = []
    before = KERNEL.split("\n")
    for _, span in python_edits.spans(KERNEL, {kind: (python_edits.VALUES | python_edits.SLIPS)[kind]}):
        after = span.replaced(KERNEL).split("\n")
        (line,) = (new.strip() for old, new in zip(before, after, strict=True) if old != new)
        found.append(line)
    return found


EDITS = {
    "operator": [
        "if i > n:", "ä = x[i] * 2.0 - 1.5", "ä = x[i] + 2.0 + 1.5", "y[i] = (ä) * (x[j])",
    ],
    "index": [
        "ä = x[0] * 2.0 + 1.5", "ä += wp.clamp(x[0], 0.0, ä)", "wp.atomic_add(y, ids[j, i], ä)", "y[0] = (ä) / (x[j])",
        "y[i] = (ä) / (x[0])",
    ],
    "constant": ["ä = x[i] * 2.2 + 1.5", "ä = x[i] * 2.0 + 1.65", "ä += wp.clamp(x[k], 0.1, ä)"],
    "branch": ["if not (i >= n):"],
    "loop bound": ["for k in range(n - 1):"],
    "argument order": ["ä += wp.clamp(0.0, x[k], ä)", "wp.atomic_add(ids[i, j], y, ä)"],
    "dropped statement": ["pass", "pass", "pass"],
    "missing colon": ["if i >= n", "for k in range(n)"],
    "type": ["ä = x[i] * 2.0 + 1", "ä = x[i] * 2 + 1.5"],
    "argument count": ["ä += wp.clamp(x[k], 0.0)", "wp.atomic_add(y, ids[i, j])"],
    "missing atomic": ["y[ids[i, j]] = ä"],
}  # fmt: skip


@pytest.mark.parametrize("kind", EDITS)
def test_edits(kind: str) -> None:
    assert changed(kind) == EDITS[kind]


def test_names_of_variables_and_functions() -> None:
    assert "if i >= n_value:" in changed("undeclared variable")
    assert "y[i] = (ä_value) / (x[j])" in changed("undeclared variable")
    assert "ä += np.clamp(x[k], 0.0, ä)" in changed("function name")
    assert "ä += wp.clampf(x[k], 0.0, ä)" in changed("function name")
    assert not [line for line in changed("undeclared variable") if "wp_value" in line]


def test_signatures_docstrings_and_constants_stay() -> None:
    for kind in python_edits.VALUES | python_edits.SLIPS:
        for line in changed(kind):
            assert "def f" not in line
            assert "Größe" not in line
            assert "LIMIT" not in line


def test_text_that_is_no_python_has_no_edits() -> None:
    assert list(python_edits.spans("def f(:", python_edits.VALUES)) == []
    assert list(python_edits.spans("x = " + "(" * 5000, python_edits.VALUES)) == []


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.exhaustive)])
def test_value_edits_of_real_pairs_are_python_and_missing_colons_are_not(root: Path, step: int) -> None:
    """By default every third edit of values is parsed, some of each kind."""
    kinds = set()
    for pair in list(read_pairs(root / "data" / "samples" / "pairs-00000.jsonl")):
        for kind, span in list(python_edits.spans(pair.python_source, python_edits.VALUES))[::step]:
            kinds.add(kind)
            ast.parse(span.replaced(pair.python_source))
        for _, span in python_edits.spans(pair.python_source, {"missing colon": python_edits.SLIPS["missing colon"]}):
            with pytest.raises(SyntaxError):
                ast.parse(span.replaced(pair.python_source))
    assert kinds == {*python_edits.VALUES}
