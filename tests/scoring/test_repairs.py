"""Repairs: both ends are judged, what passes is left out, and rows are tasks that are judged like their source."""

from __future__ import annotations

import itertools
import json
import re
import sys
from collections.abc import Sequence
from typing import Any

import pytest

from pair_text import edited_places
from scoring_datasets import REFERENCES
from warpsmith.core import Pair
from warpsmith.core.errors import RecordError
from warpsmith.core.records.encoding import encode
from warpsmith.scoring.repair_forms import FORMS
from warpsmith.scoring.repairs import Repair, repairs_of, report
from warpsmith.scoring.scorer import Scorer
from warpsmith.scoring.scores import Score
from warpsmith.scoring.task_making import tasks_of
from warpsmith.scoring.tasks.completions import answer
from warpsmith.scoring.tasks.quota import LeftOut, Quota
from warpsmith.scoring.tasks.task import Task, make_task

LINUX = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")
KINDS = ("python_to_cuda",)
RIGHT = Score(1.0, True, "right", "pass")
WRONG = Score(
    0.2, False, "run", "fail", "y[3] is 1, expected 2 (own launch)", {"dim": [4], "seed": "7", "inputs": {"x": [1.5]}}
)
UNKNOWN = Score(0.0, False, "", "inconclusive", "no compiler")


class ReferenceScorer:
    """A scorer by which references pass, and other texts in turn fail, are equivalent, and cannot be judged."""

    def __init__(self, *turns: Score, reference: Score = RIGHT) -> None:
        self._turns, self._reference = itertools.cycle(turns or (WRONG,)), reference
        self.judged: list[str] = []

    def score_all(self, items: Sequence[tuple[Task, str]]) -> list[Score]:
        return [self._score(task, text) for task, text in items]

    def _score(self, task: Task, text: str) -> Score:
        self.judged.append(task.task_id)
        assert task.reference is not None
        is_reference = answer(text, task.language).strip("\n") == task.reference.strip("\n")
        return self._reference if is_reference else next(self._turns)


def repairs(
    pairs: Sequence[Pair], scorer: Any = None, kinds: Sequence[str] = ("python_to_cuda",), **options: Any
) -> list[Repair]:
    return list(repairs_of(tasks_of(pairs, kinds), scorer or ReferenceScorer(), **options))


def test_a_repair_names_its_source_and_differs_from_the_fix_by_one_edit(samples: list[Pair]) -> None:
    found = repairs(samples[:4], kinds=tuple(REFERENCES))
    assert len(found) == 12
    for one in found:
        assert one.task.broken is not None
        assert one.task.kind == "repair"
        assert one.task.row is one.source.row
        assert re.fullmatch(rf"repair/{one.source.task_id}/[0-9a-f]{{8}}", one.task.task_id)
        before, after = (answer(text, one.task.language) for text in (one.fix, one.broken))
        assert 1 <= edited_places(before, after) <= 2
        assert answer(one.broken, one.task.language).strip("\n") == one.task.broken.text


def test_the_prompt_contains_the_task_the_broken_text_and_the_report(samples: list[Pair]) -> None:
    (one,) = repairs(samples[:1])
    assert one.task.broken is not None
    expected = f"""{one.source.prompt}
This answer to the task is wrong:

```cuda
{one.task.broken.text}
```

The report about it:

```text
A result is wrong: y[3] is 1, expected 2 (own launch)
The launch has the dimensions [4].
x = [1.5]
```

Find the mistake and write the whole code again without it. All rules of the task apply.
"""
    assert one.task.prompt == expected
    assert one.task.messages == [{"role": "user", "content": expected}]


@pytest.mark.parametrize(
    ("level", "expected"),
    [
        ("", "The text is refused: why"),
        ("read", "The text does not compile: why"),
        ("compile", "A launch stops: why"),
        ("run", "A result is wrong: why"),
    ],
)
def test_reports(level: str, expected: str) -> None:
    assert report(Score(0.0, False, level, "fail", "why")) == expected


def test_mutants_that_pass_or_are_inconclusive_are_left_out(samples: list[Pair]) -> None:
    left_out = LeftOut()
    found = repairs(samples[:3], ReferenceScorer(WRONG, RIGHT, UNKNOWN), per_pair=2, left_out=left_out)
    assert len(found) == 3
    assert [one.score for one in found] == [WRONG] * 3
    assert list(left_out.lines()) == [
        "python_to_cuda: 3 mutants that could not be judged left out",
        "python_to_cuda: 3 mutants that pass left out",
    ]


