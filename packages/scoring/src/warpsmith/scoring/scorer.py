"""`Scorer`: judges completions of tasks in sandboxed workers, one for references and one for candidates."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from warpsmith.core.errors import SandboxError, WarpsmithError
from warpsmith.core.records import text_format
from warpsmith.core.records.pair import Pair
from warpsmith.scoring.completions import answer
from warpsmith.scoring.judging.compare import Difference, Reference, first_difference
from warpsmith.scoring.judging.trials import REVERSED, Trial, trials
from warpsmith.scoring.judging.wire import READ, RUN, NonsenseError, Outputs, from_trial, to_outputs
from warpsmith.scoring.task import Task
from warpsmith.validation.sandbox.headers import Headers
from warpsmith.validation.sandbox.supervisor import Supervisor

WORKERS = {False: "warpsmith.scoring.judging.worker", True: "warpsmith.scoring.judging.unconfined_worker"}
"""The module that a worker runs, by whether the sandbox may be incomplete."""

STAGES = ("read", "compile", "run", "right")
"""What an answer passes, in order: the policy, the compilers, the launches without a stop, the comparison."""

REWARDS: Mapping[str, float] = {"": 0.0, "read": 0.0, "compile": 0.1, "run": 0.2, "right": 1.0}
"""The default reward by the last stage that an answer passes."""

ADJOINT = "forward_to_adjoint"

BATCH = 64
"""The most answers of one request."""

SECONDS, SECONDS_PER_TEXT = 60.0, 12.0
"""The time limit of a request."""


@dataclass(frozen=True, slots=True)
class Score:
    """What an answer is worth.

    Attributes:
        reward: from 0 to 1.
        passed: whether the answer is right.
        level: the last of `STAGES` that it passes; empty if it passes none.
        status: ``pass``, ``fail``, or ``inconclusive`` if the machine or the reference prevented a judgement.
        reason: one line; empty for ``pass``.
        counterexample: a launch that shows a wrong result, see `compare.Difference.to_json`.
    """

    reward: float
    passed: bool
    level: str
    status: str
    reason: str = ""
    counterexample: dict[str, Any] | None = None


@dataclass(slots=True)
class _Judged:
    """The references of a task, or why there are none."""

    references: list[Reference] = field(default_factory=list)
    problem: str = ""


class Scorer:
    """Judges completions; use it as a context manager.

    The workers stay between calls, with compilers and headers loaded. One thread at a time may use a scorer.

    Args:
        seed: fixes the secret launches; None draws new ones for each call.
        rewards: the reward by the last stage that an answer passes.
        unconfined: whether to work without the parts of the sandbox that this system lacks, for completions that you trust.

    Raises:
        SandboxError: from the other methods, if the sandbox does not work or is incomplete on this machine.
    """

    def __init__(self, seed: int | None = None, rewards: Mapping[str, float] = REWARDS, unconfined: bool = False) -> None:
        self._seed, self._rewards = seed, rewards
        self._headers = Headers()
        self._judge = Supervisor((), WORKERS[unconfined], self._headers, compiles=True)
        self._candidates = Supervisor((), WORKERS[unconfined], self._headers, compiles=True)

    def __enter__(self) -> Scorer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the workers and remove their files."""
        for supervisor in (self._judge, self._candidates):
            supervisor.close()
        self._headers.close()

    def score(self, task: Task, completions: Sequence[str]) -> list[Score]:
        """Judge several completions of one task."""
        return self.score_all([(task, completion) for completion in completions])

    def score_all(self, items: Sequence[tuple[Task, str]]) -> list[Score]:
        """Judge completions, each of its task, and return their scores in order."""
        return [score for start in range(0, len(items), BATCH) for score in self._batch(items[start : start + BATCH])]

    def _batch(self, items: Sequence[tuple[Task, str]]) -> list[Score]:
        seed = str(self._seed) if self._seed is not None else secrets.token_hex(16)
        judged = self._references({task.task_id: task for task, _ in items}, seed)
        answers = self._ask([item for item in items if judged[item[0].task_id].references], judged)
        return [
            self._score(task, judged[task.task_id], next(answers), seed)
            if judged[task.task_id].references
            else self._inconclusive(judged[task.task_id].problem)
            for task, _ in items
        ]

    # ------------------------------------------------------------------------------------------------------- references

    def _references(self, tasks: Mapping[str, Task], seed: str) -> dict[str, _Judged]:
        """Return the references of tasks by id."""
        launches: dict[str, list[Trial]] = {}
        judged: dict[str, _Judged] = {}
        for name, task in tasks.items():
            try:
                launches[name] = trials(task.pair, seed)
                signature(task.pair, "forward")
            except (WarpsmithError, ValueError) as error:
                judged[name] = _Judged(problem=f"the reference cannot be run: {error}")
        ready = [tasks[name] for name in launches]
        texts, sent = _references_sent(ready, launches)
        single = self._halved(self._judge, RUN, texts, trials=sent)
        texts, sent = _references_sent(ready, launches, in_order=True)
        double = self._halved(self._judge, RUN, texts, trials=sent, double=True)
        for task, plain, exact in zip(ready, single, double, strict=True):
            try:
                judged[task.task_id] = _judged(task, launches[task.task_id], plain, exact)
            except (NonsenseError, ValueError, TypeError, AttributeError):
                judged[task.task_id] = _Judged(problem="the reference cannot be run: the worker answered nonsense")
        return judged

    # ------------------------------------------------------------------------------------------------------- candidates

    def _ask(self, items: Sequence[tuple[Task, str]], judged: Mapping[str, _Judged]) -> Iterator[dict[str, Any]]:
        """Yield the workers' answer on each item: a rejection, or the outputs of all launches."""
        read = self._read(items)
        sent: list[dict[str, Any]] = []
        numbers: dict[str, list[int]] = {}
        for task in {task.task_id: task for task, _ in items}.values():
            references = judged[task.task_id].references
            numbers[task.task_id] = list(range(len(sent), len(sent) + len(references)))
            sent += [from_trial(reference.trial, reference.shapes) for reference in references]
        texts = [
            _text(task, found["text"], numbers[task.task_id])
            for (task, _), found in zip(items, read, strict=True)
            if "text" in found
        ]
        answered = iter(self._halved(self._candidates, RUN, texts, trials=sent))
        for found in read:
            yield next(answered) if "text" in found else {"stage": "read", "reason": str(found.get("reason"))}

    def _read(self, items: Sequence[tuple[Task, str]]) -> list[dict[str, Any]]:
        texts = []
        for task, completion in items:
            forward, backward = task.pair.code("cuda")
            texts.append(
                {
                    "language": task.language,
                    "text": answer(completion, task.language),
                    "entry_point": task.entry_point,
                    "reference": f"{forward}\n{backward}" if task.kind == ADJOINT else forward or "",
                }
            )
        return self._halved(self._judge, READ, texts)

    def _halved(
        self, supervisor: Supervisor, work: str, texts: Sequence[dict[str, Any]], **options: Any
    ) -> list[dict[str, Any]]:
        """Return the answers on texts; if the worker dies, those on each half."""
        if not texts:
            return []
        try:
            return _request(supervisor, work, texts, **options)
        except (WarpsmithError, NonsenseError) as error:
            if isinstance(error, SandboxError):
                raise
            supervisor.client.stop()
            if len(texts) == 1:
                return [{"stage": "compile", "reason": f"the worker stopped: {error or 'it answered nonsense'}"}]
        middle = len(texts) // 2
        halves = (texts[:middle], texts[middle:])
        return [answered for half in halves for answered in self._halved(supervisor, work, half, **options)]

    # ------------------------------------------------------------------------------------------------------- scores

    def _score(self, task: Task, judged: _Judged, answered: Mapping[str, Any], seed: str) -> Score:
        if "runs" not in answered:
            stage, reason = str(answered.get("stage")), str(answered.get("reason"))[:500]
            if stage not in STAGES:
                return self._inconclusive(reason)
            return self._failed(STAGES[STAGES.index(stage) - 1] if stage != "read" else "", reason)
        wrong: list[tuple[int, Difference, Reference, int]] = []
        try:
            for reference, runs in zip(judged.references, answered["runs"], strict=True):
                for shape, run in zip(reference.shapes, runs, strict=True):
                    if "problem" in run:
                        return self._failed("compile", f"{str(run['problem'])[:300]} ({reference.trial.name} launch)")
                    outputs = to_outputs(run.get("outputs"), reference.trial, _needs_adjoint(task))
                    if (difference := first_difference(reference, outputs)) is not None:
                        wrong.append((reference.trial.numbers, difference, reference, shape))
        except (NonsenseError, ValueError, TypeError, AttributeError):
            return self._failed("compile", "the worker answered nonsense")
        if not wrong:
            return Score(self._rewards["right"], True, "right", "pass")
        _, difference, reference, shape = min(wrong, key=lambda one: one[0])
        counterexample = difference.to_json(reference.trial, shape, seed)
        return self._failed("run", f"{difference} ({reference.trial.name} launch)", counterexample)

    def _failed(self, level: str, reason: str, counterexample: dict[str, Any] | None = None) -> Score:
        return Score(self._rewards[level], False, level, "fail", reason, counterexample)

    def _inconclusive(self, reason: str) -> Score:
        return Score(0.0, False, "", "inconclusive", reason)


