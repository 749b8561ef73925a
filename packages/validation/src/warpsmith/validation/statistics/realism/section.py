"""The section `realism` of the statistics: kernels by skeleton and feature, and the text of which samples are measured."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterable
from typing import TypedDict

from warpsmith.validation.statistics.parsed_pair import ParsedPair
from warpsmith.validation.statistics.realism import entropy, skeletons
from warpsmith.validation.statistics.realism.facts import Facts
from warpsmith.validation.statistics.realism.features import FEATURES, feature_names
from warpsmith.validation.statistics.realism.kernels import device_texts, find_kernels
from warpsmith.validation.statistics.realism_types import FeatureShare, RealismSummary

MAX_CHARACTERS = 8 << 20
"""The number of characters of text that are kept: more than two million tokens."""


class State(TypedDict):
    """Kernels, kernels by skeleton and by feature, and the first texts with their number of characters."""

    kernels: int
    skeletons: dict[str, int]
    features: dict[str, int]
    characters: int
    texts: list[str]


def empty() -> State:
    """Return the state before the first pair."""
    return {"kernels": 0, "skeletons": {}, "features": {}, "characters": 0, "texts": []}


def update(state: State, parsed: ParsedPair) -> None:
    """Count the kernels of one pair; a text that is not Python has none."""
    if parsed.tree is not None:
        add_source(state, parsed.pair.python_source, parsed.tree)


def add_source(state: State, source: str, tree: ast.Module) -> None:
    """Count the kernels of one file; one that is nested too deeply for Python's recursion is left out."""
    for kernel in find_kernels(source, tree):
        try:
            skeleton, features = skeletons.skeleton(kernel.node), feature_names(Facts(kernel))
        except RecursionError:
            continue
        state["kernels"] += 1
        _increase(state["skeletons"], [skeletons.digest(skeleton)])
        _increase(state["features"], features)
    _keep(state, device_texts(source, tree))


def _increase(counts: dict[str, int], names: Iterable[str], by: int = 1) -> None:
    for name in names:
        counts[name] = counts.get(name, 0) + by


def _keep(state: State, texts: Iterable[str]) -> None:
    """Keep texts until there are `MAX_CHARACTERS`."""
    for text in texts:
        if state["characters"] >= MAX_CHARACTERS:
            return
        state["texts"].append(text)
        state["characters"] += len(text)


def add(total: State, part: State) -> None:
    """Add the state of later pairs to ``total``."""
    total["kernels"] += part["kernels"]
    for counts, more in ((total["skeletons"], part["skeletons"]), (total["features"], part["features"])):
        for name, count in more.items():
            _increase(counts, [name], count)
    _keep(total, part["texts"])


def mixed(texts: Iterable[str]) -> list[str]:
    """Return texts in the order of their hashes, so that the first ones are a sample of all."""
    return sorted(texts, key=lambda text: hashlib.blake2b(text.encode(errors="replace")).digest())


def summarize(total: State) -> RealismSummary:
    """Return the figures of the skeletons, the self-entropy, and the share of kernels with each feature."""
    return {
        "kernels": total["kernels"],
        "skeletons": skeletons.summarize(total["skeletons"]),
        "entropy": entropy.measure(mixed(total["texts"])),
        "features": {group: {name: _share(total, name) for name in names} for group, names in FEATURES.items()},
    }


def _share(total: State, name: str) -> FeatureShare:
    kernels = total["features"].get(name, 0)
    return {"kernels": kernels, "share": round(kernels / max(total["kernels"], 1), 6)}
