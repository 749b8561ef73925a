"""The scores of answers about programs: only a right answer is paid."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence

from warpsmith.scoring.judging.programs.cuda_program_judge import judge_cuda_programs
from warpsmith.scoring.judging.programs.program_judge import judge_programs
from warpsmith.scoring.judging.time_budget import TimeBudget
from warpsmith.scoring.scores import Score
from warpsmith.scoring.tasks.any_task import AnyTask
from warpsmith.scoring.tasks.program_task import ProgramTask
from warpsmith.scoring.tasks.task import Task
from warpsmith.validation.sandbox.supervisor import Supervisor

Item = tuple[AnyTask, str | None]
"""A completion with its task."""


def divided(items: Sequence[Item]) -> tuple[list[tuple[Task, str | None]], list[tuple[ProgramTask, str | None]]]:
    """Return the items about pairs, and those about programs."""
    pairs = [(task, text) for task, text in items if isinstance(task, Task)]
    return pairs, [(task, text) for task, text in items if isinstance(task, ProgramTask)]


def in_order(items: Sequence[Item], of_pairs: Iterator[Score], of_programs: Iterator[Score]) -> list[Score]:
    """Return the scores of items in the order of these."""
    return [next(of_programs if isinstance(task, ProgramTask) else of_pairs) for task, _ in items]


def program_scores(
    judge: Supervisor,
    candidates: Supervisor,
    machine: Supervisor,
    items: Sequence[tuple[ProgramTask, str | None]],
    seed: int | None,
    budget: TimeBudget,
    rewards: Mapping[str, float],
) -> Iterator[Score]:
    """Yield the scores of completions, in order. An answer that is not right has the reward of a refusal.

    Args:
        judge: the worker of references, which also reads answers.
        candidates: the worker of answers in Python.
        machine: the worker of answers in CUDA.
        items: the completions, each of its task.
        seed: decides the other parameters; None draws new ones.
        budget: the limits of time.
        rewards: the reward by the last stage that an answer passes.

    Raises:
        SandboxError: if a worker does not work on this machine.
    """
    text = str(seed) if seed is not None else secrets.token_hex(16)
    of_python = iter(judge_programs(judge, candidates, [item for item in items if not item[0].row.is_cuda], text, budget))
    of_cuda = iter(judge_cuda_programs(judge, machine, [item for item in items if item[0].row.is_cuda], text, budget))
    for outcome in (next(of_cuda if task.row.is_cuda else of_python) for task, _ in items):
        passed = outcome.status == "pass"
        reward = rewards["right"] if passed else 0.0 if outcome.status == "inconclusive" else min(rewards[""], rewards["run"])
        yield Score(reward, passed, outcome.level, outcome.status, outcome.reason)
