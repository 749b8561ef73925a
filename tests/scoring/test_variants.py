"""Honest variants of references: other texts with the same meaning score as the reference does."""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

import pytest

from scoring.variants import cuda, python
from scoring_datasets import REFERENCES
from warpsmith.core.records.pair import Pair
from warpsmith.scoring.scorer import Scorer
from warpsmith.scoring.tasks.task import Task, make_task

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")

EDITS = {"python_to_cuda": cuda.EDITS, "forward_to_adjoint": cuda.EDITS, "cuda_to_python": python.EDITS}
PAIRS = 30
"""The number of generated pairs of the exhaustive test: three of each of the ten types."""

PASSING = 0.99

NOT_FOR_ADJOINTS = {"rename helpers", "inline addresses", "share expressions"}
"""Edits of helpers, which belong to the forward text, and edits of texts without jumps."""


def seeded(seed: str) -> Random:
    """Return a random generator."""
    return Random(seed)  # noqa: S311 - edits keep no secrets


def variants(pairs: Sequence[Pair], only: str = "") -> Iterator[tuple[Task, str, str]]:
    """Yield tasks, names of edits and the edited references; ``only`` is one of the names."""
    for pair in pairs:
        for kind, field in REFERENCES.items():
            if (task := make_task(kind, pair)) is not None and (text := getattr(pair, field)):
                for name, edited in cuda.variants(text, seeded(f"{pair.id} {kind}"), EDITS[kind]):
                    if name == (only or name):
                        yield task, name, f"```{task.language}\n{edited}\n```\n"


def check(real_scorer: Scorer, pairs: Sequence[Pair], only: str = "") -> Counter[tuple[str, str]]:
    """Check that variants pass; return how many there are of each kind and edit."""
    made = list(variants(pairs, only))
    scores = real_scorer.score_all([(task, text) for task, _, text in made])
    failed = [
        f"{task.task_id} {name}: {score.level} {score.status} {score.reason}"
        for (task, name, _), score in zip(made, scores, strict=True)
        if score.reward != 1.0
    ]
    print(*failed, sep="\n")
    assert len(failed) <= (1.0 - PASSING) * len(made), failed
    return Counter((task.kind, name) for task, name, _ in made)


@pytest.mark.exhaustive
def test_variants_of_a_sample_pass(real_scorer: Scorer, samples: list[Pair]) -> None:
    counts = check(real_scorer, samples[11:13], only="all")
    assert {kind for kind, _ in counts} == set(REFERENCES)


@pytest.mark.exhaustive
def test_variants_of_generated_pairs_pass(real_scorer: Scorer) -> None:
    from warpsmith.synthesis import pairs  # noqa: PLC0415 - the samples need no generator

    generated = list(islice(pairs(seed=77, categories="core"), PAIRS))
    assert len({pair.metadata.category for pair in generated}) == 10
    counts = check(real_scorer, generated)
    assert counts.total() >= 300
    for kind, edits in EDITS.items():
        used = {name for of, name in counts if of == kind and name != "all"}
        assert len(used) >= 8, (kind, set(edits) - used)


@pytest.mark.parametrize("kind", EDITS)
def test_edits_depend_on_their_seed_only(samples: list[Pair], kind: str) -> None:
    text = getattr(samples[0], REFERENCES[kind])
    first, again, other = (cuda.compose(text, seeded(seed), EDITS[kind]) for seed in ("a", "a", "b"))
    assert first == again != other


@pytest.mark.exhaustive
def test_every_edit_changes_a_sample(samples: list[Pair]) -> None:
    """An edit that changes nothing would say nothing about the judge."""
    for kind, edits in EDITS.items():
        changed = {
            name for pair in samples for name, _ in cuda.variants(getattr(pair, REFERENCES[kind]) or "", seeded("1"), edits)
        }
        assert set(edits) - changed <= {"reorder helpers", *(NOT_FOR_ADJOINTS if kind == "forward_to_adjoint" else ())}


def test_helpers_that_do_not_call_each_other_are_exchanged() -> None:
    first, second, third = (
        f"static CUDA_CALLABLE int f_{number}(\n    int a)\n{{\n    return {call}a;\n}}\n"
        for number, call in enumerate(("", "f_0(a) + ", ""))
    )
    exchanged = {cuda.reorder_helpers(first + second + third, seeded(str(seed))) for seed in range(20)}
    assert exchanged == {first + second + third, first + third + second}


def test_edits_of_python_keep_it_valid(samples: list[Pair]) -> None:
    for pair in samples:
        for _, edited in cuda.variants(pair.python_source, seeded("2"), python.EDITS):
            ast.parse(edited)
