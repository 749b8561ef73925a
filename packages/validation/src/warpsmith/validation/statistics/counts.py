"""The question: how many pairs are there, how large are they, and do their texts hold what such texts hold?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from warpsmith.core.records import text_format
from warpsmith.core.records.ir import TARGETS
from warpsmith.core.records.pair import Pair
from warpsmith.validation.statistics.reading import Reading

_SIZES = ("python bytes", "python lines", "python tokens", "cpu bytes", "cuda bytes", "cuda tokens")


def empty() -> dict[str, Any]:
    """Return the look at no pairs."""
    return {"counts": {}, "categories": {}, "features": {}, "sizes": {name: [] for name in _SIZES}}


def look(state: dict[str, Any], reading: Reading) -> None:
    """Count one pair and measure its texts."""
    pair, sizes = reading.pair, state["sizes"]
    _more(state["categories"], {pair.metadata.category: 1})
    _more(state["features"], Counter(pair.metadata.features))
    sizes["python bytes"].append(len(pair.python_source.encode()))
    sizes["python lines"].append(pair.python_source.count("\n"))
    if reading.python_tokens is not None:
        sizes["python tokens"].append(len(reading.python_tokens))
    if reading.cuda_tokens is not None:
        sizes["cuda tokens"].append(len(reading.cuda_tokens))
    found = {"pairs": 1, "with backward": int(pair.metadata.has_backward), "valid python": int(reading.tree is not None)}
    for target in TARGETS[pair.metadata.device]:
        found |= _landmarks(pair, target)
        sizes[f"{target} bytes"].append(sum(len((text or "").encode()) for text in pair.code(target)))
    _more(state["counts"], found)


def _landmarks(pair: Pair, target: str) -> dict[str, int]:
    forward, backward = pair.code(target)
    name = pair.metadata.kernel_name
    found = {f"{target}: {landmark}": int(text in (forward or "")) for landmark, text in _forward_landmarks(name, target)}
    if pair.metadata.has_backward:
        opening = text_format.kernel_opening(name, target, "backward")
        found[f"{target}: backward kernel"] = int(opening in (backward or ""))
    return found


def _forward_landmarks(name: str, target: str) -> Iterator[tuple[str, str]]:
    yield "forward kernel", text_format.kernel_opening(name, target, "forward")
    if target == "cuda":
        yield from (("threadIdx", "threadIdx"), ("blockIdx", "blockIdx"))
        yield "grid-stride loop", text_format.GRID_STRIDE_STEP
    else:
        yield "entry point", text_format.entry_opening(name, target, "forward").lstrip()
        yield "block loop", f"{text_format.CPU_BLOCK_LOOP}("


def _more(counts: dict[str, int], found: dict[str, int]) -> None:
    for name, count in found.items():
        counts[name] = counts.get(name, 0) + count


def add(total: dict[str, Any], part: dict[str, Any]) -> None:
    """Put a look at other pairs into ``total``."""
    for name in ("counts", "categories", "features"):
        _more(total[name], part[name])
    for name, values in part["sizes"].items():
        total["sizes"][name] += values


def summarize(total: dict[str, Any]) -> dict[str, Any]:
    """Turn counts into tables and sizes into distributions; sizes are bytes, lines or tokens of a pair."""
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
