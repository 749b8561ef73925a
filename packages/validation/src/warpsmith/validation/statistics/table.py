"""What `stats.json` holds, as compact tables for a terminal; with other kernels beside, as one more column."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from warpsmith.core.commands import terminal

_BARS = "▁▂▃▄▅▆▇█"
_NAMES = 8
"""How many names a list shows; `stats.json` holds them all."""

Summary = dict[str, Any]
Row = tuple[str, ...]


def print_statistics(statistics: Summary) -> None:
    """Print the tables."""
    beside = statistics.get("beside")
    columns = ["", "dataset"] + ([beside["target"]] if beside else [])
    summaries = [statistics, *([beside["statistics"]] if beside else [])]
    terminal.print_table("statistics", columns, _counts(summaries))
    terminal.print_table("Warp's builtins reached", columns, _builtins(summaries))
    terminal.print_table("syntax", columns, _syntax(summaries))
    if reason := statistics["alike"].get("not_measured"):
        terminal.out.print(reason, markup=False, soft_wrap=True)
    else:
        terminal.print_table("near duplicates", columns, _alike(summaries))
    _print_saturation(statistics["builtins"]["saturation"])
    _print_lists(statistics)
    if beside:
        _print_shares(beside)


def _row(name: str, summaries: list[Summary], text: Callable[[Summary], str]) -> Row:
    return (name, *map(text, summaries))


def _counts(summaries: list[Summary]) -> list[Row]:
    first = summaries[0]
    rows = [
        _row("pairs", summaries, lambda one: f"{one['pairs']:,}"),
        _row("broken lines", summaries, lambda one: f"{one['broken_lines']:,}"),
    ]
    if any(one["unread_lines"] for one in summaries):
        rows.append(_row("lines that could not be measured", summaries, lambda one: f"{one['unread_lines']:,}"))
    rows.append(_row("Python is valid", summaries, partial(_counted, table="counts", name="valid python")))
    landmarks = [name for name in first["counts"] if name.startswith(("cpu:", "cuda:"))]
    rows += [_row(name, summaries, partial(_counted, table="counts", name=name)) for name in landmarks]
    for name, label in (("python bytes", "Python"), ("cpu bytes", "C++"), ("cuda bytes", "CUDA")):
        if any(name in one["sizes"] for one in summaries):
            rows.append(_row(f"{label} bytes, median (10%, 90%, most)", summaries, partial(_spread, name=name)))
    rows.append(_row("structural duplicates", summaries, lambda one: _share(one["structures"], "duplicates")))
    rows += [_row(f"  {name}", summaries, partial(_counted, table="categories", name=name)) for name in first["categories"]]
    rows.append(_row("total size", summaries, lambda one: f"{one['bytes']:,} bytes"))
    return rows


def _counted(summary: Summary, table: str, name: str) -> str:
    return f"{summary[table].get(name, 0):,}"


def _spread(summary: Summary, name: str) -> str:
    sizes = summary["sizes"].get(name)
    return f"{sizes['p50']:,.0f} ({sizes['p10']:,.0f}, {sizes['p90']:,.0f}, {sizes['max']:,.0f})" if sizes else "-"


def _share(found: dict[str, Any], what: str) -> str:
    return f"{found[what]:,} ({found['share']:.2%})"


def _builtins(summaries: list[Summary]) -> list[Row]:
    rows = [_row("all", summaries, lambda one: f"{one['builtins']['reached']} of {one['builtins']['in_warp']}")]
    rows += [_row(f"  {group}", summaries, partial(_of_group, group=group)) for group in summaries[0]["builtins"]["groups"]]
    for table, label in (("scalars", "builtin and scalar type"), ("types", "builtin and argument types")):
        rows.append(_row(label, summaries, partial(_distinct, table=table)))
    return rows


def _of_group(summary: Summary, group: str) -> str:
    entry = summary["builtins"]["groups"][group]
    return f"{entry['reached']} of {entry['in_warp']}"


def _distinct(summary: Summary, table: str) -> str:
    steps = summary["builtins"]["saturation"]
    return f"{steps[-1][table] if steps else 0:,}"


def _syntax(summaries: list[Summary]) -> list[Row]:
    rows = [_row("kinds of nodes", summaries, lambda one: f"{len(one['syntax']['kinds'])}")]
    rows.append(_row("control flow nests 0, 1, 2, … deep", summaries, _nesting))
    for name in ("python lines", "python tokens", "cuda tokens"):
        label = f"{name.replace('python', 'Python').replace('cuda', 'CUDA')}, median (10%, 90%, most)"
        rows.append(_row(label, summaries, partial(_spread, name=name)))
    return rows


def _nesting(summary: Summary) -> str:
    depths = summary["syntax"]["nesting"]
    pairs = max(sum(depths.values()), 1)
    return (
        ", ".join(f"{depths.get(str(level), 0) / pairs:.0%}" for level in range(max(map(int, depths), default=-1) + 1)) or "-"
    )


def _alike(summaries: list[Summary]) -> list[Row]:
    labels = (("python", "Python"), ("cuda", "CUDA"))
    return [_row(label, summaries, partial(_near, language=language)) for language, label in labels]


def _near(summary: Summary, language: str) -> str:
    return _share(summary["alike"][language], "near_duplicates")


def _print_saturation(steps: list[dict[str, int]]) -> None:
    labels = (("builtins", "builtins"), ("scalars", "and scalar type"), ("types", "and argument types"))
    rows = [(f"{step['pairs']:,}", *(f"{step[table]:,}" for table, _ in labels)) for step in steps]
    if steps:
        rows.append(("", *(_sparkline([step[table] for step in steps]) for table, _ in labels)))
        terminal.print_table("different ones among the first pairs", ("pairs", *(label for _, label in labels)), rows)


def _sparkline(values: list[int]) -> str:
    most = max(*values, 1)
    return "".join(_BARS[(len(_BARS) - 1) * value // most] for value in values)


def _print_lists(statistics: Summary) -> None:
    builtins = statistics["builtins"]
    least = [f"{name} {count}" for name, count in builtins["least"].items()]
    terminal.out.print(f"rarest builtins, by pairs: {', '.join(least) or 'none'}", markup=False, soft_wrap=True)
    for group, entry in builtins["groups"].items():
        if entry["missing"]:
            terminal.out.print(f"missing of {group}: {_some(entry['missing'])}", markup=False, soft_wrap=True)


def _some(names: Iterable[str]) -> str:
    listed = list(names)
    more = len(listed) - _NAMES
    return ", ".join(listed[:_NAMES]) + (f" and {more} more" if more > 0 else "")


def _print_shares(beside: Summary) -> None:
    labels = (
        ("builtin_calls", "calls of the same builtins"),
        ("typed_calls", "calls with the same types"),
        ("nodes", "syntax nodes of the same kinds"),
    )
    found = {label: beside["shares"][name] for name, label in labels}
    rows = [(label, f"{one['held']:,} of {one['all']:,}", f"{one['share']:.1%}") for label, one in found.items()]
    terminal.print_table(f"what the dataset holds of {beside['target']}", ("", "", "share"), rows)
    for label, one in found.items():
        missing = _some(f"{key} {count}" for key, count in one["missing"].items())
        terminal.out.print(f"missing of {label}: {missing or 'nothing'}", markup=False, soft_wrap=True)
