"""Prints the figures of kernels and functions, and the resemblance to a project."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from warpsmith.core import terminal
from warpsmith.validation.statistics.resemblance.program_figures import DEPTHS, SAMPLES, STATEMENTS
from warpsmith.validation.statistics.resemblance.traits import TRAITS
from warpsmith.validation.statistics.resemblance_types import ClassifierSummary, ProgramsSummary, ResemblanceSummary

Cell: TypeAlias = Callable[[ProgramsSummary], str]


def print_programs(columns: Sequence[tuple[str, ProgramsSummary]]) -> None:
    """Print a table with a column for each name and its figures."""
    rows = [(label, *(cell(summary) for _, summary in columns)) for label, cell in _cells()]
    terminal.print_table("kernels and functions", ["", *(name for name, _ in columns)], rows)
    traits = [(f"  {trait}", *(_trait(summary, trait) for _, summary in columns)) for trait in TRAITS]
    terminal.print_table("kernels, functions with a trait", ["", *(name for name, _ in columns)], traits)


def _cells() -> list[tuple[str, Cell]]:
    return [
        ("kernels, functions", lambda summary: f"{summary['kernels']:,}, {summary['functions']:,}"),
        ("kernels that call a function of the project", lambda summary: _depth(summary, DEPTHS[0])),
        ("  depth of calls 2 or more", lambda summary: _depth(summary, DEPTHS[1])),
        ("  depth of calls 3 or more", lambda summary: _depth(summary, DEPTHS[2])),
        ("tokens in functions", lambda summary: f"{summary['function_tokens']:.1%}"),
        ("distinct skeletons of functions", lambda summary: f"{summary['function_skeletons']:,}"),
        *((f"kernels of {least} statements or more", _statements(least)) for least in STATEMENTS),
        ("components, of 35 to 60 statements", _mean),
        ("  three components or more", lambda summary: f"{summary['components']['three_or_more']:.1%}"),
        ("distinct names of locals", lambda summary: f"{summary['locals']['distinct']:,}"),
        *((f"  expected in {sample:,} kernels", _expected(sample)) for sample in SAMPLES),
        ("  per 1,000 kernels", lambda summary: f"{1_000 * summary['locals']['distinct'] / max(summary['kernels'], 1):,.0f}"),
    ]


def _depth(summary: ProgramsSummary, least: int) -> str:
    return f"{summary['call_depths'][str(least)]:.1%}"


def _statements(least: int) -> Cell:
    return lambda summary: f"{summary['statements'][str(least)]:.1%}"


def _mean(summary: ProgramsSummary) -> str:
    components = summary["components"]
    return f"{components['mean']:.2f} ({components['kernels']:,} kernels)" if components["kernels"] else "-"


def _expected(sample: int) -> Cell:
    def cell(summary: ProgramsSummary) -> str:
        names = summary["locals"]["expected"].get(str(sample))
        return "-" if names is None else f"{names:,.0f}"

    return cell


def _trait(summary: ProgramsSummary, name: str) -> str:
    shares = summary["traits"][name]
    return f"{shares['kernels']:.1%}, {shares['functions']:.1%}"


def print_resemblance(project: str, summary: ResemblanceSummary) -> None:
    """Print the bits per token, the areas under the curve, and the features of the classifier."""
    columns = ("", "training tokens", "dataset", "reference", "ratio")
    rows = [
        (
            view,
            f"{bits['tokens']:,}",
            *(_number(bits[name], 2) for name in ("bits", "reference_bits")),
            _number(bits["ratio"], 3),
        )
        for view, bits in summary["bits"].items()
    ]
    terminal.print_table(f"bits per token of {project}, with roles", columns, rows)
    terminal.out.print(f"reference: {summary['reference']}", soft_wrap=True)
    areas = [
        (view, f"{found['kernels']:,}", *(_number(area, 3) for area in _areas(found)))
        for view, found in summary["classifier"].items()
    ]
    terminal.print_table(
        f"area under the curve, told from {project}", ("", "kernels of each", "dataset", "reference", "transferred"), areas
    )
    for view, found in summary["classifier"].items():
        _print_features(view, project, found)


def _areas(found: ClassifierSummary) -> tuple[float | None, float | None, float | None]:
    return found["auc"], found["reference_auc"], found["transferred_auc"]


def _print_features(view: str, project: str, found: ClassifierSummary) -> None:
    for name, weights in (("the dataset", found["dataset"]), (project, found["project"])):
        listed = "  ".join(f"{entry['feature']} ({entry['weight']:.1f})" for entry in weights)
        terminal.out.print(f"{view}, typical of {name}: {listed or '-'}", soft_wrap=True)


def _number(value: float | None, digits: int) -> str:
    return "-" if value is None else f"{value:.{digits}f}"
