"""All single steps that make a pair smaller, in the order in which they are worth trying."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from warpsmith.core.records.jsonl import Line, encode
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.python_source import parse_python
from warpsmith.validation.reduction import blocks, expressions, launches

MOST = 2000
"""How many steps of one pair are looked at."""


def smaller(pair: Pair) -> Iterator[Pair]:
    """Yield the pair with one thing less each time, and without generated text, which would be stale.

    The first is the same kernel as `ast` prints it, without comments. Loops that would not end are left out, as far as their
    text shows.
    """
    tree = parse_python(pair.python_source)
    launch = pair.metadata.launch
    seen: set[tuple[str, Launch | None]] = {(pair.python_source, launch)}
    now = weight(tree, launch)
    for edited in _edits(tree, launch):
        text = ast.unparse(tree) + "\n"
        if (text, edited) in seen or not (may_end(tree) and (len(seen) == 1 or weight(tree, edited) < now)):
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
        yield from launches.edits(tree, launch)
    for edits in (blocks.edits, expressions.edits):
        for _ in edits(tree):
            yield launch
    if launch is not None:
        yield from launches.smaller_sizes(launch)


def weight(tree: ast.Module, launch: Launch | None) -> tuple[int, int, int]:
    """What every step makes less: nodes of the tree, then how odd its numbers are, then sizes of the launch."""
    nodes = list(ast.walk(tree))
    odd = sum(expressions.rank(node.value) for node in nodes if isinstance(node, ast.Constant))
    return len(nodes), odd, launches.total(launch) if launch is not None else 0


def may_end(tree: ast.Module) -> bool:
    """Whether each ``while`` has what could end it: a way out, or a new value, made from the old, of what it asks for."""
    return all(_may_end(node) for node in ast.walk(tree) if isinstance(node, ast.While))


def _may_end(loop: ast.While) -> bool:
    asked = blocks.names([loop.test])
    for node in (part for statement in loop.body for part in ast.walk(statement)):
        match node:
            case ast.Break() | ast.Return():
                return True
            case ast.AugAssign(ast.Name(name)) if name in asked:
                return True
            case ast.Assign([ast.Name(name)], value) if name in asked and not isinstance(value, ast.Name):
                if name in blocks.names([value]):
                    return True
    return False


def task(lines: Sequence[Line]) -> dict[str, Any]:
    """Answer a parent that asks for the steps of one pair, as lines of JSON; for limited children."""
    (line,) = lines
    if line.pair is None:
        return {"pairs": []}
    steps = (encode(pair).decode() for pair in smaller(line.pair))
    return {"pairs": [step for step, _ in zip(steps, range(MOST), strict=False)]}
