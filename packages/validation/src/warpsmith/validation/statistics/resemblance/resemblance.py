"""How much a dataset resembles a project: bits per token with roles, and the classifier."""

from __future__ import annotations

from collections.abc import Sequence

from warpsmith.validation.statistics.resemblance.classifier import classify
from warpsmith.validation.statistics.resemblance.program_figures import Sample
from warpsmith.validation.statistics.resemblance.role_bits import RoleCorpus, measure_bits
from warpsmith.validation.statistics.resemblance_types import ResemblanceSummary


def measure_resemblance(
    dataset: Sequence[Sample], project: Sequence[Sample], reference: Sequence[Sample], name: str
) -> ResemblanceSummary:
    """Return the figures of a dataset beside a project and a reference with this name."""
    return {
        "reference": name,
        "bits": measure_bits(*map(RoleCorpus, (dataset, reference, project))),
        "classifier": classify(dataset, project, reference),
    }
