"""Provision: locals that an idea reads without assigning them are loaded before their first use, or written in place."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from warpsmith.core.errors import WarpsmithError
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.ideas.notation import LOCAL, Choices
from warpsmith.synthesis.writing.ideas.parts import Domain
from warpsmith.synthesis.writing.ideas.tree import Node, parse, walk
from warpsmith.synthesis.writing.policy import HOIST_CHANCE, INLINE_CHANCE

_SIMPLE = re.compile(r"[{}$\w.\[\], ]+")


def provide(body: list[Node], domain: Domain, threads: set[str], rng: RandomStream, choices: Choices) -> set[str]:
    """Add the locals that ``body`` reads before it assigns them; ``threads`` are assigned before. Return their keys.

    Raises:
        WarpsmithError: if a local has no row in the domain.
    """
    ways = _ways_of(domain)
    provided: set[str] = set()
    is_hoisted = rng.chance(HOIST_CHANCE)
    while (key := _find_missing(body, set(threads))) is not None:
        if key not in ways:
            raise WarpsmithError(f"domain {domain.name!r}: no row provides ${key}")
        way = choices.resolve(rng.choice(ways[key]))
        if key in provided:
            _withdraw(body, key)
        provided.add(key)
        if "\n" not in way and "$" + key + " = " not in way:
            if _can_inline(body, key, way) and rng.chance(INLINE_CHANCE):
                _inline(body, key, way)
                continue
            way = f"${key} = {way}"
        _insert(body, key, parse(way), is_hoisted, ways)
    return provided


@cache
def _ways_of(domain: Domain) -> dict[str, tuple[str, ...]]:
    return {row.key: row.ways for row in domain.locals}


def _find_missing(body: list[Node], known: set[str]) -> str | None:
    """Return the first local whose first occurrence reads it; a local that was added to a block is unknown after the block."""
    added: set[str] = set()
    for node in body:
        for key in node.reads:
            if key not in known:
                return key
        fresh = set(node.defines) - known
        known |= fresh
        if node.provided:
            added |= fresh
        if (missing := _find_missing(node.body, known)) is not None:
            return missing
    known -= added
    return None


def _can_inline(body: list[Node], key: str, way: str) -> bool:
    """Return whether ``way`` may stand in the place of the local: it has one use, and no line writes what it reads."""
    if not _SIMPLE.fullmatch(way):
        return False
    uses, name = 0, f"${key}"
    written = [f"{{{parameter}}}" for parameter in re.findall(r"{(\w+)}", way)]
    for node in walk(body):
        uses += node.reads.count(key)
        if uses > 1 or key in node.defines or f"{name} +=" in node.text or f"{name} -=" in node.text:
            return False
        if any(node.text.startswith(f"{name}{sign}") for sign in ("[", ".", " *=", " /=")):
            return False
        if any(node.text.startswith(target) or f"atomic_{target}" in node.text for target in written):
            return False
    return True


def _withdraw(body: list[Node], key: str) -> None:
    """Remove the lines that were added for a local in one block, because another block reads it, too."""
    body[:] = [node for node in body if node.provided != key]
    for node in body:
        _withdraw(node.body, key)


def _inline(body: list[Node], key: str, way: str) -> None:
    pattern = re.compile(rf"\${key}\b")
    for node in walk(body):
        if not node.text.startswith("#"):
            node.text = pattern.sub(way, node.text)


def _insert(body: list[Node], key: str, lines: list[Node], hoisted: bool, ways: Mapping[str, Sequence[str]]) -> None:
    """Insert ``lines`` before the first use: into the innermost block with all uses, but outside of invariant loops."""
    for line in lines:
        line.provided = key
    block, needs = body, {read for line in lines for part in line.walk() for read in part.reads}
    while True:
        users = [position for position, node in enumerate(block) if any(key in part.reads for part in node.walk())]
        first = block[users[0]]
        if len(users) > 1 or key in first.reads or first.continues or _is_invariant(first, needs, ways):
            break
        block = first.body
    position = users[0]
    while position and block[position].continues:
        position -= 1
    if hoisted:
        position = _earliest(block, position, _all_needs(needs, ways))
    while position and block[position - 1].text.startswith("#"):
        position -= 1
    block[position:position] = lines


def _is_invariant(node: Node, needs: set[str], ways: Mapping[str, Sequence[str]]) -> bool:
    """Return whether ``node`` is a loop in which nothing that the lines need changes."""
    if not node.text.startswith(("for ", "while ")):
        return False
    changing = {key for part in node.walk() for key in part.defines}
    return not changing & _all_needs(needs, ways)


def _all_needs(needs: set[str], ways: Mapping[str, Sequence[str]]) -> set[str]:
    """Return ``needs`` with the locals that the ways to obtain them may read."""
    pending, known = list(needs), set(needs)
    while pending:
        found = {read for way in ways.get(pending.pop(), ()) for read in LOCAL.findall(way)} - known
        known |= found
        pending += found
    return known


def _earliest(block: list[Node], position: int, needs: set[str]) -> int:
    """Return the first position after every definition of ``needs`` and every statement that may leave the block."""
    while position:
        before = block[position - 1]
        if before.jumps or before.text.startswith("#") or not before.text or before.continues or before.body:
            break
        if needs.intersection(before.defines):
            break
        position -= 1
    return position
