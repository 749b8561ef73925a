"""The figures of the page: tables and bars for the template, and what is missing with the command that adds it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.records.verdict import STATUSES
from warpsmith.validation.report import plots
from warpsmith.validation.report.dataset_scan import LevelCost, Scan, Verdicts
from warpsmith.validation.report.page_variables import Bar, BuiltinFigures, CostFigures, Figures, SizeFigures
from warpsmith.validation.report.texts import label
from warpsmith.validation.statistics.stats_types import BuiltinsSummary, LanguageDuplicates, Statistics

TEXTS = {"python": ("Python", "lines"), "cpu": ("C++", "bytes"), "cuda": ("CUDA", "bytes")}

LISTED = 24
"""How many names a list of the most frequent contains."""

MAX_BARS, MAX_COSTS, MAX_STEPS = 100, 60, 200
"""The largest numbers of categories or groups, of levels, and of rows of other tables."""

MAX_NAMES = 1_000
"""The largest number of features that are listed."""

LONGEST_LIST = 20_000
"""The most characters of a list of names."""


def overview(dataset: Dataset, lines: Scan, statistics: Statistics | None, verdicts: Verdicts) -> Figures:
    """Return the variables of the template, except the pairs."""
    features = [(label(name), count) for name, count in _by_frequency(lines.features)]
    return {
        "name": label((dataset.folder.resolve() if dataset.manifest or len(dataset.shards) > 1 else dataset.shards[0]).name),
        "pairs": lines.pairs,
        "facts": [(label(name), label(text)) for name, text in _facts(dataset, lines, statistics)],
        "missing": _missing(dataset, lines, statistics, verdicts),
        "categories": bars(_by_frequency(lines.categories)),
        "features": bars(features[:LISTED]),
        "more_features": features[LISTED:MAX_NAMES],
        "other_features": len(features[MAX_NAMES:]),
        "sizes": [_size(name, values) for name, values in lines.sizes.items() if values],
        "costs": [_cost(cost, lines.pairs) for cost in verdicts.costs[:MAX_COSTS]],
        "more_costs": max(len(verdicts.costs) - MAX_COSTS, 0),
        "statuses": STATUSES,
        "builtins": _builtins(statistics["builtins"]) if statistics else None,
        "duplicates": _duplicates(statistics) if statistics else None,
        "nesting": _nesting(statistics["syntax"]["nesting"]) if statistics else None,
    }


def bars(counts: Iterable[tuple[str, int]]) -> list[Bar]:
    """Return bars of counts; the longest has the full width. Of many, the first are shown, and the number of the others."""
    listed = list(counts)
    largest = max((count for _, count in listed), default=0) or 1
    shown = [Bar(label(name), f"{count:,}", round(100 * count / largest, 2)) for name, count in listed[:MAX_BARS]]
    rest = len(listed) - len(shown)
    return [*shown, Bar(f"and {rest:,} others", "", 0.0)] if rest else shown


def _by_frequency(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Return the counts in descending order, and equal ones in the order of their names."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def format_bytes(number: float) -> str:
    """Return a number of bytes with a unit."""
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("KB", 1e3)):
        if number >= factor:
            return f"{number / factor:.3g} {unit}"
    return f"{number:.0f} bytes"


def _facts(dataset: Dataset, lines: Scan, statistics: Statistics | None) -> list[tuple[str, str]]:
    facts = [("pairs", f"{lines.pairs:,}"), ("size", format_bytes(lines.bytes)), ("categories", f"{len(lines.categories)}")]
    if statistics:
        builtins = statistics["builtins"]
        facts.append(("Warp builtins called", f"{builtins['reached']} of {builtins['in_warp']}"))
    manifest = dataset.manifest.to_dict() if dataset.manifest else {}
    if "rejects" in manifest:
        facts.append(("rejects", f"{manifest['rejects']:,}"))
    if lines.broken:
        facts.append(("broken lines", f"{lines.broken:,}"))
    facts += [(name, str(version)) for name, version in (manifest.get("versions") or {}).items()]
    arguments = manifest.get("arguments") or {}
    return facts + [(name, str(arguments[name])) for name in ("seed", "device") if name in arguments]


def _missing(dataset: Dataset, lines: Scan, statistics: Statistics | None, verdicts: Verdicts) -> list[tuple[str, str]]:
    """Return what the page lacks, each with the command that adds it."""
    missing = []
    if not verdicts.costs:
        missing.append(("There are no verdicts on the current content.", "warpsmith-validate run DIR --level gradient"))
    if statistics is None:
        missing.append(("Builtins, duplicates and syntax are not measured.", "warpsmith-dataset stats DIR"))
    elif reason := statistics["alike"].get("not_measured"):
        missing.append((f"{reason.split(':')[0]}.", reason.partition(": ")[2]))
    if dataset.manifest is None:
        missing.append(("There is no manifest: arguments, versions and rejects are unknown.", ""))
    if lines.broken:
        missing.append(
            (f"{lines.broken:,} lines are not pairs and are not counted.", "warpsmith-validate run DIR --level schema")
        )
    return missing


def _size(name: str, values: list[int]) -> SizeFigures:
    label, unit = TEXTS[name]
    ordered = sorted(values)
    quantiles = {share: ordered[round(share / 100 * (len(ordered) - 1))] for share in (10, 50, 90, 100)}
    texts = {share: format_bytes(value) if unit == "bytes" else f"{value:,}" for share, value in quantiles.items()}
    return SizeFigures(label, unit, texts, plots.histogram(name, values, unit))


def _cost(cost: LevelCost, pairs: int) -> CostFigures:
    total = sum(cost.statuses.values())
    denominator = max(total, pairs)  # lines that are no pairs have verdicts, too
    rate = f"{cost.per_second:,.0f}" if cost.per_second >= 10 else f"{cost.per_second:.2g}"
    return CostFigures(
        level=label(cost.level),
        total=total,
        statuses=cost.statuses,
        shares={status: round(100 * count / denominator, 3) for status, count in cost.statuses.items() if count},
        median=f"{cost.median_ms:,.{0 if cost.median_ms >= 100 else 2}f}" if cost.checked else "–",
        seconds=f"{cost.total_ms / 1000:,.1f}" if cost.checked else "–",
        rate=rate if cost.checked else "–",
    )


def _builtins(builtins: BuiltinsSummary) -> BuiltinFigures:
    groups = [
        Bar(
            label(name),
            f"{group['reached']} of {group['in_warp']}",
            _percent(group["reached"], group["in_warp"]),
            label(", ".join(group["missing"]), LONGEST_LIST),
        )
        for name, group in sorted(builtins["groups"].items())[:MAX_BARS]
    ]
    return BuiltinFigures(
        reached=builtins["reached"],
        in_warp=builtins["in_warp"],
        groups=groups,
        frequent=bars(_by_frequency(builtins["pairs"])[:LISTED]),
        rarest=[(label(name), count) for name, count in list(builtins["least"].items())[:MAX_BARS]],
        saturation=builtins["saturation"][:MAX_STEPS],
        plot=plots.saturation(builtins["saturation"]) if len(builtins["saturation"]) > 1 else None,
    )


def _percent(part: float, total: float) -> float:
    return round(100 * part / total, 2) if total else 0.0


def _duplicates(statistics: Statistics) -> list[tuple[str, str, str]]:
    """Return rows of a kind of duplicate, the number of pairs, and their share."""
    structures, near = statistics["structures"], statistics["alike"]
    rows = [("same structure as an earlier pair", f"{structures['duplicates']:,}", f"{structures['share']:.2%}")]
    if "python" in near:
        rows.append(_near_duplicates("Python", near["python"]))
    if "cuda" in near:
        rows.append(_near_duplicates("CUDA", near["cuda"]))
    return rows


def _near_duplicates(label: str, found: LanguageDuplicates) -> tuple[str, str, str]:
    return f"near duplicates, {label}", f"{found['near_duplicates']:,}", f"{found['share']:.2%}"


def _nesting(depths: Mapping[str, int]) -> list[Bar]:
    return bars(sorted(depths.items(), key=lambda item: int(item[0])))
