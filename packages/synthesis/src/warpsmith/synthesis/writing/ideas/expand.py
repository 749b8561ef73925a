"""Expansion of an idea: its alternatives are chosen, its loops written, its hooks filled with extras."""

from __future__ import annotations

from collections.abc import Sequence

from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.ideas.notation import Choices
from warpsmith.synthesis.writing.ideas.parts import Domain, Extra, Idea
from warpsmith.synthesis.writing.ideas.tree import Node, parse


class Expansion:
    """Expands the ideas of one kernel.

    Args:
        domain: the rows to choose from.
        rng: the randomness of the kernel.
        extra_chance: the probability that a hook receives an extra; long kernels try several for each hook.
        extra_count: how many extras a hook receives at most.
    """

    def __init__(self, domain: Domain, rng: RandomStream, extra_chance: float, extra_count: int) -> None:
        self._domain = domain
        self._rng = rng
        self._extra_chance = extra_chance
        self._extra_count = extra_count
        self._loops: dict[str, str] = {}
        self._used: set[Extra] = set()
        self._returns = False

    def expand(self, idea: Idea, choices: Choices) -> list[Node]:
        """Return the statements of an idea."""
        self._returns = self._returns or "return" in idea.text
        return self._expand_block(parse(choices.resolve(idea.text)), choices)

    def _expand_block(self, body: Sequence[Node], choices: Choices) -> list[Node]:
        expanded: list[Node] = []
        for node in body:
            if node.text.startswith("hook "):
                expanded += self._fill_hook(node.text[5:], choices)
            elif node.text.startswith("each "):
                expanded += self._write_loop(node.text[5:-1], self._expand_block(node.body, choices), choices)
            else:
                if node.body:
                    node.body = self._expand_block(node.body, choices)
                expanded.append(node)
        return expanded

    def _fill_hook(self, place: str, choices: Choices) -> list[Node]:
        fitting = [extra for extra in self._domain.extras if extra.at == place and extra not in self._used]
        filled: list[Node] = []
        for _ in range(self._extra_count):
            if self._returns:  # several early returns may leave no thread
                fitting = [extra for extra in fitting if "return" not in extra.text]
            if not fitting or not self._rng.chance(self._extra_chance):
                break
            extra = fitting.pop(self._rng.below(len(fitting)))
            self._used.add(extra)
            self._returns = self._returns or "return" in extra.text
            filled += self._expand_block(parse(choices.resolve(extra.text)), choices)
        return filled

    def _write_loop(self, key: str, body: list[Node], choices: Choices) -> list[Node]:
        """Write a loop around ``body``; a kernel uses one way to write each loop."""
        if key not in self._loops:
            ways = next(loop.ways for loop in self._domain.loops if loop.key == key)
            self._loops[key] = choices.resolve(self._rng.choice(ways))
        return _put_body(parse(self._loops[key]), body)


def _put_body(loop: Sequence[Node], body: list[Node]) -> list[Node]:
    placed: list[Node] = []
    for node in loop:
        if node.text == "body":
            placed += body
        else:
            placed.append(Node(node.text, _put_body(node.body, body)))
    return placed
