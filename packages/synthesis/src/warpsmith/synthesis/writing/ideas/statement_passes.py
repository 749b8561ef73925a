"""Passes over the statements of a kernel: they remove repeated exits and unread locals."""

from __future__ import annotations

from warpsmith.synthesis.writing.ideas.notation import PARAMETER
from warpsmith.synthesis.writing.ideas.tree import Node, walk


def drop_repeated_exits(body: list[Node]) -> list[Node]:
    """Drop an early exit that tests the parameters of an earlier one: it might never be taken."""
    seen: set[frozenset[str]] = set()
    kept: list[Node] = []
    for node in body:
        if node.text.startswith("if ") and len(node.body) == 1 and node.body[0].jumps:
            tested = frozenset(PARAMETER.findall(node.text)) or frozenset((node.text,))
            if tested in seen:
                while kept and kept[-1].text.startswith("#"):
                    kept.pop()
                continue
            seen.add(tested)
        kept.append(node)
    return kept


def drop_unread(body: list[Node]) -> None:
    """Remove locals that nothing reads but their own assignments; calls of atomics and random numbers stay.

    A line that assigns several locals keeps those that it reads.
    """
    while True:
        nodes = list(walk(body))
        read = {key for node in nodes for key in node.reads if key not in node.changes or len(node.changes) > 1}
        if all(read.issuperset(node.changes) for node in nodes) or not _remove(body, read):
            break
    _drop_empty_blocks(body)


def _drop_empty_blocks(body: list[Node]) -> None:
    """Drop headers whose blocks have become empty; a branch with an ``else`` keeps ``pass``."""
    for position in reversed(range(len(body))):
        node = body[position]
        _drop_empty_blocks(node.body)
        if node.text.endswith(":") and not node.text.startswith("#") and not any(line.is_statement for line in node.body):
            if position + 1 < len(body) and body[position + 1].continues:
                node.body = [Node("pass")]
            else:
                del body[position]


def _remove(body: list[Node], read: set[str]) -> bool:
    kept = [node for node in body if node.body or not _is_unread(node, read)]
    removed = len(kept) < len(body)
    if removed:
        body[:] = kept
    for node in kept:
        removed = _remove(node.body, read) or removed
    return removed


def _is_unread(node: Node, read: set[str]) -> bool:
    written = node.changes
    return bool(written) and not read.intersection(written) and "atomic_" not in node.text and "rand" not in node.text
