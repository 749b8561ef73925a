"""Baselines: answers that need no model, as rows to compare models with."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from warpsmith.core.execution.batches import divide
from warpsmith.core.records.pair import Pair
from warpsmith.core.similarity.overlap import Overlaps
from warpsmith.core.similarity.parameterized_shingles import parameterized_shingles
from warpsmith.core.similarity.shingles import ShingleSet
from warpsmith.core.similarity.tokens import code_tokens, python_tokens
from warpsmith.scoring.mutants.mutant_choice import mutants
from warpsmith.scoring.results.score_table import ALL, Row, TaskResult, estimate_text, summarize
from warpsmith.scoring.tasks import prompts
from warpsmith.scoring.tasks.task import Task, make_task

if TYPE_CHECKING:  # the scorer loads the sandbox
    from warpsmith.core.terminal import Advance
    from warpsmith.scoring.scorer import Scorer

ANSWERS_PER_BATCH = 64
"""How many answers are scored at once."""

_CUDA_NAME = re.compile(r"\b(?:var|adj)_(\w+)[,)]")
_PYTHON_NAME = re.compile(r"^    (\w+)(?=[:,])", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Baseline:
    """One baseline.

    Attributes:
        name: the name.
        answer: returns the completion of a task, or None if the baseline has none.
    """

    name: str
    answer: Callable[[Task], str | None]


def baselines(seed: int = 0, train: Sequence[Pair] | None = None) -> list[Baseline]:
    """Return all baselines.

    Args:
        seed: determines the mutants.
        train: the training set; without it there is no nearest neighbour.
    """
    found = [
        Baseline("reference", _reference),
        Baseline("empty", lambda _: ""),
        Baseline("copied", _copied),
        Baseline("mutant", lambda task: _mutant(task, seed)),
    ]
    if train is not None:
        neighbours = Neighbours(train)
        found.append(Baseline("nearest", neighbours.answer))
    return found


def _reference(task: Task) -> str:
    return prompts.fenced(task.language, task.reference)


def _copied(task: Task) -> str:
    if task.broken is not None:
        return prompts.fenced(task.language, task.broken.text)
    return prompts.fenced(task.language, _as_adjoint(task) if task.row.is_adjoint else _shown(task))


def _shown(task: Task) -> str:
    """Return the code that the answer to a task is written from."""
    from_cuda = task.row.is_adjoint or task.language == "python"
    return prompts.without_comments(task.pair.cuda_ir_forward or "") if from_cuda else task.pair.python_source


def _as_adjoint(task: Task) -> str:
    """Return the body of the forward kernel under the signature of the adjoint."""
    forward = task.pair.cuda_ir_forward or ""
    signature = prompts.cuda_signature(forward, task.entry_point.replace("_backward", "_forward")) or ""
    _, _, body = forward.rpartition(signature)
    return f"{task.row.signature(task.pair, task.entry_point)}{body}"


def _mutant(task: Task, seed: int) -> str | None:
    key = f"{seed}/{task.task_id}"
    found = mutants(task.reference, task.language, key, is_adjoint=task.row.is_adjoint, slips=False)
    return next((prompts.fenced(task.language, mutant.text) for mutant in found), None)


class Neighbours:
    """The pairs of a training set, which are searched by the code that a task shows.

    The answer of the most similar pair gets the names of the task: of the kernel, and of the parameters if there are as many.

    Args:
        pairs: the pairs.
    """

    def __init__(self, pairs: Iterable[Pair]) -> None:
        self._pairs = list(pairs)
        self._by_kind: dict[str, tuple[list[Task], Overlaps]] = {}

    def answer(self, task: Task) -> str | None:
        """Return the completion for a task, or None if no pair has an answer."""
        tasks, overlaps = self._of_kind(task.row.name)
        number, _ = overlaps.largest_similarity(_shingles(task))
        if number < 0:
            return None
        return prompts.fenced(task.language, _renamed(tasks[number], task))

    def _of_kind(self, kind: str) -> tuple[list[Task], Overlaps]:
        if kind not in self._by_kind:
            made = (make_task(kind, pair) for pair in self._pairs)
            tasks = [task for task in made if task is not None and len(_shingles(task))]
            self._by_kind[kind] = tasks, Overlaps([_shingles(task) for task in tasks])
        return self._by_kind[kind]


def _shingles(task: Task) -> ShingleSet:
    text = _shown(task)
    tokens = code_tokens(text) if task.row.is_adjoint or task.language == "python" else python_tokens(text)
    return parameterized_shingles(tokens or ())


def _renamed(neighbour: Task, task: Task) -> str:
    """Return the reference of a task with the names of another task."""
    names = {neighbour.entry_point: task.entry_point}
    old, new = map(_parameters, (neighbour, task))
    prefixes = ("",) if task.language == "python" or task.row.is_plain else ("var_", "adj_")
    if len(old) == len(new):
        names |= {prefix + before: prefix + after for before, after in zip(old, new, strict=True) for prefix in prefixes}
    return re.sub(r"\b\w+\b", lambda found: names.get(found[0], found[0]), neighbour.reference)


def _parameters(task: Task) -> list[str]:
    """Return the names of the parameters of the function that a task asks for."""
    signature = task.row.signature(task.pair, task.entry_point) or ""
    name = _PYTHON_NAME if task.language == "python" else _CUDA_NAME
    return list(dict.fromkeys(name.findall(signature)))


@dataclass(frozen=True, slots=True)
class BaselineRow:
    """The scores of a baseline on the tasks of one kind.

    Attributes:
        baseline: the name of the baseline.
        row: the figures.
        inconclusive: the number of answers that could not be judged.
    """

    baseline: str
    row: Row
    inconclusive: int

    def to_dict(self) -> dict[str, Any]:
        """Return the row as JSON values."""
        return {"baseline": self.baseline, **self.row.to_dict(), "inconclusive": self.inconclusive}

    def texts(self) -> tuple[str, ...]:
        """Return the cells of the table."""
        tasks, _, reward = self.row.counts()
        return self.baseline, self.row.kind, tasks, reward, estimate_text(self.row.pass_at_k[1])


def score_baselines(
    tasks: Sequence[Task], chosen: Sequence[Baseline], scorer: Scorer, advance: Advance
) -> Iterator[BaselineRow]:
    """Yield a row for each baseline and kind of task.

    Args:
        tasks: the tasks.
        chosen: the baselines.
        scorer: judges the answers.
        advance: receives the number of finished answers.
    """
    for baseline in chosen:
        results: list[TaskResult] = []
        inconclusive: Counter[str] = Counter()
        for batch in divide(tasks, ANSWERS_PER_BATCH):
            answers = [(task, text) for task in batch if (text := baseline.answer(task)) is not None]
            for (task, _), score in zip(answers, scorer.score_all(answers), strict=True):
                results.append(TaskResult(task.kind, task.category, 1, int(score.passed), score.reward))
                inconclusive[task.kind] += score.status == "inconclusive"
            advance(len(batch))
        for row in summarize(results, (1,)):
            if row.category == ALL:
                yield BaselineRow(baseline.name, row, inconclusive[row.kind])