@pytest.mark.parametrize("score", [WRONG, UNKNOWN])
def test_a_task_whose_fix_does_not_pass_gives_no_repair(samples: list[Pair], score: Score) -> None:
    left_out = LeftOut()
    assert repairs(samples[:2], ReferenceScorer(reference=score), left_out=left_out) == []
    assert list(left_out.lines()) == ["python_to_cuda: 2 tasks whose reference does not score 1 left out"]


def test_the_seed_determines_the_edits(samples: list[Pair]) -> None:
    assert repairs(samples[:5]) == repairs(samples[:5]) != repairs(samples[:5], seed=1)
    assert repairs(samples[:5])[3:] == repairs(samples[3:5])


def test_limits(samples: list[Pair], all_samples: list[Pair]) -> None:
    assert len(repairs(samples[:6], per_pair=3)) == 18
    assert len(repairs(samples[:6], per_pair=3, quota=Quota(limit=4))) == 4
    found = repairs(all_samples, quota=Quota(per_category=1))
    assert len(found) == 10
    assert len({one.task.category for one in found}) == 10


def test_endless_tasks_give_endless_repairs(samples: list[Pair]) -> None:
    endless = repairs_of(tasks_of(itertools.cycle(samples), ["cuda_to_python"]), ReferenceScorer())  # type: ignore[arg-type]
    assert len(list(itertools.islice(endless, 40))) == 40


def test_rows_come_back_as_tasks(samples: list[Pair]) -> None:
    for one in repairs(samples[:2], kinds=tuple(REFERENCES)):
        row = json.loads(encode(FORMS["task"].row(one)))
        assert Task.from_row(row) == one.task
        assert (row["task"], row["repairs"], row["fix"]) == ("repair", one.source.kind, one.fix)
        assert (row["operator"], row["level"], row["reward"]) == (one.operator, "run", 0.2)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"repairs": "no"}, "unknown task 'no'"),
        ({"repairs": "repair"}, "unknown task 'repair'"),
        ({"broken": None}, "broken is not a text"),
        ({"repairs": "cuda_to_python"}, "entry_point is "),
    ],
)
def test_broken_rows_say_what_is_wrong(samples: list[Pair], changes: dict[str, Any], message: str) -> None:
    (one,) = repairs(samples[:1])
    with pytest.raises(RecordError, match=message):
        Task.from_row({**json.loads(encode(FORMS["task"].row(one))), **changes})


def test_a_chat_ends_with_the_fix_and_a_preference_prefers_it(samples: list[Pair]) -> None:
    (one,) = repairs(samples[:1])
    said = {"role": "assistant", "content": one.fix}
    origin = {
        "task_id": one.task.task_id,
        "repairs": "python_to_cuda",
        "category": one.task.category,
        "operator": one.operator,
    }
    assert FORMS["chat"].row(one) == {"messages": [{"role": "user", "content": one.task.prompt}, said], **origin}
    assert FORMS["preference"].row(one) == {
        "prompt": [{"role": "user", "content": one.source.prompt}],
        "chosen": [said],
        "rejected": [{"role": "assistant", "content": one.broken}],
        **origin,
    }


@LINUX
def test_the_fix_scores_1_and_the_broken_text_less(real_scorer: Scorer, samples: list[Pair]) -> None:
    found = repairs(samples[2:3], real_scorer, kinds=tuple(REFERENCES), per_pair=1)
    assert len(found) == 3
    fixed = real_scorer.score_all([(Task.from_row(one.task.to_row()), one.fix) for one in found])
    broken = real_scorer.score_all([(one.task, one.broken) for one in found])
    assert {score.reward for score in fixed} == {1.0}
    assert {score.status for score in broken} == {"fail"}
    assert max(score.reward for score in broken) <= 0.2


@LINUX
def test_errors_have_the_line_numbers_of_the_answer(real_scorer: Scorer, samples: list[Pair]) -> None:
    pair = next(one for one in samples if "static CUDA_CALLABLE" in str(one.cuda_ir_backward))
    task = make_task("forward_to_adjoint", pair)
    assert task is not None
    text = str(task.reference).strip("\n")
    number = max(number for number, line in enumerate(text.split("\n")) if "wp::adj_address(" in line)
    lines = text.split("\n")
    lines[number] = re.sub(r", \w+\);", ");", lines[number])
    wrong, right = real_scorer.score(task, ["\n".join(lines), text])
    assert wrong.reason.startswith(f"line({number + 1}): error: no instance of overloaded function")
    assert right.passed
