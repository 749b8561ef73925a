"""Counts of pairs, sizes of their texts, and landmarks that generated code contains."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TypedDict

import numpy as np

from warpsmith.core.records import text_format
from warpsmith.core.records.ir import TARGETS
from warpsmith.core.records.pair import Pair
from warpsmith.validation.statistics.parsed_pair import ParsedPair
from warpsmith.validation.statistics.stats_types import CountsSummary

_SIZES = ("python bytes", "python lines", "python tokens", "cpu bytes", "cuda bytes", "cuda tokens")


class State(TypedDict):
    """Pairs with each landmark, category and feature, and the sizes of all pairs."""

    counts: dict[str, int]
    categories: dict[str, int]
    features: dict[str, int]
    sizes: dict[str, list[int]]


def empty() -> State:
    """Return the state before the first pair."""
    return {"counts": {}, "categories": {}, "features": {}, "sizes": {name: [] for name in _SIZES}}


def update(state: State, parsed: ParsedPair) -> None:
    """Count one pair and measure its texts."""
    pair, sizes = parsed.pair, state["sizes"]
    _increase(state["categories"], {pair.metadata.category: 1})
    _increase(state["features"], Counter(pair.metadata.features))
    sizes["python bytes"].append(len(pair.python_source.encode()))
    sizes["python lines"].append(pair.python_source.count("\n"))
    if parsed.python_tokens is not None:
        sizes["python tokens"].append(len(parsed.python_tokens))
    if parsed.cuda_tokens is not None:
        sizes["cuda tokens"].append(len(parsed.cuda_tokens))
    counts = {"pairs": 1, "with backward": int(pair.metadata.has_backward), "valid python": int(parsed.tree is not None)}
    for target in TARGETS[pair.metadata.device]:
        counts |= _landmarks(pair, target)
        sizes[f"{target} bytes"].append(sum(len((text or "").encode()) for text in pair.code(target)))
    _increase(state["counts"], counts)


def _landmarks(pair: Pair, target: str) -> dict[str, int]:
    forward, backward = pair.code(target)
    name = pair.metadata.kernel_name
    counts = {f"{target}: {landmark}": int(text in (forward or "")) for landmark, text in _forward_landmarks(name, target)}
    if pair.metadata.has_backward:
        opening = text_format.kernel_opening(name, target, "backward")
        counts[f"{target}: backward kernel"] = int(opening in (backward or ""))
    return counts


def _forward_landmarks(name: str, target: str) -> Iterator[tuple[str, str]]:
    yield "forward kernel", text_format.kernel_opening(name, target, "forward")
    if target == "cuda":
        yield from (("threadIdx", "threadIdx"), ("blockIdx", "blockIdx"))
        yield "grid-stride loop", text_format.GRID_STRIDE_STEP
    else:
        yield "entry point", text_format.entry_opening(name, target, "forward").lstrip()
        yield "block loop", f"{text_format.CPU_BLOCK_LOOP}("


def _increase(counts: dict[str, int], more: Mapping[str, int]) -> None:
    for name, count in more.items():
        counts[name] = counts.get(name, 0) + count


def add(total: State, part: State) -> None:
    """Add the state of later pairs to ``total``."""
    _increase(total["counts"], part["counts"])
    _increase(total["categories"], part["categories"])
    _increase(total["features"], part["features"])
    for name, values in part["sizes"].items():
        total["sizes"][name] += values


def summarize(total: State) -> CountsSummary:
    """Return counts, and distributions of sizes in bytes, lines or tokens per pair."""
    return {
        "counts": dict(sorted(total["counts"].items())),
        "categories": dict(sorted(total["categories"].items())),
        "sizes": {name: _distribution(values) for name, values in total["sizes"].items() if values},
        "features": dict(sorted(total["features"].items())),
    }


def _distribution(values: Sequence[int]) -> dict[str, float]:
    array = np.asarray(values)
    shares = {f"p{share}": float(np.percentile(array, share)) for share in (10, 50, 90)}
    return {"mean": round(float(array.mean()), 1), "min": float(array.min()), **shares, "max": float(array.max())}
