"""Passes over the statements of a kernel: they remove repeated exits and unread locals, and reorder loads."""

from __future__ import annotations

import re

from warpsmith.synthesis.random_stream import RandomStream
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


_LOAD = re.compile(
    r"\$\w+(?:: [\w.]+)? = (?:([{$][{}$\w.]*)[{}$\w.\[\], +-]*|(?:float|int|wp\.(?:vec[234]|quat|mat\d\d))\([\d., -]*\))"
)
"""The load of an element, a copy, or the initial value of a sum; the group is what it is loaded from, if it is a load."""


def reorder_loads(body: list[Node], rng: RandomStream) -> None:
    """Put loads and initial values that follow each other into a random order; those from one array keep theirs.

    A local is assigned before it is read.
    """
    position = 0
    while position < len(body):
        reorder_loads(body[position].body, rng)
        end = position
        while end < len(body) and not body[end].body and _LOAD.fullmatch(body[end].text):
            end += 1
        if end - position > 1:
            body[position:end] = _in_any_order(body[position:end], rng)
        position = max(end, position + 1)


def _in_any_order(run: list[Node], rng: RandomStream) -> list[Node]:
    ordered: list[Node] = []
    while run:
        ready = [node for number, node in enumerate(run) if not any(_must_precede(other, node) for other in run[:number])]
        chosen = ready[rng.below(len(ready))]
        run.remove(chosen)
        ordered.append(chosen)
    return ordered


def _must_precede(first: Node, second: Node) -> bool:
    """Return whether a line stays before a later one: both load from one array, or one assigns what the other has."""
    before, after = set(first.defines), set(second.defines)
    depends = before & after or before.intersection(second.reads) or after.intersection(first.reads)
    return bool(depends) or _origin(first) == _origin(second)


def _origin(node: Node) -> str | None:
    match = _LOAD.fullmatch(node.text)
    return match[1] if match else None