def score(task: Task, completions: Sequence[str], seed: int | None = None) -> list[Score]:
    """Judge completions of one task with workers that end with the call, see `Scorer`."""
    with Scorer(seed) as scorer:
        return scorer.score(task, completions)


def _needs_adjoint(task: Task) -> bool:
    return task.pair.cuda_ir_backward is not None and task.kind != "python_to_cuda"


def _request(supervisor: Supervisor, work: str, texts: Sequence[dict[str, Any]], **options: Any) -> list[dict[str, Any]]:
    """Return a worker's answers on texts.

    Raises:
        SandboxError: if no worker works on this machine.
        WarpsmithError: if the worker dies.
        NonsenseError: if the answer is no answer.
    """
    supervisor.require_worker()
    answered = supervisor.run_task(work, [], SECONDS + SECONDS_PER_TEXT * len(texts), texts=list(texts), **options).get("texts")
    if not isinstance(answered, list) or len(answered) != len(texts) or not all(isinstance(one, dict) for one in answered):
        raise NonsenseError
    return answered


def _text(task: Task, text: str | None, numbers: Sequence[int]) -> dict[str, Any]:
    """Return the fields of `runner.Text` for an answer, or for the reference if ``text`` is None."""
    forward, backward = task.pair.code("cuda")
    is_adjoint, adjoint = task.kind == ADJOINT, backward if _needs_adjoint(task) else None
    return {
        "language": "" if text is None else "adjoint" if is_adjoint else task.language,
        "kernel_name": task.pair.metadata.kernel_name,
        "text": forward if text is None else text,
        "given": adjoint if text is None else forward if is_adjoint else None,
        "signature": signature(task.pair, "forward"),
        "options": task.pair.metadata.module_options,
        "backward": _needs_adjoint(task),
        "trials": list(numbers),
    }


