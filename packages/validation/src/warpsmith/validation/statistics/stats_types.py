"""The types of `stats.json`, field by field; `notes/reference/statistics.md` explains the figures."""

from __future__ import annotations

from typing import TypedDict

from warpsmith.validation.statistics.realism_types import RealCode, RealismSummary, TransferSummary
from warpsmith.validation.statistics.resemblance_types import ProgramsSummary

Distribution = dict[str, float]
"""`mean`, `min`, `p10`, `p50`, `p90` and `max` of sizes."""


class StructuresSummary(TypedDict):
    """Duplicates by structure."""

    distinct: int
    duplicates: int
    share: float


class GroupCoverage(TypedDict):
    """The coverage of one group of Warp's reference."""

    in_warp: int
    reached: int
    missing: list[str]


class TypedCalls(TypedDict):
    """How many pairs contain a builtin with certain argument types, and how many such calls there are."""

    pairs: int
    calls: int


class SaturationStep(TypedDict):
    """How many distinct keys the first ``pairs`` pairs contain."""

    pairs: int
    builtins: int
    scalars: int
    types: int


class BuiltinsSummary(TypedDict):
    """Warp API coverage."""

    in_warp: int
    reached: int
    share: float
    unread_pairs: int
    groups: dict[str, GroupCoverage]
    least: dict[str, int]
    calls: dict[str, int]
    pairs: dict[str, int]
    not_listed_by_warp: dict[str, int]
    scalars: dict[str, dict[str, int]]
    types: dict[str, TypedCalls]
    saturation: list[SaturationStep]


class NodeShare(TypedDict):
    """The frequency of one type of syntax node."""

    nodes: int
    share: float
    pairs: int
    share_of_pairs: float


class SyntaxSummary(TypedDict):
    """Types of syntax nodes, and pairs by depth of nesting."""

    kinds: dict[str, NodeShare]
    nesting: dict[str, int]


class DuplicateExample(TypedDict):
    """A near duplicate and the earlier pair that it resembles."""

    id: str
    earlier: str
    jaccard: float


class LanguageDuplicates(TypedDict):
    """Near duplicates among the texts of one language."""

    texts: int
    near_duplicates: int
    share: float
    examples: list[DuplicateExample]


class _DuplicateSettings(TypedDict):
    jaccard: float
    shingle_tokens: int


class DuplicatesSummary(_DuplicateSettings, total=False):
    """Near duplicates by language, or the reason why they were not measured."""

    python: LanguageDuplicates
    cuda: LanguageDuplicates
    not_measured: str


class CountsSummary(TypedDict):
    """Counts of pairs and landmarks, categories and features, and distributions of sizes."""

    counts: dict[str, int]
    categories: dict[str, int]
    sizes: dict[str, Distribution]
    features: dict[str, int]


class _Totals(TypedDict):
    pairs: int
    broken_lines: int
    unread_lines: int
    bytes: int


class Share(TypedDict):
    """How much of what other kernels use also occurs in a dataset, and the counts of what does not, most frequent first."""

    all: int
    held: int
    share: float
    missing: dict[str, int]


class Shares(TypedDict):
    """The share of builtins, of builtins with argument types, and of types of syntax nodes."""

    builtin_calls: Share
    typed_calls: Share
    nodes: Share


class Comparison(TypedDict):
    """Other kernels: their name, how much of what they use the dataset contains, and their own statistics."""

    target: str
    shares: Shares
    statistics: Statistics


class _Sections(_Totals, CountsSummary):
    structures: StructuresSummary
    builtins: BuiltinsSummary
    syntax: SyntaxSummary
    alike: DuplicatesSummary
    realism: RealismSummary
    programs: ProgramsSummary


class Statistics(_Sections, total=False):
    """The content of `stats.json`.

    `shards` holds the SHA-256 digest of each measured file. `beside` is a comparison with other kernels, `real_code` one with a
    folder of real code, and `transfer` what the dataset teaches about real code; each is there if it was requested.
    """

    beside: Comparison
    real_code: RealCode
    transfer: TransferSummary
    shards: dict[str, str]
