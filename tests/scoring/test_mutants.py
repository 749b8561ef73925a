"""Mutants of references: wrong answers by small edits, scored like answers of a model."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from mutants.checking import proof
from mutants.equivalent import UNCHECKED
from mutants.mutate import Mutant, apply, choose_mutants
from mutants.plain_gradients import changes_plain_gradients_only
from warpsmith.core.records.pair import Pair
from warpsmith.scoring.scorer import Scorer
from warpsmith.scoring.tasks.task import Task, make_task

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")

ANSWERS = {"forward": ("python_to_cuda", "cuda_ir_forward"), "backward": ("forward_to_adjoint", "cuda_ir_backward")}
"""The task that a family of mutants answers, and the text that it changes."""

PASSING = {"forward": 0.02, "backward": 0.04}
"""The largest share of mutants without a proof of equivalence that may pass."""

EQUIVALENT = {
    # family, id and line of a mutant without a proof: why it changes no result, as its text shows
    ("forward", "3-2000-34", 245): "the kernel has returned where the mask is false",
    ("forward", "3-2000-65", 69): "an outer product of a vector with itself is symmetric",
    ("backward", "3-2000-4", 81): "the adjoint of a constant",
    ("backward", "3-2000-14", 260): "the adjoint of integers",
    ("backward", "3-2000-18", 603): "the adjoint of integers",
    ("backward", "3-2000-36", 256): "the adjoint of integers",
    ("backward", "3-2000-40", 238): "the adjoint of integers",
    ("backward", "3-2000-44", 289): "the adjoint of a number that is computed from integers",
    ("backward", "3-2000-48", 125): "the gradient of a plain argument",
    ("backward", "3-2000-52", 192): "the adjoint of integers",
    ("backward", "3-2000-60", 102): "the gradient of a plain argument",
    ("backward", "3-2000-79", 80): "the adjoint of integers",
}

PER_PAIR = 3


def mutated(pairs: list[Pair], family: str) -> Iterator[tuple[Pair, Mutant, Task, str]]:
    kind, text = ANSWERS[family]
    for turn, pair in enumerate(pairs):
        if (task := make_task(kind, pair)) is not None:
            for mutant in choose_mutants(pair, family, PER_PAIR, turn):
                if answer := apply(mutant, pair).get(text):
                    yield pair, mutant, task, f"```cuda\n{answer}\n```"


def _changes_nothing(family: str, pair: Pair, mutant: Mutant, scratch: Path) -> bool:
    if (family, pair.id, mutant.line) in EQUIVALENT:
        return True
    if family == "forward":
        return False
    return changes_plain_gradients_only(pair, apply(mutant, pair)["cuda_ir_backward"] or "", scratch)


@pytest.mark.exhaustive
@pytest.mark.parametrize("family", ANSWERS)
def test_mutants_do_not_pass(samples: list[Pair], family: str, tmp_path: Path) -> None:
    answers = list(mutated(samples, family))
    with Scorer(seed=3) as scorer:
        scores = scorer.score_all([(task, text) for _, _, task, text in answers])
    assert {score.status for score in scores} <= {"pass", "fail"}
    counts: Counter[str] = Counter()
    slipped = []
    for (pair, mutant, _, _), score in zip(answers, scores, strict=True):
        proved = proof(mutant, pair)
        if proved and not (proved == UNCHECKED and not score.passed):
            assert score.passed, f"{pair.id} {mutant} is equivalent by {proved}: {score.reason}"
            counts["equivalent"] += 1
        elif score.passed and _changes_nothing(family, pair, mutant, tmp_path):
            counts["equivalent"] += 1
        else:
            counts["passed" if score.passed else "failed"] += 1
            slipped += [f"{pair.id} line {mutant.line}: {mutant.after}"] if score.passed else []
    assert counts["passed"] <= PASSING[family] * (counts["passed"] + counts["failed"]), (counts, slipped)
    assert counts["failed"] > len(samples)
