"""`warpsmith-score run` on odd completions: one result each, no traceback, no process left, and right answers score 1."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from command_line import start_code
from processes import assert_nothing_lives, kill_session
from scoring.cheat_files import read_cheats
from scoring.odd_completions import FORMS, OddCompletion, fenced, odd_completions
from scoring_datasets import task_of
from shift_pair import make_pair
from warpsmith.scoring.judging.judge_client import SECONDS
from warpsmith.scoring.judging.time_budget import SECONDS_PER_ANSWER
from warpsmith.scoring.judging.worker_messages import RUN_PLAIN
from warpsmith.scoring.scorer import Scorer
from warpsmith.scoring.tasks.completions import MAX_LENGTH
from warpsmith.scoring.tasks.task import Task, make_repair
from warpsmith.scoring.tasks.task_kinds import KINDS

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")

SLICE, SLICES = 100, 10
"""The number of completions of a run of the exhaustive test, and the number of runs."""


@pytest.fixture(scope="module")
def tasks() -> list[Task]:
    """Return a task of every kind."""
    made = [task_of(kind, make_pair()) for kind in KINDS]
    return [*made, make_repair(made[0], "nothing", "wrong")]


def judge(tasks: Sequence[Task], completions: Sequence[OddCompletion], folder: Path) -> list[dict[str, Any]]:
    """Return the results of the command, after checks that it ends in time and leaves no process.

    A right answer follows every tenth completion, and one of every task comes last.
    """
    rows: list[dict[str, Any]] = []
    for number, odd in enumerate(completions):
        rows.append({"task_id": odd.task.task_id, "completion": odd.text, "form": odd.form})
        if number % 10 == 0:
            rows.append(_right(tasks[number // 10 % len(tasks)]))
    rows += map(_right, tasks)
    (folder / "tasks.jsonl").write_text("".join(f"{json.dumps(task.to_row())}\n" for task in tasks))
    (folder / "completions.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            start_code("scoring"),
            "run",
            "tasks.jsonl",
            "completions.jsonl",
            "--seed",
            "7",
            "-o",
            "out.jsonl",
        ],
        cwd=folder,
        env=os.environ | {"TMPDIR": str(folder)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        _, stderr = process.communicate(timeout=SECONDS + (RUN_PLAIN.seconds_per_text + SECONDS_PER_ANSWER) * len(rows))
    finally:
        process.kill()
        kill_session(process.pid)
        assert_nothing_lives(folder)
    assert process.returncode == 0, stderr
    assert "Traceback" not in stderr
    results = [json.loads(line) for line in (folder / "out.jsonl").read_bytes().split(b"\n")[:-1]]
    assert [{name: result[name] for name in row} for row, result in zip(rows, results, strict=True)] == rows
    return results


def _right(task: Task) -> dict[str, Any]:
    return {"task_id": task.task_id, "completion": fenced(task, task.reference), "form": "right"}


def assert_each_has_a_result(results: Sequence[dict[str, Any]]) -> None:
    for result in results:
        about = f"{result['task_id']} {result['form']}: {result['completion'][:200]!r} {result['reason']}"
        if result["form"] == "right":
            assert (result["status"], result["reward"]) == ("pass", 1.0), about
        assert result["status"] in ("pass", "fail", "unsupported"), about
        assert bool(result["reason"]) == (result["status"] != "pass"), about
        assert "\n" not in result["reason"], about
        assert result["passed"] == (result["reward"] == 1.0), about


@pytest.mark.exhaustive
def test_odd_completions_have_one_result_each(tasks: list[Task], tmp_path: Path) -> None:
    completions = odd_completions(tasks, [*FORMS, "hostile", "nested", "mutated", "surrogates"], 3)
    assert_each_has_a_result(judge(tasks, completions, tmp_path))


@pytest.mark.exhaustive
@pytest.mark.parametrize("number", range(SLICES))
def test_many_odd_completions_have_one_result_each(tasks: list[Task], tmp_path: Path, number: int) -> None:
    rng = random.Random(number)  # noqa: S311 - reproducible texts
    weights = [1 if form == "huge" else 6 for form in FORMS]
    completions = odd_completions(tasks, rng.choices(list(FORMS), weights, k=SLICE - 2), number)
    slow = [cheat for cheat in read_cheats() if cheat.is_slow]
    by_kind = {task.kind: task for task in tasks}
    for cheat in (slow[2 * number % len(slow)], slow[(2 * number + 1) % len(slow)]):
        task = by_kind[cheat.kind]
        completions.insert(rng.randrange(SLICE // 2), OddCompletion("slow", task, fenced(task, cheat.cheat)))
    results = judge(tasks, completions, tmp_path)
    assert_each_has_a_result(results)
    assert not any(result["passed"] for result in results if result["form"] == "slow")


@pytest.mark.parametrize(
    ("completion", "reason"),
    [
        (None, "the completion is no text: its type is NoneType"),
        (b"int x;", "the completion is no text: its type is bytes"),
        (["int x;"], "the completion is no text: its type is list"),
        ("a\ud83d", "line 1: the lone surrogate U+D83D is no character"),
        ("\n\n\udfff", "line 3: the lone surrogate U+DFFF is no character"),
        ("x" * (MAX_LENGTH + 1), f"the completion has 2,000,001 characters, more than {MAX_LENGTH:,}"),
    ],
)
def test_a_completion_that_no_file_can_contain_fails_alone(
    real_scorer: Scorer, tasks: list[Task], completion: Any, reason: str
) -> None:
    task = tasks[0]
    right = fenced(task, task.reference)
    first, odd, last = real_scorer.score(task, [right, completion, f"A cut character: \ud83d\n{right}"])
    assert (first.reward, last.reward) == (1.0, 1.0)
    assert (odd.reward, odd.level, odd.status, odd.reason) == (0.0, "", "fail", reason)


def test_one_text_is_one_completion(real_scorer: Scorer, tasks: list[Task]) -> None:
    (found,) = real_scorer.score(tasks[0], fenced(tasks[0], tasks[0].reference))
    assert found.reward == 1.0
    with pytest.raises(TypeError, match="pass a text, or a list of texts"):
        real_scorer.score(tasks[0], b"int x;")


def test_results_of_odd_completions_are_continued_and_read_again(
    command: Any, scorer: Any, tasks: list[Task], tmp_path: Path
) -> None:
    texts = ["right", "\ud800", "right \udc00", "\0\r\n"] * 30
    rows = [{"task_id": tasks[0].task_id, "completion": text} for text in texts]
    (tmp_path / "tasks.jsonl").write_text(f"{json.dumps(tasks[0].to_row())}\n")
    (tmp_path / "completions.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    arguments = ("run", tmp_path / "tasks.jsonl", tmp_path / "completions.jsonl", "-o", tmp_path / "out.jsonl", "--json")
    whole = scorer.score_all

    def interrupted(self: Any, candidates: Any) -> Any:
        if self.batches:
            raise KeyboardInterrupt
        return whole(self, candidates)

    scorer.score_all = interrupted
    assert command(*arguments)[0] == 130
    scorer.score_all = whole
    assert command(*arguments)[0] == 0
    assert scorer.batches == [64, 56]
    results = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert [result["completion"] for result in results] == texts
    first, again = command(*arguments), command(*arguments)
    assert (again[0], again[1]) == (0, first[1])
    assert scorer.batches == [64, 56]
