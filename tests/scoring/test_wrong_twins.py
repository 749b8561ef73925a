"""Wrong answers of `wrong_twins` are refused at whatever seed, and their right twins score 1."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence

import pytest

from scoring.wrong_twins import ALL, Twins, pair_of
from scoring_datasets import task_of
from selected import selected_parameters
from warpsmith.core.records.text_format import GRID_STRIDE_LOOP
from warpsmith.scoring.plain.plain_signature import plain_signature
from warpsmith.scoring.scorer import Scorer
from warpsmith.scoring.scores import Score
from warpsmith.scoring.tasks.prompts import cuda_signature
from warpsmith.scoring.tasks.task import Task

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")

SEEDS = (7, 8)


def answer(task: Task, body: str) -> str:
    """Return the completion with an answer of `wrong_twins`."""
    if task.language == "python":
        return f"```python\n{body}\n```\n"
    if task.row.is_plain:
        signature = plain_signature(task.pair, task.entry_point)
        assert signature is not None
        return f"```cuda\n{signature.text}\n{{\n    {body}\n}}\n```\n"
    text = (task.pair.cuda_ir_backward if task.row.is_adjoint else task.pair.cuda_ir_forward) or ""
    start, condition, step = GRID_STRIDE_LOOP[2:5]
    loop = f"{start}\n{condition}\n{step}\n    {{\n        {body}\n    }}"
    return f"```cuda\n{cuda_signature(text, task.entry_point)}\n{{\n{loop}\n}}\n```\n"


@pytest.fixture(scope="module")
def scores(request: pytest.FixtureRequest, scorer_with: Callable[..., Scorer]) -> dict[tuple[int, Twins], Sequence[Score]]:
    """Return the scores of the wrong and the right answer of each test that runs, by seed."""
    found = {}
    chosen = [(values["seed"], values["twins"]) for values in selected_parameters(request)]
    for seed in SEEDS:
        tasks = {twins: task_of(twins.kind, pair_of(twins.kernel)) for one, twins in chosen if one == seed}
        items = [(task, answer(task, body)) for twins, task in tasks.items() for body in (twins.wrong, twins.right)]
        judged = iter(scorer_with(seed=seed).score_all(items))
        found |= {(seed, twins): (next(judged), next(judged)) for twins in tasks}
    return found


@pytest.mark.sampled(8)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("twins", ALL, ids=lambda twins: re.sub(r"\W+", "_", f"{twins.kind} {twins.kernel} {twins.mistake}"))
def test_the_wrong_answer_is_refused_and_its_twin_is_right(
    scores: dict[tuple[int, Twins], Sequence[Score]], twins: Twins, seed: int
) -> None:
    wrong, right = scores[seed, twins]
    assert (right.reward, right.reason) == (1.0, "")
    assert wrong.reward in (0.1, 0.2), wrong
    assert wrong.status == "fail"
