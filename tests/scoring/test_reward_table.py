"""The table of rewards in the reference: what each kind of answer in plain CUDA earns, by default and with two options."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from scoring_datasets import task_of
from shift_pair import make_pair
from warpsmith.scoring.plain.reference.translation import translate
from warpsmith.scoring.scorer import Scorer
from warpsmith.scoring.tasks.task import Task

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")

TABLE = "| answer | reward | with `partial` | with `speed_weight=0.5` |"


def documented(root: Path) -> dict[str, list[float]]:
    _, _, rest = (root / "notes" / "reference" / "scoring.md").read_text().partition(f"{TABLE}\n")
    rows = [line.strip("| ").split(" | ") for line in rest.partition("\n\n")[0].splitlines()[1:]]
    return {name: [float(number) for number in numbers] for name, *numbers in rows}


def answers(task: Task) -> list[list[str]]:
    """Return the answers of each row of the table, in its order."""
    reference = f"```cuda\n{task.reference}\n```"
    half = reference.replace("thread0 >= dim0", "thread0 >= dim0 || thread0 % 2")
    return [
        ["I cannot help with that.", "", "```cuda\n```"],
        [reference.replace("thread0 >= dim0", "thread0 >= dimension")],
        [reference.replace("thread0 >= dim0", "thread0 >= 0")],
        [reference.replace(") return;", ") return;\n    y[y_shape0 + 100] = 0.0f;", 1)],
        [half],
        [f"```cuda\n{translate(task.pair, task.entry_point, serial=True)}\n```"],
        [reference],
    ]


@pytest.fixture(scope="module")
def scorers(scorer_with: Callable[..., Scorer]) -> list[Scorer]:
    options: list[dict[str, object]] = [{}, {"partial": True}, {"speed_weight": 0.5}]
    return [scorer_with(seed=5, **each) for each in options]


def test_answers_earn_what_the_reference_says(scorers: list[Scorer], root: Path) -> None:
    task = task_of("python_to_plain_cuda", make_pair(100))
    rows, expected = answers(task), documented(root)
    assert len(rows) == len(expected)
    for scorer, column in zip(scorers, range(3), strict=True):
        scores = iter(scorer.score(task, [text for row in rows for text in row]))
        for row, (name, numbers) in zip(rows, expected.items(), strict=True):
            for _ in row:
                score = next(scores)
                assert score.reward == pytest.approx(numbers[column], abs=0.06), (name, score)
