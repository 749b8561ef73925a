"""Tells of texts that no engineer would write: dead values, folded constants, names that contradict their values, filler.

They are hints for authors, not mistakes. Types and uses are read from the rows; where they do not say, there is no tell.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from warpsmith.synthesis.writing.catalogue.contradictions import contradiction, parameter_tells
from warpsmith.synthesis.writing.catalogue.domain_texts import DomainTexts, ParsedText
from warpsmith.synthesis.writing.catalogue.idea_files import KNOWN, RETIRED
from warpsmith.synthesis.writing.catalogue.idea_rows import CatalogueError

_COUNT_WORDS = re.compile(r"\b(count|report|number|how many|histogram|tally|occurrence|total|detect|statistic|mark)")
_VAGUE_COUNTS = re.compile(r"\b(counted|counters|selected|meet|condition|hits|pairs|contacts|outside|without a result)\b")
_EXITS = (ast.Return, ast.Continue, ast.Break)
_NUMBER = int | float


def find_tells(paths: Iterable[Path]) -> list[CatalogueError]:
    """Return the tells in files of the catalogue, sorted by file and line."""
    wanted = {path.resolve() for path in paths}
    found: dict[tuple[Path, int, str], CatalogueError] = {}
    for folder in sorted({path.parent for path in wanted}):
        for tell in _tells_of(DomainTexts(folder)):
            found.setdefault((tell.path, tell.line, tell.reason), tell)
    return [found[key] for key in sorted(found) if key[0].resolve() in wanted]


def _tells_of(domain: DomainTexts) -> Iterator[CatalogueError]:
    for parsed in domain.texts:
        row = parsed.row
        if KNOWN not in row.fields and RETIRED not in row.fields.get("flags", "").split():
            yield from _unread(parsed, domain)
            yield from _constants(parsed)
            yield from _contradictions(parsed, domain)
            if row.kind == "extra":
                yield from _detached_extra(parsed, domain)
            if row.kind == "idea":
                yield from _counter_at_end(parsed, domain)
    yield from parameter_tells(domain)


def _tell(parsed: ParsedText, line: int, reason: str) -> CatalogueError:
    return CatalogueError(parsed.path, line, f"{parsed.row.kind} {parsed.row.key}: {reason}")


# -------------------------------------------------------------------------------------------------------------- unread values


def _unread(parsed: ParsedText, domain: DomainTexts) -> Iterator[CatalogueError]:
    """Yield the locals, and the parameters of functions, that no rendering reads."""
    assigned: dict[str, int] = {}
    read: set[str] = set()
    for tree, place in parsed.trees:
        read |= _reads(tree)
        for name, line in _assigned(tree).items():
            assigned.setdefault(name, place(line))
    elsewhere = set[str]() if parsed.row.kind == "helper" else domain.named_elsewhere(parsed)
    for name, line in assigned.items():
        if name not in read and name.removeprefix("v_") not in elsewhere:
            yield _tell(parsed, line, f"nothing reads ${name.removeprefix('v_')}")


def _assigned(tree: ast.AST) -> dict[str, int]:
    """Return the locals that a text assigns alone, and the parameters of functions, with their lines."""
    found: dict[str, int] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Assign([ast.Name(name)], value) if name.startswith("v_") and not _has_effect(value):
                found.setdefault(name, node.lineno)
            case ast.arg(name) if name.startswith("v_"):
                found.setdefault(name, node.lineno)
    return found


def _has_effect(value: ast.expr) -> bool:
    text = ast.unparse(value)
    return any(word in text for word in ("atomic", "rand", "tile", "f_"))


def _reads(tree: ast.AST) -> set[str]:
    """Return the names that a text reads for another purpose than to change them."""
    changes: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Assign([ast.Name(name)], value):
                changes |= {id(inner) for inner in ast.walk(value) if isinstance(inner, ast.Name) and inner.id == name}
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
    return {name.id for name in names if id(name) not in changes}


# ------------------------------------------------------------------------------------------------------------------ constants


def _constants(parsed: ParsedText) -> Iterator[CatalogueError]:
    """Yield operations of two literals, and operations with a literal that change nothing."""
    for tree, place in parsed.trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.BinOp) and (problem := _constant_problem(node)) is not None:
                yield _tell(parsed, place(node.lineno), f"{_shown(node)} {problem}")


def _constant_problem(node: ast.BinOp) -> str | None:
    match node:
        case ast.BinOp(ast.Constant(left), ast.Add() | ast.Sub() | ast.Mult(), ast.Constant(right)):
            numbers = isinstance(left, _NUMBER) and isinstance(right, _NUMBER)
            return "is a constant: write its value, or name it" if numbers else None
        case ast.BinOp(left, ast.Mult(), right) if _is_float(left, 1.0) or _is_float(right, 1.0):
            return "multiplies by one"
        case ast.BinOp(left, ast.Mult(), right) if _is_float(left, 0.0) or _is_float(right, 0.0):
            return "multiplies by zero"
        case ast.BinOp(_, ast.Add() | ast.Sub(), right) if _is_float(right, 0.0):
            return "adds zero"
        case ast.BinOp(left, ast.Add(), _) if _is_float(left, 0.0):
            return "adds zero"
    return None


def _is_float(node: ast.expr, number: float) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, float) and node.value == number


def _shown(node: ast.AST) -> str:
    """Return an expression in the notation of texts."""
    return re.sub(r"\bf_", "@", re.sub(r"\bv_", "$", re.sub(r"\bp_(\w+)", r"{\1}", ast.unparse(node))))


# ---------------------------------------------------------------------------------------------------------------------- names


def _contradictions(parsed: ParsedText, domain: DomainTexts) -> Iterator[CatalogueError]:
    """Yield the names of locals that contradict the types of their values."""
    for tree, place in parsed.trees:
        values = domain.values_in(parsed, tree)
        for name, line in _bound(tree).items():
            key = name.removeprefix("v_")
            for candidate in domain.names.get(key, key).split():
                if reason := contradiction(candidate, values.get(name)):
                    yield CatalogueError(parsed.path, place(line), f"${key}: {candidate!r} {reason}")


def _bound(tree: ast.AST) -> dict[str, int]:
    """Return all locals that a text assigns, and the parameters of functions, with their lines."""
    found: dict[str, int] = {}
    for node in ast.walk(tree):
        match node:
            case ast.Name(name, ast.Store()) | ast.arg(name) if name.startswith("v_"):
                found.setdefault(name, node.lineno)
    return found


# --------------------------------------------------------------------------------------------------------------------- filler


def _detached_extra(parsed: ParsedText, domain: DomainTexts) -> Iterator[CatalogueError]:
    """Yield an extra that reads no local of its place except for thread indices, unless it is an early exit."""
    for tree, place in parsed.trees:
        augmented = {f"v_{key}" for key in _augmented(tree)}
        read = {name.removeprefix("v_") for name in _reads(tree) | augmented if name.startswith("v_")}
        written = {name.removeprefix("v_") for name in _bound(tree)}
        exits = any(isinstance(node, _EXITS) for node in ast.walk(tree))
        attached = read - (written - _augmented(tree)) - domain.indices
        if not exits and not attached and not written & domain.named_elsewhere(parsed):
            yield _tell(parsed, place(None), "it reads no local of its place")
            return


def _augmented(tree: ast.AST) -> set[str]:
    """Return the keys of the locals that a text changes by ``+=`` and the like."""
    targets = (node.target for node in ast.walk(tree) if isinstance(node, ast.AugAssign))
    return {target.id.removeprefix("v_") for target in targets if isinstance(target, ast.Name)}


def _counter_at_end(parsed: ParsedText, domain: DomainTexts) -> Iterator[CatalogueError]:
    """Yield a last statement that counts in an idea whose names and purpose do not mention a count.

    An array that contains the number of particular events, such as labels that changed, says what it counts.
    """
    fields = " ".join(parsed.row.fields.get(name, "") for name in ("names", "purpose", "docs")).replace("_", " ")
    if _COUNT_WORDS.search(fields.lower()):
        return
    for tree, place in parsed.trees:
        line, key = _counting_line(tree)
        if line is not None and _VAGUE_COUNTS.search(domain.contents.get(key, "counted")):
            yield _tell(parsed, place(line), "a counter at the end that its purpose does not name")
            return


def _counting_line(tree: ast.AST) -> tuple[int | None, str]:
    """Return the line of the last statement if it adds one to a fixed element of an array, and the key of the array."""
    statements = (node for node in ast.walk(tree) if isinstance(node, ast.stmt) and not isinstance(node, ast.Pass))
    last = max(statements, key=lambda node: node.lineno, default=None)
    match last:
        case ast.Expr(ast.Call(ast.Attribute(ast.Name("wp"), "atomic_add"), [array, ast.Constant(), ast.Constant(1 | 1.0)])):
            return last.lineno, ast.unparse(array).removeprefix("p_")
    return None, ""
