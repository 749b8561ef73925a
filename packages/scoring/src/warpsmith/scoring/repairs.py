"""Repairs: references that are broken on purpose, the report about the broken text, and the fix; both ends are judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import orjson

from warpsmith.core.execution.batches import divide
from warpsmith.scoring.mutants.mutant_choice import Mutant, mutants
from warpsmith.scoring.task_making import NOT_RIGHT
from warpsmith.scoring.tasks import prompts
from warpsmith.scoring.tasks.quota import LeftOut, Quota
from warpsmith.scoring.tasks.task import Task, make_repair

if TYPE_CHECKING:  # the scorer loads the sandbox
    from warpsmith.scoring.scorer import Scorer
    from warpsmith.scoring.scores import Score

TASKS_PER_BATCH = 16
"""How many tasks are broken at once."""

SPARE = 1
"""How many more mutants of a text are judged than wanted: some are equivalent."""

EQUIVALENT = "mutants that pass"
INCONCLUSIVE = "mutants that could not be judged"

_REPORTS = {
    "": "The text is refused: {reason}",
    "read": "The text does not compile: {reason}",
    "compile": "A launch stops: {reason}",
    "run": "A result is wrong: {reason}",
}
"""The first line of a report by the last stage that the text passes."""


@dataclass(frozen=True, slots=True)
class Repair:
    """A broken text and its fix.

    Attributes:
        task: the task to repair the text.
        source: the task that the text answers.
        operator: the kind of the edit that broke it.
        score: the score of the broken text.
    """

    task: Task
    source: Task
    operator: str
    score: Score

    @property
    def fix(self) -> str:
        """The reference as a completion; it scores 1."""
        return prompts.fenced(self.source.language, self.source.reference)

    @property
    def broken(self) -> str:
        """The broken text as a completion."""
        return prompts.fenced(self.source.language, self.task.broken.text if self.task.broken else "")


def repairs_of(
    tasks: Iterable[Task],
    scorer: Scorer,
    *,
    seed: int = 0,
    per_pair: int = 1,
    quota: Quota | None = None,
    left_out: LeftOut | None = None,
) -> Iterator[Repair]:
    """Yield repairs of the references of tasks, which may be endless. Fixed by the seeds of this function and of the scorer.

    Args:
        tasks: the tasks whose references are broken.
        scorer: judges the references and the broken texts.
        seed: determines the edits.
        per_pair: the most repairs of each task.
        quota: the most repairs by kind of the source, and the repairs so far; tasks that are not wanted are skipped.
        left_out: receives why tasks and mutants became no repair.
    """
    quota = quota or Quota()
    left_out = LeftOut() if left_out is None else left_out
    wanted = (task for task in tasks if quota.wants(task.kind, task.category))
    for batch in divide(wanted, TASKS_PER_BATCH):
        for repair in _judged(batch, scorer, seed, per_pair, left_out):
            if quota.wants(repair.source.kind, repair.source.category):
                quota.take(repair.source.kind, repair.source.category)
                yield repair


def _judged(tasks: Sequence[Task], scorer: Scorer, seed: int, per_pair: int, left_out: LeftOut) -> Iterator[Repair]:
    """Yield the repairs of some tasks: texts that fail, of tasks whose reference passes."""
    broken = {task.task_id: list(islice(_mutants(task, seed), per_pair + SPARE)) for task in tasks}
    items = [
        (task, prompts.fenced(task.language, text))
        for task in tasks
        for text in (task.reference, *(mutant.text for mutant in broken[task.task_id]))
    ]
    scores = iter(scorer.score_all(items))
    for task in tasks:
        reference, *broken_scores = islice(scores, 1 + len(broken[task.task_id]))
        if not reference.passed:
            left_out.add(task.row, NOT_RIGHT)
            continue
        failing = (pair for pair in zip(broken[task.task_id], broken_scores, strict=True) if _fails(pair[1], task, left_out))
        for mutant, score in islice(failing, per_pair):
            yield Repair(make_repair(task, mutant.text.strip("\n"), report(score)), task, mutant.operator, score)


def _mutants(task: Task, seed: int) -> Iterator[Mutant]:
    return mutants(task.reference, task.language, f"{seed}/{task.task_id}", is_adjoint=task.row.is_adjoint)


def _fails(score: Score, task: Task, left_out: LeftOut) -> bool:
    if score.status == "fail":
        return True
    left_out.add(task.row, EQUIVALENT if score.passed else INCONCLUSIVE)
    return False


def report(score: Score) -> str:
    """Return what a judge reports about a wrong answer: the reason and, for a wrong result, the launch."""
    lines = [_REPORTS[score.level].format(reason=score.reason)]
    if found := score.counterexample:
        lines.append(f"The launch has the dimensions {found['dim']}.")
        lines += [f"{name} = {orjson.dumps(value).decode()}" for name, value in found.get("inputs", {}).items()]
    return "\n".join(lines)
