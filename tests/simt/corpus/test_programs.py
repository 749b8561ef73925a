"""Realistic programs: the machine computes what NumPy computes and has no findings."""

from __future__ import annotations

import pytest

from simt.corpus.corpus_case import FOLDER, Case
from simt.corpus.corpus_run import assert_results, run_case
from simt.corpus.tables import algorithms, dense, features, language, reductions, tensor

CASES = (
    reductions.REDUCTIONS.cases
    | dense.DENSE.cases
    | language.LANGUAGE.cases
    | features.FEATURES.cases
    | algorithms.ALGORITHMS.cases
    | tensor.TENSOR.cases
)
QUICK = {name: case for name, case in CASES.items() if not case.slow}
SLOW = {name: case for name, case in CASES.items() if case.slow}


def check(case: Case) -> None:
    outcome = run_case(case)
    assert not outcome.findings
    assert_results(case, outcome)
    assert outcome.printed == case.printed


@pytest.mark.sampled(30)
@pytest.mark.parametrize("case", QUICK.values(), ids=QUICK)
def test_programs(case: Case) -> None:
    check(case)


@pytest.mark.sampled(1)
@pytest.mark.parametrize("case", SLOW.values(), ids=SLOW)
def test_programs_with_large_headers(case: Case) -> None:
    check(case)


def test_each_source_has_a_launch() -> None:
    assert {str(path.relative_to(FOLDER)) for path in FOLDER.glob("programs/*.cu")} == {case.source for case in CASES.values()}
    assert len(CASES) >= 40
