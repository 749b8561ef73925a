"""Names of the packages are nouns of the field: vague words are neither names nor parts of names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from source_tree import modules, parsed

VAGUE = set("one ones own others theirs whole thing things some later slower most spread settle blame blamed forget".split())
"""Words that no name consists of or contains: each stands for something that a reader has to guess."""

BARE = {"batch"}
"""Words that need another one beside them, such as ``lines_per_batch``, in the names of constants."""


def bound_names(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield every name that a module binds, with its line: variables, parameters, functions, classes and attributes."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.ClassDef():
                yield node.name, node.lineno
            case ast.arg():
                yield node.arg, node.lineno
            case ast.Name(ctx=ast.Store()):
                yield node.id, node.lineno
            case ast.Attribute(ctx=ast.Store()):
                yield node.attr, node.lineno
            case ast.alias(asname=str(name)):
                yield name, node.lineno


def words(name: str) -> set[str]:
    """Return the words of a name in lower case: ``MOST_LINES`` and ``MostLines`` are most and lines."""
    return {word.lower() for part in name.split("_") for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", part)}


def is_vague(name: str) -> bool:
    """Return whether a reader has to guess what a name stands for."""
    return bool(words(name) & VAGUE) or (name.isupper() and words(name) <= BARE)


@pytest.mark.parametrize("package", sorted({module.partition(".")[0] for module in modules()}))
def test_names_are_nouns_of_the_field(package: str) -> None:
    found = [
        f"{module}:{line}: {name}"
        for module, path in modules().items()
        if module.partition(".")[0] == package
        for name, line in bound_names(parsed(path))
        if is_vague(name)
    ]
    assert found == []


def test_vague_names_are_found() -> None:
    assert [is_vague(name) for name in ("for_one", "MOST_LINES", "BATCH", "_Whole", "own_names")] == [True] * 5
    assert not any(is_vague(name) for name in ("clone", "almost_equal", "LINES_PER_BATCH", "batch", "ownership", "wp"))
