"""The reward of wrong answers whose launches end: none for those that change no output, and a share of right elements."""

from __future__ import annotations

import sys

import pytest

from scoring_datasets import task_of
from shift_pair import make_pair
from warpsmith.core.records.pair import Pair
from warpsmith.scoring.plain.plain_signature import plain_signature
from warpsmith.scoring.scorer import Scorer
from warpsmith.scoring.tasks.prompts import cuda_signature

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")

LENGTH = 100


@pytest.fixture(scope="module")
def pair() -> Pair:
    return make_pair(LENGTH)


STORES = "    y[i] = k * x[i] * x[i] + 1.0\n    wp.atomic_add(sums, bins[i], x[i])\n"
PYTHON = {
    "nothing": "    return\n",
    "the same": "    y[i] = y[i]\n    wp.atomic_add(sums, bins[i], 0.0)\n",
    "zeros": "    y[i] = 0.0\n",
    "sums only": "    wp.atomic_add(sums, bins[i], x[i])\n",
    "outputs only": "    y[i] = k * x[i] * x[i] + 1.0\n",
    "half": "    if i % 2 == 0:\n        y[i] = k * x[i] * x[i] + 1.0\n    wp.atomic_add(sums, bins[i], x[i])\n",
    "all": STORES,
}
"""What answers do in place of the stores of the reference."""


def rewards(scorer: Scorer, pair: Pair) -> dict[str, float]:
    task = task_of("cuda_to_python", pair)
    assert STORES in task.reference
    scores = scorer.score(task, [task.reference.replace(STORES, stores) for stores in PYTHON.values()])
    for name, score in zip(PYTHON, scores, strict=True):
        assert score.level == ("right" if name == "all" else "run"), score.reason
        assert score.reason.startswith("the answer changes no output: ") == (name in ("nothing", "the same")), score.reason
    return dict(zip(PYTHON, (score.reward for score in scores), strict=True))


def test_an_answer_that_changes_no_output_earns_no_more_than_a_refusal(real_scorer: Scorer, pair: Pair) -> None:
    found = rewards(real_scorer, pair)
    assert found == {name: {"nothing": 0.0, "the same": 0.0, "all": 1.0}.get(name, 0.2) for name in PYTHON}


def test_an_empty_kernel_in_the_other_kinds(real_scorer: Scorer, pair: Pair) -> None:
    for kind in ("python_to_cuda", "forward_to_adjoint", "python_to_plain_cuda"):
        task = task_of(kind, pair)
        plain = plain_signature(pair, task.entry_point)
        assert plain is not None
        signature = plain.text if kind == "python_to_plain_cuda" else cuda_signature(task.reference, task.entry_point)
        (score,) = real_scorer.score(task, f"```cuda\n{signature}\n{{\n}}\n```\n")
        assert (score.level, score.reward) == ("run", 0.0), score.reason
        assert score.reason.startswith("the answer changes no output: ")


def test_a_reward_may_grow_with_the_share_of_right_elements(
    real_scorer: Scorer, pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(real_scorer, "_partial", True)
    found = rewards(real_scorer, pair)
    assert (found["nothing"], found["the same"], found["all"]) == (0.0, 0.0, 1.0)
    assert 0.2 <= found["zeros"] < 0.3
    assert found["zeros"] < found["half"] < found["outputs only"] < 1.0
    assert found["zeros"] < found["sums only"] < found["half"]
    assert 0.4 < found["half"] < 0.8
