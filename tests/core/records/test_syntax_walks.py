"""Walks find the nodes that Python's own walk finds, in the same order."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import warp as wp

from warpsmith.core.records.syntax_walks import walk

SOURCES = sorted(Path(wp.__file__).parent.glob("*.py")) + sorted(Path(ast.__file__).parent.glob("[a-d]*.py"))
FORMS = """
def f(a, *, b, c=1, **d):
    global g, h
    match a:
        case {"x": 1, **rest}: return {**d, "k": ...}
        case Point(x=1, y=2) | [1, *_]: pass
    return (yield b), f"{a!r:>{c}}", [i async for i in b if c], lambda *q, r=None: 0j
"""


@pytest.mark.sampled(12)
@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_a_walk_is_that_of_python(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    assert list(map(id, walk(tree))) == list(map(id, ast.walk(tree)))


def test_lists_of_names_and_of_nothing_have_no_nodes() -> None:
    tree = ast.parse(FORMS)
    assert list(map(id, walk(tree))) == list(map(id, ast.walk(tree)))
