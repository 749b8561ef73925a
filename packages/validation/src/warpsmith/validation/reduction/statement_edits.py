"""Edits of statements: remove statements and definitions, and unwrap loops and branches.

Every function edits the tree in place, yields, and restores the tree before the next edit.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from warpsmith.core.records.python_source import is_kernel_definition

Block = list[ast.stmt]


def edits(tree: ast.Module) -> Iterator[None]:
    """Yield after each edit of the tree, the most promising edits first."""
    blocks = [block for function in functions(tree) for block in blocks_of(function)]
    yield from _without_runs(blocks)
    yield from _without_definitions(tree)
    yield from _unwrapped(blocks)


def kernel_of(tree: ast.Module) -> ast.FunctionDef | None:
    """Return the kernel of a file, or None."""
    for node in tree.body:
        if is_kernel_definition(node):
            return node
    return None


def functions(tree: ast.Module) -> list[ast.FunctionDef]:
    """Return the kernel and helper functions in the order of the file."""
    return [node for node in tree.body if isinstance(node, ast.FunctionDef)]


def names(nodes: Sequence[ast.AST]) -> set[str]:
    """Return all names in ``nodes``."""
    return {part.id for node in nodes for part in ast.walk(node) if isinstance(part, ast.Name)}


def with_replacement(block: list[ast.stmt], start: int, stop: int, new: Sequence[ast.stmt]) -> Iterator[None]:
    """Yield while statements of a block are replaced by others."""
    old = block[start:stop]
    block[start:stop] = new
    yield
    block[start : start + len(new)] = old


def blocks_of(function: ast.FunctionDef) -> Iterator[tuple[Block, bool]]:
    """Yield the lists of statements in a function, and whether each may be empty."""
    for node in ast.walk(function):
        for field, may_be_empty in (("body", False), ("orelse", True)):
            block = getattr(node, field, None)
            if isinstance(block, list) and block:
                yield block, may_be_empty


def _without_runs(blocks: Sequence[tuple[Block, bool]]) -> Iterator[None]:
    """Remove runs of statements: halves, quarters and so on, then single statements."""
    runs = [(block, *run) for block, may_be_empty in blocks for run in _runs(len(block), may_be_empty)]
    for block, start, stop in sorted(runs, key=lambda run: -_statements(run[0][run[1] : run[2]])):
        yield from with_replacement(block, start, stop, [])


def _runs(length: int, may_be_empty: bool) -> Iterator[tuple[int, int]]:
    size = length if may_be_empty else min(max(length // 2, 1), length - 1)
    while size:
        for start in range(0, length - size + 1, size):
            yield start, start + size
        size //= 2


def _statements(block: Block) -> int:
    return sum(isinstance(part, ast.stmt) for node in block for part in ast.walk(node))


def _without_definitions(tree: ast.Module) -> Iterator[None]:
    """Remove helper functions, structs, constants and imports."""
    kernel = kernel_of(tree)
    for number, node in enumerate(tree.body):
        if node is not kernel:
            yield from with_replacement(tree.body, number, number + 1, [])


def _unwrapped(blocks: Sequence[tuple[Block, bool]]) -> Iterator[None]:
    """Replace a branch or loop by its body; the counter of a loop becomes zero."""
    for block, _ in blocks:
        for number, node in enumerate(block):
            if isinstance(node, ast.If):
                yield from with_replacement(block, number, number + 1, node.body)
                if node.orelse:
                    yield from with_replacement(block, number, number + 1, node.orelse)
            elif isinstance(node, ast.For | ast.While) and not _has_jump(node.body):
                yield from with_replacement(block, number, number + 1, [*_counter(node), *node.body])


def _counter(loop: ast.For | ast.While) -> list[ast.stmt]:
    if isinstance(loop, ast.For) and names([loop.target]) & names(loop.body):
        return [ast.Assign([loop.target], ast.Constant(0), lineno=loop.lineno)]
    return []


def _has_jump(body: Sequence[ast.stmt]) -> bool:
    """Return whether ``body`` contains a break or continue of the enclosing loop."""
    for node in body:
        if isinstance(node, ast.Break | ast.Continue):
            return True
        if isinstance(node, ast.If) and (_has_jump(node.body) or _has_jump(node.orelse)):
            return True
    return False
