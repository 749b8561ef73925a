"""Candidates of a reduction: all pairs that are one edit smaller, the most promising first."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypedDict

from warpsmith.core.records.encoding import encode
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.python_source import parse_python
from warpsmith.validation.reduction import expression_edits, launch_edits, statement_edits

MAX_CANDIDATES = 2000
"""The largest number of candidates per pair."""


def smaller_pairs(pair: Pair) -> Iterator[Pair]:
    """Yield smaller pairs without generated code, which would be outdated.

    The first candidate is the same kernel as printed by `ast`, without comments. Candidates with a loop that evidently does not
    end are omitted.
    """
    tree = parse_python(pair.python_source)
    launch = pair.metadata.launch
    seen: set[tuple[str, Launch | None]] = {(pair.python_source, launch)}
    current = weight(tree, launch)
    for edited in _edits(tree, launch):
        text = ast.unparse(tree) + "\n"
        if (text, edited) in seen or not (may_end(tree) and (len(seen) == 1 or weight(tree, edited) < current)):
            continue
        seen.add((text, edited))
        metadata = replace(pair.metadata, launch=edited, structure=None, features=())
        yield Pair(
            id=pair.id,
            python_source=text,
            cpp_forward=None,
            cpp_backward=None,
            cuda_ir_forward=None,
            cuda_ir_backward=None,
            metadata=metadata,
        )


def _edits(tree: ast.Module, launch: Launch | None) -> Iterator[Launch | None]:
    yield launch
    if launch is not None:
        yield from launch_edits.edits(tree, launch)
    for edits in (statement_edits.edits, expression_edits.edits):
        for _ in edits(tree):
            yield launch
    if launch is not None:
        yield from launch_edits.smaller_sizes(launch)


def weight(tree: ast.Module, launch: Launch | None) -> tuple[int, int, int]:
    """Return the measure that every edit reduces: nodes of the tree, then complexity of numbers, then sizes of the launch."""
    nodes = list(ast.walk(tree))
    complexity = sum(expression_edits.rank(node.value) for node in nodes if isinstance(node, ast.Constant))
    return len(nodes), complexity, launch_edits.total(launch) if launch is not None else 0


def may_end(tree: ast.Module) -> bool:
    """Return whether each ``while`` can end: it contains a jump, or updates a name in its condition from the old value."""
    return all(_may_end(node) for node in ast.walk(tree) if isinstance(node, ast.While))


def _may_end(loop: ast.While) -> bool:
    tested = statement_edits.names([loop.test])
    for node in (part for statement in loop.body for part in ast.walk(statement)):
        match node:
            case ast.Break() | ast.Return():
                return True
            case ast.AugAssign(ast.Name(name)) if name in tested:
                return True
            case ast.Assign([ast.Name(name)], value) if name in tested and not isinstance(value, ast.Name):
                if name in statement_edits.names([value]):
                    return True
    return False


class Candidates(TypedDict):
    """The answer of a worker: smaller pairs as lines of JSON."""

    pairs: list[str]


def list_candidates(lines: Sequence[Line]) -> Candidates:
    """Return the candidates of one pair; for sandboxed workers."""
    (line,) = lines
    if line.pair is None:
        return {"pairs": []}
    candidates = (encode(pair).decode() for pair in smaller_pairs(line.pair))
    return {"pairs": [candidate for candidate, _ in zip(candidates, range(MAX_CANDIDATES), strict=False)]}
