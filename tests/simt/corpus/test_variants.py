"""Variants of one computation: both are right and clean and begin with the same arguments."""

from __future__ import annotations

import pytest

from simt.corpus.corpus_case import FOLDER, Case
from simt.corpus.corpus_run import assert_results, run_case
from simt.corpus.tables.variants import VARIANTS, Variants

CASES = {f"{name}-{case.launches[0].kernel}": case for name, pair in VARIANTS.items() for case in (pair.faster, pair.slower)}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_variants_are_clean_and_right(case: Case) -> None:
    outcome = run_case(case)
    assert not outcome.findings
    assert_results(case, outcome)


@pytest.mark.parametrize("pair", VARIANTS.values(), ids=VARIANTS)
def test_variants_compute_the_same_from_the_same(pair: Variants) -> None:
    assert pair.faster.make is pair.slower.make
    assert pair.faster.source == pair.slower.source
    assert pair.reason


def test_each_source_has_variants() -> None:
    assert {path.stem for path in FOLDER.glob("variants/*.cu")} == set(VARIANTS)
    assert len(VARIANTS) >= 10
