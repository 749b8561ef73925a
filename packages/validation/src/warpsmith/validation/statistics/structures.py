"""The question: how many pairs have the shape of another one, whatever their names and constants?

Shapes are found from the Python text alone, so that they check what the generator says of itself.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections import Counter
from typing import Any

from warpsmith.validation.statistics.reading import Reading


def empty() -> dict[str, Any]:
    """Return the look at no pairs."""
    return {"pairs": 0, "hashes": []}


def look(state: dict[str, Any], reading: Reading) -> None:
    """Take a pair's shape into ``state``; a text that is no Python has none."""
    state["pairs"] += 1
    if reading.tree is not None:
        try:
            state["hashes"].append(structure(reading.tree))
        except RecursionError:
            state["hashes"].append("too deep for a shape")


def add(total: dict[str, Any], part: dict[str, Any]) -> None:
    """Put a look at later pairs behind those of ``total``."""
    total["pairs"] += part["pairs"]
    total["hashes"] += part["hashes"]


def summarize(total: dict[str, Any]) -> dict[str, Any]:
    """Count the shapes, and the pairs whose shape occurred before."""
    distinct = Counter(total["hashes"])
    duplicates = len(total["hashes"]) - len(distinct)
    share = round(duplicates / max(total["pairs"], 1), 6)
    return {"distinct": len(distinct), "duplicates": duplicates, "share": share}


def structure(tree: ast.Module) -> str:
    """Return a hash of a file's shape: names that it defines and constants left out, Warp's names and types kept."""
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
"""The ways to write one type, made one."""

_OWN_NAME = re.compile(r"(?<![.\w])[A-Za-z_]\w*")
"""A name that is no attribute of another."""


def _shape(node: ast.AST, numbers: dict[str, int]) -> str:
    match node:
        case ast.Name(name):
            return name if name in ("wp", "float", "int", "bool", "range") else str(numbers.setdefault(name, len(numbers)))
        case ast.Constant(value):
            return type(value).__name__
        case ast.Attribute(value, attribute):
            return f"{_shape(value, numbers)}.{numbers.get(attribute, attribute)}"
        case ast.arg(name, annotation):
            kind = ast.unparse(annotation) if annotation else ""
            for pattern, written in _TYPES:
                kind = pattern.sub(written, kind)
            kind = _OWN_NAME.sub(lambda match: str(numbers.get(match[0], match[0])), kind).replace(",1]", "]")
            return f"{numbers.setdefault(name, len(numbers))}:{kind}"
        case ast.FunctionDef(name, arguments, body):
            if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
                body = body[1:]  # a docstring
            numbers.setdefault(name, len(numbers))
            parts = [*map(ast.unparse, node.decorator_list), *(_shape(argument, numbers) for argument in arguments.args)]
            return f"def({','.join(parts)}){{{';'.join(_shape(item, numbers) for item in body)}}}"
    inner = ",".join(_shape(child, numbers) for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr_context))
    return f"{type(node).__name__}({inner})"
