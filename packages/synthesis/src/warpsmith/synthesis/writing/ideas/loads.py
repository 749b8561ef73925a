"""Loads: elements of inputs that a kernel uses become locals, as authors write who load first and compute with locals."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from warpsmith.synthesis.random_stream import RandomStream
from warpsmith.synthesis.writing.ideas.notation import PARAMETER
from warpsmith.synthesis.writing.ideas.parts import Data, Domain
from warpsmith.synthesis.writing.ideas.roles import find_roles
from warpsmith.synthesis.writing.ideas.tree import Node, render, walk
from warpsmith.synthesis.writing.policy import LOADED_CHANCE

LOADED = "__e"
"""The end of the keys of these locals."""

_PLURALS = (
    *(("series", "series"), ("species", "species"), ("matrices", "matrix"), ("axes", "axis")),
    *(("biases", "bias"), ("caches", "cache"), ("ches", "ch"), ("shes", "sh")),
    *(("ities", "ity"), ("ies", "y"), ("ices", "ex"), ("sses", "ss"), ("xes", "x"), ("ses", "se"), ("s", "")),
)
_MARKS = ("_in", "_array", "_arr", "_buf", "_list", "_field", "_all")
_LAZY = re.compile(r"\b(?:and|or)\b|.\bif\b")
"""What may protect an index within a statement, whose first ``if`` begins a branch."""

_KEPT = ("ss", "us", "is", "as", "_des", "_res", "mises")
"""Ends of words that are no plurals."""


def load_elements(body: list[Node], domain: Domain, threads: Iterable[str], rng: RandomStream) -> None:
    """Assign elements of inputs at the thread's indices to locals before the first statement that uses them.

    Args:
        body: the statements, which are changed in place.
        domain: the rows of the arrays.
        threads: the keys of the thread indices.
        rng: the randomness of the kernel.
    """
    if not rng.chance(LOADED_CHANCE):
        return
    index = ", ".join(f"${key}" for key in threads)
    depth = index.count("$")
    data = (row for row in domain.parameters if isinstance(row, Data) and not row.indexed)
    arrays = {row.key for row in data if len(row.dims.split()) == depth}
    roles = find_roles(render(body))
    for key in dict.fromkeys(PARAMETER.findall("\n".join(node.text for node in walk(body)))):
        element = f"{{{key}}}[{index}]"
        if key in arrays and roles.get(key) == "input":
            _load(body, key, element)


def _load(body: list[Node], key: str, element: str) -> None:
    """Assign an element to a local, unless it has one, or a branch or loop is the only place that uses it."""
    users = [node for node in body if any(element in part.text for part in node.walk() if not part.text.startswith("#"))]
    if not users or any(node.text.endswith(f" = {element}") for node in walk(body)):
        return
    if element not in users[0].text or users[0].continues or _LAZY.search(users[0].text):
        return
    position = body.index(users[0])
    while position and body[position - 1].text.startswith("#"):
        position -= 1
    local = f"${key}{LOADED}"
    for node in walk(body):
        if not node.text.startswith("#"):
            node.text = node.text.replace(element, local)
    body.insert(position, Node(f"{local} = {element}"))


def element_names(body: Iterable[Node], texts: Mapping[str, str]) -> dict[str, str]:
    """Return candidates for the names of the locals that `load_elements` adds, by key.

    Args:
        body: the statements.
        texts: the text of each parameter.
    """
    found: dict[str, str] = {}
    for node in body:
        for key in node.defines:
            if key.endswith(LOADED):
                found[key] = _element_of(texts[key.removesuffix(LOADED)].rpartition(".")[2])
    return found


def _element_of(name: str) -> str:
    """Return the name of an element of an array: the singular, or the name with a mark."""
    for mark in _MARKS:
        name = name.removesuffix(mark)
    if len(name) > 3 and not name.endswith(_KEPT):
        for plural, singular in _PLURALS:
            if name.endswith(plural):
                return name.removesuffix(plural) + singular
    return f"{name}_i"
