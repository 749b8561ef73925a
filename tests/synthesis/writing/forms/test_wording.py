"""What parameters are called in comments and docstrings, and how comments begin."""

from __future__ import annotations

import ast
import io
import re
import tokenize

import pytest

from warpsmith.synthesis.kernel_key import KernelKey
from warpsmith.synthesis.writing.forms.wording import phrase, with_capital_comments
from warpsmith.synthesis.writing.generate import write_kernel


@pytest.mark.parametrize(
    ("about", "short", "noun"),
    [
        ("position of each particle in m", "position in m", "particle position in m"),
        ("inverse mass of each body in 1/kg", "inverse mass in 1/kg", "body inverse mass in 1/kg"),
        ("first edge of each node in the list", "first edge of each node in the list", "first edge of each node in the list"),
        ("unit normal of each contact", "unit normal", "contact unit normal"),
        ("number of worlds", "number of worlds", "number of worlds"),
    ],
)
def test_the_owner_is_left_out_or_comes_first(about: str, short: str, noun: str) -> None:
    assert phrase(about, "full", "words") == about
    assert phrase(about, "short", "words") == short
    assert phrase(about, "noun", "words") == noun


@pytest.mark.parametrize(
    ("about", "unit"),
    [("speed", "m/s"), ("torque", "N m"), ("inertia", "kg m^2"), ("width", "pixels")],
)
def test_units_are_put_in_brackets(about: str, unit: str) -> None:
    assert phrase(f"{about} in {unit}", "full", "brackets") == f"{about} [{unit}]"
    assert phrase(f"{about} in {unit}", "full", "parentheses") == f"{about} ({unit})"


@pytest.mark.parametrize("about", ["point in the world", "rows in a block", "edges in order"])
def test_places_are_no_units(about: str) -> None:
    assert phrase(about, "full", "brackets") == about


def test_comments_begin_with_a_capital_unless_they_name_a_local() -> None:
    text = "x = 1.0  # kept\n# no flow\n    # x grows\n# a + b\n# explicit Euler step"
    changed = with_capital_comments(text, frozenset("x"))
    assert changed == "x = 1.0  # kept\n# No flow\n    # x grows\n# a + b\n# Explicit Euler step"


def comments(source: str) -> list[str]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return [token.string for token in tokens if token.type == tokenize.COMMENT and token.line.lstrip().startswith("#")]


def test_most_files_begin_comments_in_one_way() -> None:
    """In real projects about 70% of comments begin with a capital."""
    starts = []
    for index in range(240):
        source = write_kernel(KernelKey(2000, index)).source
        words = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
        found = [match[1] for text in comments(source) if (match := re.match(r"# ([A-Za-z]\w+) [a-z]", text))]
        starts.append([word[0].isupper() for word in found if word not in words])
    mixed = [start for start in starts if len(set(start)) > 1]
    capitals = [start for start in starts if start and all(start)]
    lower = [start for start in starts if start and not any(start)]
    assert len(mixed) < len(capitals) // 10
    assert len(lower) > 5
    assert len(capitals) > len(lower)
