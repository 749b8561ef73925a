"""The types of the resemblance to a project in `stats.json`."""

from __future__ import annotations

from typing import TypedDict


class ComponentsSummary(TypedDict):
    """Kernels of 35 to 60 statements, the mean number of their components, and the share with three and more."""

    kernels: int
    mean: float
    three_or_more: float


class TraitShares(TypedDict):
    """The shares of kernels and of functions with a trait."""

    kernels: float
    functions: float


class LocalsSummary(TypedDict):
    """Distinct names of local values, and how many are expected in samples of some numbers of kernels."""

    distinct: int
    expected: dict[str, float]


class ProgramsSummary(TypedDict):
    """The figures of kernels and functions; numbers of kernels are shares, by the smallest depth or number of statements."""

    kernels: int
    functions: int
    function_tokens: float
    call_depths: dict[str, float]
    function_skeletons: int
    statements: dict[str, float]
    components: ComponentsSummary
    traits: dict[str, TraitShares]
    locals: LocalsSummary


class RoleBits(TypedDict):
    """Bits per token of the project after learning from as many tokens of the dataset and of the reference."""

    tokens: int
    project_tokens: int
    bits: float | None
    reference_bits: float | None
    ratio: float | None


class Weight(TypedDict):
    """A feature of the classifier, and its weight without a sign."""

    feature: str
    weight: float


class ClassifierSummary(TypedDict):
    """How well a classifier tells kernels of the dataset from those of the project, and the features that weigh most."""

    kernels: int
    auc: float | None
    reference_auc: float | None
    transferred_auc: float | None
    dataset: list[Weight]
    project: list[Weight]


class ResemblanceSummary(TypedDict):
    """The name of the reference, bits per token with roles, and the classifier, by the texts that are measured."""

    reference: str
    bits: dict[str, RoleBits]
    classifier: dict[str, ClassifierSummary]
