"""The profile ``stress``: constructs that Warp's compiler handles incorrectly.

Warp does not run a dynamic loop again for the backward pass, so that the values carried by the loop are unknown there. Ideas
carry sums only, which do not need them. The stress profile also scales the carried value, or leaves the loop early. A thread
also executes an atomic minimum or maximum twice, and Warp gives each of the two the whole gradient; and kernels call `wp.frac`,
whose adjoint is empty. Such kernels are correct forward, and many of their adjoints are not:
`notes/explanation/warp_findings.md` has minimal examples.
"""

from __future__ import annotations

import re

from warpsmith.synthesis.language.warp_types import FLOAT
from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.ideas.parts import Data, Domain
from warpsmith.synthesis.writing.ideas.tree import Node, parse, walk
from warpsmith.synthesis.writing.policy import (
    CARRIED_BREAK_CHANCE,
    CARRIED_LIMITS,
    FRACTION_CHANCE,
    FRACTION_FACTORS,
    REPEATED_EXTREMES,
)

_FLOAT = re.compile(r"\$(\w+) = float\(")
_VECTOR = re.compile(r"\$(\w+) = wp\.vec\d\(")
_SUM = re.compile(r"\$(\w+) \+= ")
_STATIC = re.compile(r"for \$\w+ in range\([\d, ]+\):")
_STORE = re.compile(r"({(\w+)}\[.*?\]) = (.+)")
_EXTREME = re.compile(r"wp\.atomic_m(?:in|ax)\(")


def stress(body: list[Node], domain: Domain, rng: RandomStream) -> None:
    """Add constructs that Warp differentiates incorrectly, wherever ``body`` has a place for them."""
    texts = "\n".join(node.text for node in walk(body))
    kinds = dict.fromkeys(_FLOAT.findall(texts), "float") | dict.fromkeys(_VECTOR.findall(texts), "vector")
    floats = {row.key for row in domain.parameters if isinstance(row, Data) and row.type is FLOAT}
    _stress_block(body, kinds, floats, rng, carried=False)


def _stress_block(body: list[Node], kinds: dict[str, str], floats: set[str], rng: RandomStream, *, carried: bool) -> None:
    stressed: list[Node] = []
    for node in body:
        loops = node.text.startswith("for ") and not _STATIC.fullmatch(node.text)
        _stress_block(node.body, kinds, floats, rng, carried=carried or loops)
        stressed.append(node)
        if carried and (match := _SUM.match(node.text)) and match[1] in kinds:
            stressed += parse(_carry(match[1], kinds[match[1]], rng))
        elif _EXTREME.match(node.text):
            stressed += [Node(node.text)] * rng.choice(REPEATED_EXTREMES)
        elif (store := _STORE.fullmatch(node.text)) and store[2] in floats and rng.chance(FRACTION_CHANCE):
            node.text = f"{store[1]} = {store[3]} + wp.frac({rng.choice(FRACTION_FACTORS)} * ({store[3]}))"
    body[:] = stressed


def _carry(key: str, kind: str, rng: RandomStream) -> str:
    """Return lines that make a sum depend on its previous value: a factor between 0.8 and 1 keeps it within its bounds."""
    number = f"${key}" if kind == "float" else f"${key}[0]"
    scaled = f"${key} *= 0.9 + 0.1 * wp.sin({number})"
    return f"{scaled}\nif {number} > {rng.choice(CARRIED_LIMITS)}:\n    break" if rng.chance(CARRIED_BREAK_CHANCE) else scaled
