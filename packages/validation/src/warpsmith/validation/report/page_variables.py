"""The variables of the template `page.html.j2`: the figures of a dataset, and a card for each pair."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from warpsmith.validation.statistics.stats_types import SaturationStep


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar: its name, the text at its end, its length in percent of the longest, and details."""

    name: str
    text: str
    length: float
    more: str = ""


@dataclass(frozen=True, slots=True)
class SizeFigures:
    """The sizes of the texts of one language.

    Attributes:
        name: the language.
        unit: what a size counts.
        quantiles: a size with its unit, by the percentage of the texts that are at most as large.
        plot: a histogram, as SVG.
    """

    name: str
    unit: str
    quantiles: Mapping[int, str]
    plot: str


@dataclass(frozen=True, slots=True)
class CostFigures:
    """The verdicts of one level, and the time that it takes.

    Attributes:
        level: the name of the level.
        total: the number of verdicts.
        statuses: the number of verdicts by status.
        shares: the percentage of all pairs by status, without zeros.
        median: the median time in milliseconds.
        seconds: the total time.
        rate: the number of pairs that one processor checks per second.
    """

    level: str
    total: int
    statuses: Mapping[str, int]
    shares: Mapping[str, float]
    median: str
    seconds: str
    rate: str


@dataclass(frozen=True, slots=True)
class BuiltinFigures:
    """The coverage of Warp's builtins.

    Attributes:
        reached: how many builtins are called.
        in_warp: how many builtins Warp has.
        groups: a bar for each group of Warp's reference; its details are the builtins that are not called.
        frequent: bars of the builtins that most pairs call.
        rarest: the builtins that the fewest pairs call, with the number of pairs.
        saturation: how many builtins the first pairs call.
        plot: the saturation as SVG, if it has more than one step.
    """

    reached: int
    in_warp: int
    groups: Sequence[Bar]
    frequent: Sequence[Bar]
    rarest: Sequence[tuple[str, int]]
    saturation: Sequence[SaturationStep]
    plot: str | None


class Figures(TypedDict):
    """The figures of a dataset; each key is a variable of the template.

    `facts` are pairs of a name and a text, and `missing` pairs of what the page lacks and the command that adds it. `features`
    has bars of the most frequent features, `more_features` further features with the number of pairs, and `other_features`
    counts the rest. `builtins`, `duplicates` and `nesting` are None if the dataset is not measured; a row of `duplicates` has
    the kind of duplicate, the number of pairs, and their share.
    """

    name: str
    pairs: int
    facts: list[tuple[str, str]]
    missing: list[tuple[str, str]]
    categories: list[Bar]
    features: list[Bar]
    more_features: list[tuple[str, int]]
    other_features: int
    sizes: list[SizeFigures]
    costs: list[CostFigures]
    more_costs: int
    statuses: Sequence[str]
    builtins: BuiltinFigures | None
    duplicates: list[tuple[str, str, str]] | None
    nesting: list[Bar] | None


class Card(TypedDict):
    """The fields of a pair for the list and the search of the page, as JSON values; `text` is the start of its Python."""

    id: str
    kernel: str
    category: str
    description: str
    features: list[str]
    verdicts: dict[str, str]
    text: str
