"""Dry runs of generated kernels: drafts that show nothing are drawn again, other kernels keep their first draft."""

from __future__ import annotations

import re
from typing import Any

import pytest

from plans import core_plan
from synthesis.writing.dry_run.stand_ins import SEED
from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records.pair import Reject
from warpsmith.extraction.loading import compile_module
from warpsmith.synthesis.kernel_key import KernelKey
from warpsmith.synthesis.production.generate_pairs import generate_pairs
from warpsmith.synthesis.writing import generate as writing
from warpsmith.synthesis.writing.dry_run.run import make_arguments, rejection_reason
from warpsmith.synthesis.writing.finishing.sample import Sample
from warpsmith.synthesis.writing.generate import write_kernel

SHOW_NOTHING = (44, 53, 58, 128, 154, 164, 178, 184, 190, 198, 208, 229, 250, 253, 255, 280, 301, 323, 328, 330, 405, 440,
                456, 468, 483, 523, 534, 560, 578, 586, 618, 648, 650, 666, 697, 719, 728, 740, 744, 775, 796, 824, 868,
                883, 913, 920, 986)  # fmt: skip
"""First drafts of this seed that the level ``execute`` fails without a dry run: constant, zero, never written."""


def first_draft(index: int) -> Sample:
    return writing.write_draft(KernelKey(SEED, index), writing.category_of(index)).sample


def reject_reason(sample: Sample) -> str | None:
    return rejection_reason(
        compile_module(sample.source), sample.kernel_name, sample.launch.dim, make_arguments(sample.launch, sample.id)
    )


@pytest.mark.parametrize("index", SHOW_NOTHING)
def test_first_drafts_that_show_nothing_are_drawn_again(index: int) -> None:
    first, kept = first_draft(index), write_kernel(KernelKey(SEED, index))
    assert re.search("constant|left as it was", reject_reason(first) or "")
    assert reject_reason(kept) is None
    assert kept.source != first.source
    assert (kept.id, kept.category) == (first.id, first.category)


def test_other_kernels_keep_their_first_draft() -> None:
    again = 0
    for index in range(200):
        first = first_draft(index)
        if reject_reason(first) is None:
            assert write_kernel(KernelKey(SEED, index)) == first
        else:
            again += 1
    assert again < 20, "redrawing whole kernels is to be the exception"


def test_drawing_again_is_deterministic() -> None:
    keys = [KernelKey(SEED, index) for index in SHOW_NOTHING[:8]]
    assert [write_kernel(key) for key in keys] == [write_kernel(key) for key in keys]


def test_no_dry_run_stops_with_an_exception() -> None:
    reasons = {re.sub(r"^\w+ (?=is|has)", "", reject_reason(first_draft(index)) or "shows something") for index in range(600)}
    assert reasons <= {"shows something", "is constant", "is left as it was", "has a tie"}


def test_each_draft_differs_and_the_last_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    sources = []

    def reject(source: str, *_: Any, **__: Any) -> str:
        sources.append(source)
        return "out is constant"

    monkeypatch.setattr(writing, "rejection_reason", reject)
    with pytest.raises(WarpsmithError, match="out is constant"):
        write_kernel(KernelKey(SEED, 7))
    assert len(set(sources)) == writing.ATTEMPTS
    (made,) = generate_pairs(core_plan(1, seed=SEED, device="cpu"), [KernelKey(SEED, 0)])
    assert isinstance(made, Reject)
    assert made.stage == "generate"
