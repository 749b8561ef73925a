"""The corpus of answers: right ones score 1, and wrong ones do not, apart from a few exceptions, which the test lists."""

from __future__ import annotations

import ast
import sys
from collections import Counter

import pytest

from scoring import corpus
from warpsmith.scoring.scorer import Scorer
from warpsmith.scoring.tasks.task_kinds import KINDS

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")

ANSWERS = corpus.answers()

EXCEPTIONS = 0.02
"""The largest share of exceptions among the right answers, and among the wrong ones."""

SAMPLE = frozenset(
    """
    age_contacts/right_01_ternary age_contacts/right_05_warp_form age_contacts/right_07_python_select
    age_contacts/wrong_01_strict age_contacts/wrong_06_warp_form_unclamped
    init_cells/right_01_direct init_cells/right_06_warp_form init_cells/right_07_python init_cells/wrong_04_axes
    kick_robots/right_01_direct kick_robots/right_05_warp_form kick_robots/right_07_adjoint
    kick_robots/wrong_02_sets_velocity kick_robots/wrong_06_warp_form_reversed kick_robots/wrong_07_python_planar
    kick_robots/wrong_08_adjoint_unprojected kick_robots/wrong_09_adjoint_finite_differences
    upsweep/right_01_direct upsweep/right_06_python upsweep/wrong_02_stores_left
    """.split()
)
"""The answers that the default tests judge."""

CAUSES = frozenset(
    """
    barrier bounds completion domain emulator finite_difference gradient layout logic race shared_memory size start_value
    tolerance vector_load
    """.split()
)
"""What is wrong with wrong answers."""


@linux_only
@pytest.mark.exhaustive
def test_right_answers_are_paid_and_wrong_ones_are_not(real_scorer: Scorer) -> None:
    judged = corpus.scores(real_scorer, ANSWERS)
    assert max(corpus.share(judged, is_right=is_right) for is_right in (True, False)) <= EXCEPTIONS, corpus.table(judged)


@linux_only
def test_a_sample_has_no_exceptions(real_scorer: Scorer) -> None:
    judged = corpus.scores(real_scorer, [answer for answer in ANSWERS if str(answer) in SAMPLE])
    assert [row for row in judged if corpus.is_exception(*row)] == []


def test_the_corpus_is_complete() -> None:
    counts = Counter(answer.is_right for answer in ANSWERS)
    assert min(counts[True], counts[False]) >= 250
    assert len({answer.task for answer in ANSWERS}) == 40
    assert {(answer.kind, answer.is_right) for answer in ANSWERS} == {
        (kind, right) for kind in KINDS for right in (True, False)
    }
    assert {answer.cause for answer in ANSWERS if not answer.is_right} == CAUSES
    assert {str(answer) for answer in ANSWERS} >= SAMPLE
    assert all(answer.name.startswith("right" if answer.is_right else "wrong") for answer in ANSWERS)


def test_no_two_answers_are_alike() -> None:
    """An answer that is right and wrong would be neither."""
    assert len({(answer.task, answer.kind, answer.completion) for answer in ANSWERS}) == len(ANSWERS)


@pytest.mark.parametrize("folder", sorted(path.parent.name for path in corpus.FOLDER.glob("*/program.py")))
def test_a_program_contains_one_kernel_and_a_launch(folder: str) -> None:
    text = (corpus.FOLDER / folder / "program.py").read_text(encoding="utf-8")
    assert text.count("@wp.kernel") == text.count("wp.launch(") == text.count(corpus.INPUTS) == 1
    ast.parse(text)


def test_a_completion_may_have_another_form() -> None:
    forms = Counter(form for form in ("\r\n", "\ufeff", "<think>") for answer in ANSWERS if form in answer.completion)
    assert set(forms) == {"\r\n", "\ufeff", "<think>"}