def signature(pair: Pair, direction: str) -> str:
    """Return the name and the parameters of a pair's CUDA entry point, as Warp writes them.

    Raises:
        WarpsmithError: if the pair has no such entry point.
    """
    text = pair.code("cuda")[text_format.DIRECTIONS.index(direction)] or ""
    found = text_format.CUDA_PARAMETERS[direction].findall(text)
    if not found:
        raise WarpsmithError(f"pair {pair.id} has no CUDA kernel, {direction}")
    return f"{text_format.entry_opening(pair.metadata.kernel_name, 'cuda', direction).strip()}\n{found[-1]})\n{{"


def _references_sent(
    tasks: Sequence[Task], launches: Mapping[str, Sequence[Trial]], in_order: bool = False
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the texts of references and their launches, as the worker receives them."""
    texts: list[dict[str, Any]] = []
    sent: list[dict[str, Any]] = []
    for task in tasks:
        numbers = range(len(sent), len(sent) + len(launches[task.task_id]))
        sent += [from_trial(trial, (0,) if in_order else _shapes(trial)) for trial in launches[task.task_id]]
        texts.append(_text(task, None, numbers))
    return texts, sent


def _judged(task: Task, launches: Sequence[Trial], plain: Mapping[str, Any], exact: Mapping[str, Any]) -> _Judged:
    """Return the references of a task from the worker's answers; launches that stop or are not finite are left out."""
    if "runs" not in plain:
        return _Judged(problem=f"the reference cannot be run: {str(plain.get('reason'))[:300]}")
    judged, backward = _Judged(), _needs_adjoint(task)
    in_double = exact.get("runs") or [[{"problem": "no text in double precision"}]] * len(launches)
    for trial, runs, exact_runs in zip(launches, plain["runs"], in_double, strict=True):
        in_order, *others = (_outputs(run, trial, backward) for run in runs)
        (double,) = (_outputs(run, trial, backward, double=True) for run in exact_runs)
        if in_order is not None and _is_finite(in_order):
            judged.references.append(Reference(trial, in_order, dict(zip(_shapes(trial)[1:], others, strict=True)), double))
    if not any(reference.trial.name == "own" for reference in judged.references):
        return _Judged(problem="the reference cannot be run: its own launch stops or is not finite")
    return judged


def _shapes(trial: Trial) -> list[int]:
    """Return the shapes of grids that the reference runs over: the first in order, others to see whether the order matters."""
    return sorted({0, REVERSED, *trial.shapes})


def _outputs(run: Mapping[str, Any], trial: Trial, backward: bool, double: bool = False) -> Outputs | None:
    return None if "problem" in run else to_outputs(run.get("outputs"), trial, backward, double)


def _is_finite(outputs: Outputs) -> bool:
    groups = (outputs.arrays, outputs.gradients, outputs.rewritten)
    return all(bool(np.all(np.isfinite(array))) for group in groups for array in group.values())
