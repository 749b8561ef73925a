"""Prints the content of `stats.json` as tables on a terminal, with one more column for a comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from warpsmith.core import terminal
from warpsmith.validation.statistics.realism.realism_table import Column, print_realism
from warpsmith.validation.statistics.resemblance.resemblance_table import print_programs, print_resemblance
from warpsmith.validation.statistics.stats_types import Comparison, LanguageDuplicates, SaturationStep, Statistics

_BARS = "▁▂▃▄▅▆▇█"
_NAMES = 8
"""How many names a list shows; `stats.json` contains all of them."""

Row = tuple[str, ...]


def print_statistics(statistics: Statistics) -> None:
    """Print the tables."""
    comparison = statistics.get("beside")
    columns = ["", "dataset"] + ([comparison["target"]] if comparison else [])
    summaries = [statistics, *([comparison["statistics"]] if comparison else [])]
    terminal.print_table("statistics", columns, _count_rows(summaries))
    terminal.print_table("Warp builtins called", columns, _builtin_rows(summaries))
    terminal.print_table("syntax", columns, _syntax_rows(summaries))
    if reason := statistics["alike"].get("not_measured"):
        terminal.out.print(reason, soft_wrap=True)
    else:
        terminal.print_table("near duplicates", columns, _duplicate_rows(summaries))
    print_realism(_realism_columns(statistics))
    _print_programs(statistics)
    _print_saturation(statistics["builtins"]["saturation"])
    _print_lists(statistics)
    if comparison:
        _print_comparison(comparison)


def _realism_columns(statistics: Statistics) -> list[Column]:
    columns = [Column("dataset", statistics["realism"], statistics.get("transfer"))]
    if comparison := statistics.get("beside"):
        other = comparison["statistics"]
        columns.append(Column(comparison["target"], other["realism"], other.get("transfer")))
    if code := statistics.get("real_code"):
        columns.append(Column(code["target"], code["realism"], code.get("transfer")))
    return columns


def _print_programs(statistics: Statistics) -> None:
    columns = [("dataset", statistics["programs"])]
    if comparison := statistics.get("beside"):
        columns.append((comparison["target"], comparison["statistics"]["programs"]))
    if code := statistics.get("real_code"):
        columns.append((code["target"], code["programs"]))
    print_programs(columns)
    if code and (resemblance := code.get("resemblance")):
        print_resemblance(code["target"], resemblance)


def _row(name: str, summaries: list[Statistics], text: Callable[[Statistics], str]) -> Row:
    return (name, *map(text, summaries))


def _count_rows(summaries: list[Statistics]) -> list[Row]:
    first = summaries[0]
    rows = [
        _row("pairs", summaries, lambda summary: f"{summary['pairs']:,}"),
        _row("broken lines", summaries, lambda summary: f"{summary['broken_lines']:,}"),
    ]
    if any(summary["unread_lines"] for summary in summaries):
        rows.append(_row("lines that could not be measured", summaries, lambda summary: f"{summary['unread_lines']:,}"))
    landmarks = [name for name in first["counts"] if name.startswith(("cpu:", "cuda:"))]
    for name, label in (("valid python", "valid Python"), *((name, name) for name in landmarks)):
        rows.append(_row(label, summaries, partial(_count, name=name)))
    for name, label in (("python bytes", "Python"), ("cpu bytes", "C++"), ("cuda bytes", "CUDA")):
        if any(name in summary["sizes"] for summary in summaries):
            rows.append(_row(f"{label} bytes, median (10%, 90%, largest)", summaries, partial(_quantiles, name=name)))
    rows.append(_row("structural duplicates", summaries, _structural))
    rows += [_row(f"  {name}", summaries, partial(_category, name=name)) for name in first["categories"]]
    rows.append(_row("total size", summaries, lambda summary: f"{summary['bytes']:,} bytes"))
    return rows


def _count(summary: Statistics, name: str) -> str:
    return f"{summary['counts'].get(name, 0):,}"


def _structural(summary: Statistics) -> str:
    return _with_share(summary["structures"]["duplicates"], summary["structures"]["share"])


def _category(summary: Statistics, name: str) -> str:
    return f"{summary['categories'].get(name, 0):,}"


def _quantiles(summary: Statistics, name: str) -> str:
    sizes = summary["sizes"].get(name)
    return f"{sizes['p50']:,.0f} ({sizes['p10']:,.0f}, {sizes['p90']:,.0f}, {sizes['max']:,.0f})" if sizes else "-"


def _with_share(count: int, share: float) -> str:
    return f"{count:,} ({share:.2%})"


def _builtin_rows(summaries: list[Statistics]) -> list[Row]:
    rows = [
        _row("all groups", summaries, lambda summary: f"{summary['builtins']['reached']} of {summary['builtins']['in_warp']}")
    ]
    rows += [_row(f"  {group}", summaries, partial(_group, group=group)) for group in summaries[0]["builtins"]["groups"]]
    rows.append(_row("with distinct scalar types", summaries, lambda summary: f"{_last(summary)['scalars']:,}"))
    rows.append(_row("with distinct argument types", summaries, lambda summary: f"{_last(summary)['types']:,}"))
    return rows


def _group(summary: Statistics, group: str) -> str:
    entry = summary["builtins"]["groups"][group]
    return f"{entry['reached']} of {entry['in_warp']}"


def _last(summary: Statistics) -> SaturationStep:
    steps = summary["builtins"]["saturation"]
    return steps[-1] if steps else {"pairs": 0, "builtins": 0, "scalars": 0, "types": 0}


def _syntax_rows(summaries: list[Statistics]) -> list[Row]:
    rows = [_row("types of nodes", summaries, lambda summary: f"{len(summary['syntax']['kinds'])}")]
    rows.append(_row("pairs with nesting depth 0, 1, 2, …", summaries, _nesting))
    for name in ("python lines", "python tokens", "cuda tokens"):
        label = f"{name.replace('python', 'Python').replace('cuda', 'CUDA')}, median (10%, 90%, largest)"
        rows.append(_row(label, summaries, partial(_quantiles, name=name)))
    return rows


def _nesting(summary: Statistics) -> str:
    depths = summary["syntax"]["nesting"]
    pairs = max(sum(depths.values()), 1)
    return (
        ", ".join(f"{depths.get(str(level), 0) / pairs:.0%}" for level in range(max(map(int, depths), default=-1) + 1)) or "-"
    )


def _duplicate_rows(summaries: list[Statistics]) -> list[Row]:
    return [
        _row("Python", summaries, lambda summary: _near_duplicates(summary["alike"]["python"])),
        _row("CUDA", summaries, lambda summary: _near_duplicates(summary["alike"]["cuda"])),
    ]


def _near_duplicates(found: LanguageDuplicates) -> str:
    return _with_share(found["near_duplicates"], found["share"])


def _print_saturation(steps: list[SaturationStep]) -> None:
    if not steps:
        return
    counts = [(step["builtins"], step["scalars"], step["types"]) for step in steps]
    rows = [(f"{step['pairs']:,}", *(f"{count:,}" for count in row)) for step, row in zip(steps, counts, strict=True)]
    rows.append(("", *map(_sparkline, zip(*counts, strict=True))))
    columns = ("first pairs", "builtins", "with scalar type", "with argument types")
    terminal.print_table("distinct builtins in the first pairs", columns, rows)


def _sparkline(values: Sequence[int]) -> str:
    largest = max(*values, 1)
    return "".join(_BARS[(len(_BARS) - 1) * value // largest] for value in values)


def _print_lists(statistics: Statistics) -> None:
    builtins = statistics["builtins"]
    least = [f"{name} {count}" for name, count in builtins["least"].items()]
    terminal.out.print(f"rarest builtins, by pairs: {', '.join(least) or 'none'}", soft_wrap=True)
    for group, entry in builtins["groups"].items():
        if entry["missing"]:
            terminal.out.print(f"not called in {group}: {_shortened(entry['missing'])}", soft_wrap=True)


def _shortened(names: Iterable[str]) -> str:
    listed = list(names)
    more = len(listed) - _NAMES
    return ", ".join(listed[:_NAMES]) + (f" and {more} more" if more > 0 else "")


def _print_comparison(comparison: Comparison) -> None:
    shares = {
        "calls of the same builtins": comparison["shares"]["builtin_calls"],
        "calls with the same types": comparison["shares"]["typed_calls"],
        "syntax nodes of the same types": comparison["shares"]["nodes"],
    }
    rows = [(label, f"{share['held']:,} of {share['all']:,}", f"{share['share']:.1%}") for label, share in shares.items()]
    terminal.print_table(f"coverage of {comparison['target']} by the dataset", ("", "", "share"), rows)
    for label, share in shares.items():
        missing = _shortened(f"{key} {count}" for key, count in share["missing"].items())
        terminal.out.print(f"missing {label}: {missing or 'none'}", soft_wrap=True)
