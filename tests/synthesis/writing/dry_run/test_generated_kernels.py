"""Dry runs of generated kernels: drafts that show nothing, or whose branches go one way, are drawn again."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from synthesis.writing.dry_run.stand_ins import SEED, run_stand_in
from warpsmith.core.errors import WarpsmithError
from warpsmith.extraction.warp.interleave import run_alone
from warpsmith.synthesis.kernel_key import KernelKey
from warpsmith.synthesis.writing import generate as writing
from warpsmith.synthesis.writing.dry_run.kernel_run import DryRun
from warpsmith.synthesis.writing.generate import write_kernel
from warpsmith.synthesis.writing.policy import ATTEMPTS
from warpsmith.synthesis.writing.sample import Sample

COUNT = 200


def first_draft(index: int) -> tuple[writing.Draft, str | None]:
    return run_alone(writing.write_draft(KernelKey(SEED, index)))


@pytest.fixture(scope="module")
def reasons() -> dict[int, str | None]:
    return {index: first_draft(index)[1] for index in range(COUNT)}


def test_most_kernels_keep_their_first_draft(reasons: dict[int, str | None]) -> None:
    again = [index for index, found in reasons.items() if found is not None]
    assert 0 < len(again) < COUNT // 3, "redrawing whole kernels is to be the exception"
    for index in range(0, COUNT, 5):
        assert (write_kernel(KernelKey(SEED, index)).source == first_draft(index)[0].source) == (index not in again)


def test_kernels_that_are_drawn_again_pass_all_checks(reasons: dict[int, str | None]) -> None:
    for index in [index for index, found in reasons.items() if found is not None][:12]:
        (first, _), kept = first_draft(index), write_kernel(KernelKey(SEED, index))
        assert (kept.id, kept.category) == (first.key.id, first.category.name)
        assert kept.source != first.source
        assert kept == write_kernel(KernelKey(SEED, index)), "drawing again is deterministic"


def test_the_reasons_are_those_of_the_checks(reasons: dict[int, str | None]) -> None:
    kinds = Counter(found for found in reasons.values() if found)
    for found in kinds:
        assert found == "a branch goes one way" or any(
            words in found
            for words in (
                "division by zero",
                "is constant",
                "is left as it was",
                "has a tie",
                "is too long",
                "it is not of category",
                "order of threads",
                "its adjoint uses a stale value",
                "its adjoint reads a replaced element",
            )
        ), found


def test_the_stand_in_supports_most_kernels() -> None:
    unsupported = sum(not is_supported(write_kernel(KernelKey(SEED, index))) for index in range(COUNT))
    assert unsupported < COUNT // 10


def is_supported(sample: Sample) -> bool:
    try:
        run_stand_in(sample.source, sample.kernel_name, sample.launch, sample.id)
    except (AttributeError, TypeError, NotImplementedError, NameError):
        return False
    return True


def test_each_draft_differs_and_the_last_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    sources = []

    def reject(dry_run: DryRun, *_: Any, **__: Any) -> str:
        sources.append(dry_run._source)
        return "out is constant"

    monkeypatch.setattr(DryRun, "rejection_reason", reject)
    with pytest.raises(WarpsmithError):
        write_kernel(KernelKey(SEED, 7))
    assert len(set(sources)) == len(sources) > ATTEMPTS // 4
