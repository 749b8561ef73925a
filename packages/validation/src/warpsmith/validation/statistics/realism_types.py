"""The types of the field `realism` of `stats.json`."""

from __future__ import annotations

from typing import TypedDict

from warpsmith.validation.statistics.resemblance_types import ProgramsSummary, ResemblanceSummary


class SkeletonsSummary(TypedDict):
    """Statement skeletons of kernels."""

    distinct: int
    distinct_share: float
    top_share: float


class EntropySample(TypedDict):
    """The size of a sample of Python, and its size after compression, per byte and per token."""

    bytes: int
    tokens: int
    bits_per_byte: float
    bits_per_token: float


class FeatureShare(TypedDict):
    """How many kernels have a feature."""

    kernels: int
    share: float


class RealismSummary(TypedDict):
    """Kernels, their skeletons, the self-entropy of their text, and their features by group and name."""

    kernels: int
    skeletons: SkeletonsSummary
    entropy: list[EntropySample]
    features: dict[str, dict[str, FeatureShare]]


class TransferStep(TypedDict):
    """Bits per held-out token after learning from some number of tokens; None where the reference has fewer tokens."""

    tokens: int
    bits: float
    reference_bits: float | None
    ratio: float | None


class TransferSummary(TypedDict):
    """The transfer ratio at ``tokens`` training tokens, and the curve over their number."""

    reference: str
    held_out: str
    reference_tokens: int
    held_out_tokens: int
    available_tokens: int
    tokens: int
    ratio: float | None
    steps: list[TransferStep]


class _Files(TypedDict):
    target: str
    files: int
    unread_files: int
    realism: RealismSummary
    programs: ProgramsSummary


class RealCode(_Files, total=False):
    """Real code that a dataset is compared with: its name, its Python files, those that are no Python, and its figures.

    `resemblance` is that of the dataset to this code.
    """

    transfer: TransferSummary
    resemblance: ResemblanceSummary
