"""References, honest variants and cheats in real workers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import warp as wp

from cheats import CHEATS, TWINS, Cheat, make_pair
from scoring_datasets import REFERENCES
from warpsmith.core.records.pair import Pair
from warpsmith.extraction.loading import loaded_kernel
from warpsmith.scoring.judging.trials import trials
from warpsmith.scoring.scorer import Score, Scorer
from warpsmith.scoring.task import Task, make_task

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")


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


def launched(source: str, name: str, values: dict[str, Any], dim: tuple[int, ...]) -> dict[str, Any]:
    """Launch a kernel by Warp itself and return its arrays."""
    with loaded_kernel(source, name, module_name=f"counterexample_{abs(hash(source))}") as kernel:
        inputs = [wp.array(value, device="cpu") if value.ndim else value.item() for value in values.values()]
        wp.launch(kernel, dim=dim, inputs=inputs, device="cpu")
        arrays = {key: one.numpy() for key, one in zip(values, inputs, strict=True) if isinstance(one, wp.array)}
        return {key: array.copy() for key, array in arrays.items()}


def test_a_counterexample_comes_out_when_warp_launches_it(scores: dict[tuple[str, str], Score], pair: Pair) -> None:
    found = scores["cuda_to_python", "cheat another constant"].counterexample
    assert found is not None
    (trial,) = [one for one in trials(pair, found["seed"]) if one.name == found["trial"]]
    assert list(trial.launch.dim) == found["dim"]
    cheat = next(one for one in CHEATS if one.name == "another constant")
    for source, stated in ((pair.python_source, found["expected"]), (cheat.edit(pair.python_source), found["got"])):
        arrays = launched(source, "shift", trial.values, trial.launch.dim)
        assert arrays[found["argument"]][tuple(found["element"])] == pytest.approx(stated, rel=1e-6)


def test_scores_are_the_same_for_the_same_seed_and_alone(
    scores: dict[tuple[str, str], Score], scorer: Scorer, pair: Pair
) -> None:
    task = task_of("python_to_cuda", pair)
    cheat = next(one for one in CHEATS if one.name == "slightly wrong")
    (alone,) = scorer.score(task, [completion(task, cheat.edit(reference(task)))])
    assert alone == scores["python_to_cuda", "cheat slightly wrong"]


@pytest.mark.parametrize(
    "text", ["", "no code", "```cuda\n```", "```cuda\n\x00\n```", "```cuda\n" + "{" * 100_000 + "\n```", "```\n" * 9]
)
def test_completions_without_an_answer(scorer: Scorer, pair: Pair, text: str) -> None:
    for kind in REFERENCES:
        (found,) = scorer.score(task_of(kind, pair), [text])
        assert (found.reward, found.passed, found.level, found.status) == (0.0, False, "", "fail")


def test_a_task_whose_reference_cannot_run_pays_nothing(scorer: Scorer, pair: Pair) -> None:
    task = task_of("python_to_cuda", pair)
    broken = replace(task, pair=replace(task.pair, cuda_ir_forward=reference(task).replace("wp::mul", "wp::nothing")))
    (found,) = scorer.score(broken, [completion(task, reference(task))])
    assert (found.reward, found.status) == (0.0, "inconclusive")
    assert found.reason.startswith("the reference cannot be run: ")
