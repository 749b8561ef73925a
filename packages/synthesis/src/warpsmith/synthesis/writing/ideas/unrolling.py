"""Unrolling: short loops over components become statements with constant subscripts, as authors write them out."""

from __future__ import annotations

import re
from collections import Counter

from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.ideas.notation import LOCAL, UNROLLED
from warpsmith.synthesis.writing.ideas.tree import Node, parse, render, walk
from warpsmith.synthesis.writing.policy import MAX_UNROLLED_STATEMENTS

_LOOP = re.compile(r"for \$(\w+) in range\(([2-4])\):")
_OTHER_BLOCKS = ("for ", "while ", "break", "continue", "return", "#")


def unroll(body: list[Node], rng: RandomStream, chance: float) -> None:
    """Replace loops over literals whose counters are subscripts only; ``body`` is changed in place.

    Args:
        body: the statements.
        rng: the randomness of the kernel.
        chance: the probability that such a loop is unrolled.
    """
    uses = Counter(key for node in walk(body) for key in LOCAL.findall(node.text))
    _unroll_block(body, uses, rng, chance)


def _unroll_block(block: list[Node], uses: Counter[str], rng: RandomStream, chance: float) -> None:
    position = 0
    while position < len(block):
        node = block[position]
        match = _LOOP.fullmatch(node.text)
        if match and _may_unroll(node.body, match[1]) and rng.chance(chance):
            copies = _copies(node.body, match[1], int(match[2]), uses)
            block[position : position + 1] = copies
            position += len(copies)
            continue
        _unroll_block(node.body, uses, rng, chance)
        position += 1


def _may_unroll(body: list[Node], counter: str) -> bool:
    nodes = list(walk(body))
    if len(nodes) > MAX_UNROLLED_STATEMENTS or any(node.text.startswith(_OTHER_BLOCKS) for node in nodes):
        return False
    uses = [match for node in nodes for match in re.finditer(rf"\${counter}\b", node.text)]
    return bool(uses) and all(node.text for node in nodes) and all(map(_is_subscript, uses))


def _is_subscript(use: re.Match[str]) -> bool:
    """Return whether a use of a counter is a subscript as a whole."""
    text, depth = use.string, 0
    if not text.startswith(("]", ","), use.end()):
        return False
    for position in range(use.start() - 1, -1, -1):
        depth += (text[position] in ")]") - (text[position] in "([")
        if depth < 0:
            before = text[position + 1 : use.start()].rstrip()
            return text[position] == "[" and (not before or before.endswith(","))
    return False


def _copies(body: list[Node], counter: str, count: int, uses: Counter[str]) -> list[Node]:
    """Return the statements of each iteration; locals of the loop differ between them."""
    text = "\n".join(render(body))
    inside = Counter(LOCAL.findall(text))
    assigned = {key for node in walk(body) for key in node.defines}
    renamed = [key for key in assigned if inside[key] == uses[key]]
    copies: list[Node] = []
    for number in range(count):
        part = re.sub(rf"\${counter}\b", str(number), text)
        for key in renamed:
            part = re.sub(rf"\${key}\b", f"${key}{UNROLLED}{number}", part)
        copies += parse(part)
    return copies
