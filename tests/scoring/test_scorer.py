"""References, honest variants and cheats in real workers."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from cheats import CHEATS, TWINS, Cheat, make_pair
from warpsmith.core.records.pair import Pair
from warpsmith.scoring.scorer import Score, Scorer
from warpsmith.scoring.task import Task, make_task

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")

REFERENCES = {"python_to_cuda": "cuda_ir_forward", "forward_to_adjoint": "cuda_ir_backward", "cuda_to_python": "python_source"}


def task_of(kind: str, pair: Pair) -> Task:
    task = make_task(kind, pair)
    assert task is not None
    return task


def completion(task: Task, text: str) -> str:
    return f"An answer.\n```{task.language}\n{text}\n```\n"


def reference(task: Task) -> str:
    text = getattr(task.pair, REFERENCES[task.kind])
    assert isinstance(text, str)
    return text


@pytest.fixture(scope="module")
def scorer() -> Iterator[Scorer]:
    with Scorer(seed=7) as one:
        yield one


@pytest.fixture(scope="module")
def pair() -> Pair:
    return make_pair()


@pytest.fixture(scope="module")
def scores(scorer: Scorer, pair: Pair) -> dict[tuple[str, str], Score]:
    """Return the scores of all cheats and twins, judged together."""
    items: dict[tuple[str, str], tuple[Task, str]] = {}
    for cheat in CHEATS:
        task = task_of(cheat.kind, pair)
        items[cheat.kind, f"cheat {cheat.name}"] = task, completion(task, cheat.edit(reference(task)))
    for kind, twins in TWINS.items():
        task = task_of(kind, pair)
        items |= {(kind, f"twin {name}"): (task, completion(task, edit(reference(task)))) for name, edit in twins.items()}
        items[kind, "twin itself"] = task, completion(task, reference(task))
    return dict(zip(items, scorer.score_all(list(items.values())), strict=True))


@pytest.mark.parametrize("cheat", CHEATS, ids=lambda cheat: f"{cheat.kind} {cheat.name}")
def test_a_cheat_does_not_pass(scores: dict[tuple[str, str], Score], cheat: Cheat) -> None:
    score = scores[cheat.kind, f"cheat {cheat.name}"]
    assert (score.passed, score.status) == (False, "fail")
    assert score.reward <= 0.2
    assert score.reason


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, twins in TWINS.items() for name in (*twins, "itself")])
def test_an_honest_answer_passes(scores: dict[tuple[str, str], Score], kind: str, name: str) -> None:
    score = scores[kind, f"twin {name}"]
    assert (score.reward, score.passed, score.level, score.reason) == (1.0, True, "right", "")
