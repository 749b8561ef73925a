"""`export.json`: what an export holds, what was left out, what stands across its splits, and where it comes from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import orjson

from warpsmith.core.datasets.folder import Dataset
from warpsmith.core.export.clusters import ALIKE
from warpsmith.core.export.decontamination import Benchmarks
from warpsmith.core.export.leakage import leakage
from warpsmith.core.export.scan import Scan
from warpsmith.core.export.split_writers import SplitWriters

LARGE = 0.3
"""The share of all pairs from which on a family is said to be too large."""


def manifest_of(
    dataset: Dataset,
    arguments: dict[str, Any],
    found: Scan,
    benchmarks: Benchmarks,
    named: Sequence[str],
    placed: Sequence[str],
    shelf: SplitWriters,
) -> dict[str, Any]:
    """Return the manifest of an export that was written.

    Args:
        dataset: where the pairs come from.
        arguments: of the export.
        found: what the first pass found.
        benchmarks: what pairs were compared with.
        named: the family of each pair.
        placed: the split of each pair, as it was written.
        shelf: what was written.
    """
    clusters = Counter(named)
    return {
        "arguments": arguments,
        "source": _source(dataset),
        "pairs": len(found.ids),
        "lines": sum(split.lines for split in shelf.splits.values()),
        "bytes": sum(entry["bytes"] for entry in shelf.files),
        "texts": {name: found.texts[name] for name in sorted(found.texts)},
        "left_out": left_out(found, benchmarks),
        "splits": _splits(shelf, named, placed),
        "families": {
            "count": len(clusters),
            "of_several": sum(size > 1 for size in clusters.values()),
            "largest": max(clusters.values()),
            "jaccard": ALIKE,
        },
        "leakage": leakage(
            {split: [number for number, own in enumerate(placed) if own == split] for split in shelf.splits},
            found.structures,
            {"python": found.python, "code": found.code},
        ),
        "proofs": {level: dict(sorted(counts.items())) for level, counts in found.proofs.items()},
        "files": shelf.files,
    }


def left_out(found: Scan, benchmarks: Benchmarks) -> dict[str, Any]:
    """Return how many pairs were left out, and why."""
    return {
        "by_verdict": found.unproven,
        "without_texts_of_tasks": found.without_task,
        "close_to": {
            name: {"pairs": found.close[name], "texts": count, "too_short": benchmarks.short[name]}
            for name, count in benchmarks.texts.items()
        },
    }


def too_large(manifest: dict[str, Any]) -> bool:
    """Whether one family is so large that splits cannot have the sizes that were asked for."""
    return bool(manifest["families"]["largest"] > LARGE * manifest["pairs"])


def packed(manifest: dict[str, Any]) -> bytes:
    """Return the manifest as it stands in its file."""
    return orjson.dumps(manifest, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _splits(shelf: SplitWriters, named: Sequence[str], placed: Sequence[str]) -> dict[str, Any]:
    clusters = Counter(split for _, split in set(zip(named, placed, strict=True)))
    return {
        name: {
            "pairs": split.pairs,
            "share": round(split.pairs / len(placed), 6),
            "lines": split.lines,
            "families": clusters[name],
            "bytes": sum(entry["bytes"] for entry in shelf.files if entry["split"] == name),
            "categories": dict(sorted(split.categories.items())),
            "tasks": dict(split.tasks),
        }
        for name, split in shelf.splits.items()
    }


def _source(dataset: Dataset) -> dict[str, Any]:
    """Return the origin of the dataset: those fields of its manifest that do not describe its files."""
    known = dataset.manifest.to_dict() if dataset.manifest else {}
    return {name: value for name, value in known.items() if name in ("arguments", "source", "versions", "preambles")}
