"""The texts of a domain as syntax trees, and the types of its rows."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeAlias

from warpsmith.synthesis.writing.catalogue.alternatives import Alternatives, BracketError
from warpsmith.synthesis.writing.catalogue.expression_values import Value, annotation_value, row_value, value_of
from warpsmith.synthesis.writing.catalogue.idea_files import files_of
from warpsmith.synthesis.writing.catalogue.idea_rows import CatalogueError, Row, read_rows
from warpsmith.synthesis.writing.catalogue.idea_syntax import as_python
from warpsmith.synthesis.writing.ideas.tree import parse, walk

Place: TypeAlias = Callable[[int | None], int]
"""Returns the line of the file for a line of a tree."""

_KEY = re.compile(r"\$(\w+)")


@dataclass
class ParsedText:
    """A text of a row, and the tree of each of its renderings that is Python.

    Keys of parameters, locals and helpers start with ``p_``, ``v_`` and ``f_`` in the trees.
    """

    row: Row
    path: Path
    source: str
    start: int

    @cached_property
    def trees(self) -> list[tuple[ast.Module, Place]]:
        """The trees, each with the lines of the file."""
        return list(self._trees())

    def _trees(self) -> Iterator[tuple[ast.Module, Place]]:
        try:
            alternatives = Alternatives(self.source, self.start)
        except BracketError:
            return
        for rendering in alternatives.renderings():
            body = parse(rendering.text)
            nodes = list(walk(body))
            numbers = [number for _, number in rendering.lines]
            source, first = as_python(self.row.kind, body, nodes)
            try:
                tree = ast.parse(source)
            except SyntaxError:
                continue
            yield tree, _place(numbers, first, self.start)


def _place(numbers: list[int], first: int, start: int) -> Place:
    def place(line: int | None) -> int:
        return numbers[min(max(line - 1 - first, 0), len(numbers) - 1)] if line is not None and numbers else start

    return place


def _first_word(row: Row) -> str:
    """Return the type of an array or a number, or the value of a code; empty if the row has none."""
    return (row.rest.split() or [""])[0]


class DomainTexts:
    """The rows and texts of a domain; files with mistakes are left out.

    Attributes:
        rows: the rows with their files.
        texts: the texts of ideas, helpers, locals, loops and extras.
    """

    def __init__(self, folder: Path) -> None:
        self.rows: list[tuple[Row, Path]] = []
        for path in files_of(folder):
            try:
                self.rows += [(row, path) for row in read_rows(path)]
            except CatalogueError:
                continue
        self.texts = [ParsedText(row, path, *source) for row, path in self.rows for source in row.sources()]

    @cached_property
    def contents(self) -> dict[str, str]:
        """What the arrays contain."""
        return {row.key: row.rest.split("|")[-1].strip() for row, _ in self.rows if row.kind == "array"}

    @cached_property
    def names(self) -> dict[str, str]:
        """The candidates for the names of locals, by key."""
        return {row.key: row.rest for row, _ in self.rows if row.kind == "name"}

    @cached_property
    def indices(self) -> set[str]:
        """The keys of thread indices and worlds."""
        return {row.key for row, _ in self.rows if row.kind in ("index", "world")}

    @cached_property
    def arrays(self) -> dict[str, Value]:
        """The types of the elements of arrays, by ``p_`` and their key."""
        return {f"p_{row.key}": row_value(_first_word(row)) for row, _ in self.rows if row.kind == "array"}

    @cached_property
    def _values(self) -> dict[str, Value]:
        """The types of numbers, codes, sizes and indices, and of the results of helpers."""
        found: dict[str, Value] = {f"v_{key}": "int" for key in self.indices}
        for row, _ in self.rows:
            if row.kind == "number":
                found[f"p_{row.key}"] = row_value(_first_word(row))
            elif row.kind == "size":
                found[f"p_{row.key}"] = "int"
            elif row.kind == "code":
                found[f"p_{row.key}"] = "float" if "." in _first_word(row) else "int"
        for text in self.texts:
            if text.row.kind == "helper":
                for tree, _ in text.trees:
                    results = {annotation_value(node.returns) for node in tree.body if isinstance(node, ast.FunctionDef)}
                    if len(results) == 1 and (result := results.pop()) is not None:
                        found[f"f_{text.row.key}"] = result
        return found

    @cached_property
    def _provided(self) -> dict[str, Value]:
        """The types of the locals that rows provide; None where the ways to write one differ."""
        found: dict[str, set[Value]] = {}
        for text in self.texts:
            if text.row.kind == "local":
                for tree, _ in text.trees:
                    for statement in ast.walk(tree):
                        match statement:
                            case ast.Assign([ast.Name(name)], value) if name == f"v_{text.row.key}":
                                found.setdefault(name, set()).add(value_of(value, self.arrays, self._values))
                            case ast.Expr(value):
                                found.setdefault(f"v_{text.row.key}", set()).add(value_of(value, self.arrays, self._values))
        return {name: values.pop() for name, values in found.items() if len(values) == 1}

    def values_in(self, parsed: ParsedText, tree: ast.AST) -> dict[str, Value]:
        """Return the types of the locals of a text; a local with values of different types is unknown."""
        known = dict(self._values) if parsed.row.kind == "helper" else {**self._values, **self._provided}
        assigned: dict[str, set[Value]] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.arg):
                known[node.arg] = annotation_value(node.annotation)
        for node in sorted((node for node in ast.walk(tree) if isinstance(node, ast.stmt)), key=lambda node: node.lineno):
            match node:
                case ast.Assign([ast.Name(name)], value):
                    assigned.setdefault(name, set()).add(value_of(value, self.arrays, known))
                case ast.AnnAssign(ast.Name(name), annotation):
                    assigned.setdefault(name, set()).add(annotation_value(annotation))
                case ast.Assign([ast.Tuple(targets)]):
                    assigned |= {target.id: {None} for target in targets if isinstance(target, ast.Name)}
                case ast.For(ast.Name(name), ast.Call(ast.Name("range"))):
                    assigned.setdefault(name, set()).add("int")
                case _:
                    continue
            for target, found in assigned.items():
                known[target] = next(iter(found)) if len(found) == 1 else None
        return known

    def named_elsewhere(self, parsed: ParsedText) -> set[str]:
        """Return the keys of locals that other texts of the domain name, those of helpers excepted."""
        return {key for key, count in self._named.items() if count > (key in self._keys_of(parsed))}

    @cached_property
    def _named(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        for text in self.texts:
            if text.row.kind in ("local", "loop", "extra"):
                for key in self._keys_of(text):
                    counts[key] = counts.get(key, 0) + 1
        for text in self.texts:
            if text.row.kind == "idea" and "hook" in text.source:
                for key in self._keys_of(text):
                    counts[key] = counts.get(key, 0) + 1
        return counts

    @staticmethod
    def _keys_of(text: ParsedText) -> set[str]:
        return set(_KEY.findall(text.source))
