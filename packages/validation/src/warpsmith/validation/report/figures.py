"""The figures of the page: tables and bars as the template writes them, and what is missing with the command that brings it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from warpsmith.core.datasets.folder import Dataset
from warpsmith.core.records.verdict import STATUSES
from warpsmith.validation.report import plots
from warpsmith.validation.report.scan import Judged, Survey

TEXTS = {"python": ("Python", "lines"), "cpu": ("C++", "bytes"), "cuda": ("CUDA", "bytes")}

MOST = 24
"""How many names a list of the most frequent shows."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: its name, what is written at its end, its length in percent of the longest, and what more there is to say."""

    name: str
    text: str
    length: float
    more: str = ""


def overview(dataset: Dataset, found: Survey, statistics: dict[str, Any] | None, verdicts: Judged) -> dict[str, Any]:
    """Return what the template needs, besides the pairs."""
    manifest = _manifest(dataset)
    return {
        "name": (dataset.folder.resolve() if dataset.manifest or len(dataset.shards) > 1 else dataset.shards[0]).name,
        "pairs": found.pairs,
        "facts": _facts(found, manifest, statistics),
        "missing": _missing(found, manifest, statistics, verdicts),
        "categories": bars(_most(found.categories)),
        "features": bars(_most(found.features)[:MOST]),
        "more_features": max(len(found.features) - MOST, 0),
        "sizes": [_size(name, values) for name, values in found.sizes.items() if values],
        "costs": [_cost(cost) for cost in verdicts.costs],
        "statuses": STATUSES,
        "builtins": _builtins(statistics["builtins"]) if statistics else None,
        "alike": _alike(statistics) if statistics else None,
        "nesting": _nesting(statistics["syntax"]["nesting"]) if statistics else None,
    }


def bars(counts: Iterable[tuple[str, int]]) -> list[Bar]:
    """Bars of counts, the longest filling the width."""
    listed = list(counts)
    most = max((count for _, count in listed), default=0) or 1
    return [Bar(name, f"{count:,}", round(100 * count / most, 2)) for name, count in listed]


def _most(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """The most frequent first, and those that are as frequent by their names."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def size_of(number: float) -> str:
    """Bytes for people."""
    for unit, one in (("GB", 1e9), ("MB", 1e6), ("KB", 1e3)):
        if number >= one:
            return f"{number / one:.3g} {unit}"
    return f"{number:.0f} bytes"


def _manifest(dataset: Dataset) -> dict[str, Any]:
    """What the producer says of itself; nothing if there is no manifest."""
    if dataset.manifest is None:
        return {}
    found: dict[str, Any] = orjson.loads((dataset.folder / "manifest.json").read_bytes())
    return found


def _facts(found: Survey, manifest: Mapping[str, Any], statistics: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    facts = [("pairs", f"{found.pairs:,}"), ("size", size_of(found.bytes)), ("categories", f"{len(found.categories)}")]
    if statistics:
        builtins = statistics["builtins"]
        facts.append(("Warp builtins reached", f"{builtins['reached']} of {builtins['in_warp']}"))
    if "rejects" in manifest:
        facts.append(("rejects", f"{manifest['rejects']:,}"))
    if found.broken:
        facts.append(("broken lines", f"{found.broken:,}"))
    facts += [(name, str(version)) for name, version in manifest.get("versions", {}).items()]
    arguments = manifest.get("arguments", {})
    return facts + [(name, str(arguments[name])) for name in ("seed", "device") if name in arguments]


def _missing(
    found: Survey, manifest: Mapping[str, Any], statistics: Mapping[str, Any] | None, verdicts: Judged
) -> list[tuple[str, str]]:
    """What the page would show if it were there, and the command that brings it."""
    missing = []
    if not verdicts.costs:
        missing.append(("Nothing was judged yet, or the dataset changed since.", "warpsmith-validate DIR --level gradient"))
    if statistics is None:
        missing.append(("Builtins, duplicates and syntax were not measured.", "warpsmith-validate DIR --stats"))
    elif reason := statistics["alike"].get("not_measured"):
        missing.append((f"{reason.split(':')[0]}.", reason.partition(": ")[2]))
    if not manifest:
        missing.append(("There is no manifest: arguments, versions and rejects are not known.", ""))
    if found.broken:
        missing.append((f"{found.broken:,} lines are no pairs and are in no figure.", "warpsmith-validate DIR --level schema"))
    return missing


def _size(name: str, values: list[int]) -> dict[str, Any]:
    label, unit = TEXTS[name]
    ordered = sorted(values)
    quantiles = {share: ordered[round(share / 100 * (len(ordered) - 1))] for share in (10, 50, 90, 100)}
    shown = {share: size_of(value) if unit == "bytes" else f"{value:,}" for share, value in quantiles.items()}
    return {"name": label, "unit": unit, "quantiles": shown, "plot": plots.histogram(name, values, unit)}


def _cost(cost: Any) -> dict[str, Any]:
    total = sum(cost.statuses.values())
    return {
        "level": cost.level,
        "total": total,
        "statuses": cost.statuses,
        "shares": {status: round(100 * count / total, 3) for status, count in cost.statuses.items() if count},
        "median": f"{cost.median_ms:,.{0 if cost.median_ms >= 100 else 2}f}" if cost.made else "–",
        "seconds": f"{cost.total_ms / 1000:,.1f}" if cost.made else "–",
        "rate": f"{cost.per_second:,.0f}" if cost.per_second >= 10 else f"{cost.per_second:.2g}" if cost.made else "–",
    }


def _builtins(builtins: Mapping[str, Any]) -> dict[str, Any]:
    groups = [
        Bar(name, f"{group['reached']} of {group['in_warp']}", _percent(group["reached"], group["in_warp"]),
            ", ".join(group["missing"]))
        for name, group in sorted(builtins["groups"].items())
    ]  # fmt: skip
    return {
        "reached": builtins["reached"],
        "in_warp": builtins["in_warp"],
        "groups": groups,
        "most": bars(_most(builtins["pairs"])[:MOST]),
        "least": list(builtins["least"].items()),
        "saturation": builtins["saturation"],
        "plot": plots.saturation(builtins["saturation"]) if len(builtins["saturation"]) > 1 else None,
    }


def _percent(part: float, whole: float) -> float:
    return round(100 * part / whole, 2) if whole else 0.0


def _alike(statistics: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Rows: what kind of duplicate, how many, which share."""
    rows = [("same structure as an earlier pair", statistics["structures"]["duplicates"], statistics["structures"]["share"])]
    for language, label in (("python", "Python"), ("cuda", "CUDA")):
        if found := statistics["alike"].get(language):
            rows.append((f"near duplicates, {label}", found["near_duplicates"], found["share"]))
    return [(label, f"{count:,}", f"{share:.2%}") for label, count, share in rows]


def _nesting(depths: Mapping[str, int]) -> list[Bar]:
    return bars(sorted(((depth, count) for depth, count in depths.items()), key=lambda item: int(item[0])))
