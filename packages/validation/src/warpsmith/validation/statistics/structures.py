"""Structural duplicates: pairs that equal an earlier pair except for names and constants.

Structures are computed from the Python text alone, independently of the generator's own `structure` field.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections import Counter
from typing import TypedDict

from warpsmith.validation.statistics.parsed_pair import ParsedPair
from warpsmith.validation.statistics.stats_types import StructuresSummary


class State(TypedDict):
    """The number of pairs, and the hashes of their structures."""

    pairs: int
    hashes: list[str]


def empty() -> State:
    """Return the state before the first pair."""
    return {"pairs": 0, "hashes": []}


def update(state: State, parsed: ParsedPair) -> None:
    """Add the structure of one pair; a text that is not Python has none."""
    state["pairs"] += 1
    if parsed.tree is not None:
        try:
            state["hashes"].append(structure(parsed.tree))
        except RecursionError:
            state["hashes"].append("too deep for a shape")


def add(total: State, part: State) -> None:
    """Add the state of later pairs to ``total``."""
    total["pairs"] += part["pairs"]
    total["hashes"] += part["hashes"]


def summarize(total: State) -> StructuresSummary:
    """Count the structures, and the pairs whose structure occurred before."""
    distinct = Counter(total["hashes"])
    duplicates = len(total["hashes"]) - len(distinct)
    share = round(duplicates / max(total["pairs"], 1), 6)
    return {"distinct": len(distinct), "duplicates": duplicates, "share": share}


def structure(tree: ast.Module) -> str:
    """Return a hash of a file without its own names and its constants; Warp's names and types are included."""
    digest = hashlib.blake2b(digest_size=8)
    numbers: dict[str, int] = {}
    for statement in tree.body:
        if isinstance(statement, ast.ClassDef):
            numbers.setdefault(statement.name, len(numbers))
            for member in statement.body:
                if isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name):
                    numbers.setdefault(member.target.id, len(numbers))
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            digest.update(_shape(statement, numbers).encode())
    return digest.hexdigest()


_TYPES = (
    (re.compile(r"\bwp\.(float|int|bool)(32)?\b"), r"\1"),
    (re.compile(r"wp\.array(\d)d\(dtype=([\w.]+)\)"), r"wp.array[\2,\1]"),
    (re.compile(r"wp\.array(\d)d\[([\w.]+)\]"), r"wp.array[\2,\1]"),
    (re.compile(r"wp\.array\(dtype=([\w.]+), ndim=(\d)\)"), r"wp.array[\1,\2]"),
    (re.compile(r"wp\.array\(dtype=([\w.]+)\)"), r"wp.array[\1]"),
)
"""Spellings of array and scalar types, and the form that replaces them."""

_PLAIN_NAME = re.compile(r"(?<![.\w])[A-Za-z_]\w*")
"""A name that is not an attribute."""


def _shape(node: ast.AST, numbers: dict[str, int]) -> str:
    match node:
        case ast.Name(name):
            return name if name in ("wp", "float", "int", "bool", "range") else str(numbers.setdefault(name, len(numbers)))
        case ast.Constant(value):
            return type(value).__name__
        case ast.Attribute(value, attribute):
            return f"{_shape(value, numbers)}.{numbers.get(attribute, attribute)}"
        case ast.arg(name, annotation):
            spelled = ast.unparse(annotation) if annotation else ""
            for pattern, written in _TYPES:
                spelled = pattern.sub(written, spelled)
            spelled = _PLAIN_NAME.sub(lambda match: str(numbers.get(match[0], match[0])), spelled).replace(",1]", "]")
            return f"{numbers.setdefault(name, len(numbers))}:{spelled}"
        case ast.FunctionDef(name, arguments, body):
            if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
                body = body[1:]  # a docstring
            numbers.setdefault(name, len(numbers))
            parts = [*map(ast.unparse, node.decorator_list), *(_shape(argument, numbers) for argument in arguments.args)]
            return f"def({','.join(parts)}){{{';'.join(_shape(item, numbers) for item in body)}}}"
    inner = ",".join(_shape(child, numbers) for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr_context))
    return f"{type(node).__name__}({inner})"
