"""`Scorer`: judges completions of tasks in sandboxed workers, one for references and one for candidates."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter
from threading import Lock

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.execution.batches import divide
from warpsmith.core.records.launch_size import launch_size
from warpsmith.scoring.judging.fault_search import faults_of
from warpsmith.scoring.judging.judge_client import answer_to_read, ask, ask_to_read, plain_text_to_run, text_to_run
from warpsmith.scoring.judging.partial_credit import JudgedRun, right_share, writes_nothing
from warpsmith.scoring.judging.reference_results import Judged, references_of
from warpsmith.scoring.judging.result_comparison import Difference, Reference, first_difference
from warpsmith.scoring.judging.time_budget import NO_DEADLINE, SECONDS_PER_ANSWER, TimeBudget
from warpsmith.scoring.judging.wire import from_trial, to_outputs
from warpsmith.scoring.judging.worker_messages import (
    READ,
    RUN,
    RUN_PLAIN,
    UNSUPPORTED,
    AcceptedText,
    AnswerToRead,
    EncodedTrial,
    Launched,
    Nonsense,
    NonsenseError,
    Rejection,
)
from warpsmith.scoring.program_scores import divided, in_order, program_scores
from warpsmith.scoring.scores import REWARDS, STAGES, Score
from warpsmith.scoring.speed.device_speeds import DeviceSpeeds
from warpsmith.scoring.speed.speed_estimates import SpeedEstimates
from warpsmith.scoring.tasks.any_task import AnyTask
from warpsmith.scoring.tasks.completions import checked_answer
from warpsmith.scoring.tasks.task import Task
from warpsmith.validation.sandbox.headers import Headers
from warpsmith.validation.sandbox.supervisor import WORKERS, Supervisor

MAX_ANSWERS = 256
"""The most answers of one request."""

MAX_LAUNCH_BYTES = 96 << 20
"""The most bytes of a request's launches with all copies, unless it has one answer only; a worker answers with half of them."""

MAX_REFERENCES, MAX_REFERENCE_LAUNCH_BYTES = 64, 24 << 20
"""The same limits for a request about references, whose results have more grids, and are also in double precision."""


class Scorer:
    """Judges completions; use it as a context manager.

    The workers stay between calls, with compilers and headers loaded. Several threads may use a scorer: calls wait for each
    other.

    Args:
        seed: fixes the secret launches; None draws new ones for each call.
        rewards: the reward by the last stage that an answer passes.
        unconfined: whether to work without the parts of the sandbox that this system lacks, for completions that you trust.
        seconds_per_answer: the time limit for all launches of one answer together.
        seconds_per_batch: the time limit of a call; answers that are not judged by then are ``inconclusive``.
        partial: whether the reward of a wrong answer whose launches all end grows with the share of right elements.
        speed: whether the speed of right answers in plain CUDA is estimated.
        speed_weight: the part of the reward of such an answer that depends on its speed, from 0 to 1. This part is multiplied
            by the ratio of the measured speed, else of the estimate, at most 1. A weight above 0 implies ``speed``. Without a
            figure nothing is lost.
        device: a CUDA device such as ``"cuda:0"``, on which the speed of right answers in plain CUDA is measured.

    Raises:
        ValueError: if a limit is not positive, or the weight is not from 0 to 1.
        DeviceError: if this machine does not have the device.
        SandboxError: from the other methods, if the sandbox does not work or is incomplete on this machine.
        WarpsmithError: from the other methods, after `close`.
    """

    def __init__(
        self,
        seed: int | None = None,
        rewards: Mapping[str, float] = REWARDS,
        unconfined: bool = False,
        *,
        seconds_per_answer: float = SECONDS_PER_ANSWER,
        seconds_per_batch: float | None = None,
        partial: bool = False,
        speed: bool = False,
        speed_weight: float = 0.0,
        device: str | None = None,
    ) -> None:
        if not (0.0 < seconds_per_answer <= NO_DEADLINE and (seconds_per_batch is None or seconds_per_batch > 0.0)):
            raise ValueError("limits of time are positive numbers of seconds")
        if not 0.0 <= speed_weight <= 1.0:
            raise ValueError("the weight of the speed is a number from 0 to 1")
        self._seed, self._rewards, self._partial = seed, rewards, partial
        self._speed, self._speed_weight = speed or speed_weight > 0.0, speed_weight
        self._seconds, self._batch_seconds = seconds_per_answer, seconds_per_batch
        self._lock, self._is_closed = Lock(), False
        self._headers = Headers()
        self._judge = Supervisor((), WORKERS[unconfined], self._headers, compiles=True)
        self._candidates = Supervisor((), WORKERS[unconfined], self._headers, compiles=True)
        self._plain = Supervisor((), WORKERS[unconfined], self._headers, uses_machine=True)
        self._estimates = SpeedEstimates(self._plain)
        self._device_speeds = DeviceSpeeds(self._plain, device, unconfined) if device is not None else None

    def __enter__(self) -> Scorer:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the workers and remove their files, after the calls of other threads."""
        with self._lock:
            if self._is_closed:
                return
            self._is_closed = True
            if self._device_speeds is not None:
                self._device_speeds.close()
            for supervisor in (self._judge, self._candidates, self._plain):
                supervisor.close()
            self._headers.close()

    def score(self, task: AnyTask, completions: str | Sequence[str | None]) -> list[Score]:
        """Judge completions of one task; a single text is one completion.

        Raises:
            TypeError: if ``completions`` are bytes, whose numbers would count as completions.
        """
        if isinstance(completions, bytes | bytearray | memoryview):
            raise TypeError("completions are bytes: pass a text, or a list of texts")
        if isinstance(completions, str):
            completions = [completions]
        return self.score_all([(task, completion) for completion in completions])

    def score_all(self, items: Sequence[tuple[AnyTask, str | None]]) -> list[Score]:
        """Judge completions, each of its task, and return their scores in order.

        A completion fails alone if it is None or otherwise no text, is too long, or its answer contains a lone surrogate.
        """
        with self._lock:
            if self._is_closed:
                raise WarpsmithError("the scorer is closed: make a new one")
            budget = TimeBudget.starting(self._seconds, self._batch_seconds)
            pairs, programs = divided(items)
            of_pairs = (
                score
                for batch in divide(pairs, MAX_ANSWERS, (lambda item: _launch_bytes(item[0]), MAX_LAUNCH_BYTES))
                for score in self._batch(batch, budget)
            )
            of_programs = program_scores(
                self._judge, self._candidates, self._plain, programs, self._seed, budget, self._rewards
            )
            return in_order(items, of_pairs, of_programs)

    def _batch(self, items: Sequence[tuple[Task, str | None]], budget: TimeBudget) -> list[Score]:
        seed = str(self._seed) if self._seed is not None else secrets.token_hex(16)
        judged: dict[str, Judged] = {}
        tasks = {task.task_id: task for task, _ in items}.values()
        for portion in divide(tasks, MAX_REFERENCES, (_launch_bytes, MAX_REFERENCE_LAUNCH_BYTES)):
            judged |= references_of(self._judge, {task.task_id: task for task in portion}, seed, budget.references)
        runnable = [item for item in items if judged[item[0].task_id].references]
        read = self._read(runnable, budget)
        texts = iter(read)
        answers = self._ask(runnable, read, judged, budget)
        scores: list[Score] = []
        right: list[tuple[int, Task, str]] = []
        for number, (task, _) in enumerate(items):
            if not judged[task.task_id].references:
                scores.append(self._inconclusive(judged[task.task_id].problem))
                continue
            scores.append(self._score(task, judged[task.task_id], next(answers), seed))
            text = next(texts)
            if scores[-1].passed and isinstance(text, AcceptedText):
                right.append((number, task, text.text))
        self._search_faults(scores, [answer for answer in right if not answer[1].row.is_plain], budget)
        kernels = [answer for answer in right if answer[1].row.is_plain and not answer[1].row.is_program]
        self._add_speeds(scores, kernels, budget)
        return scores

    def _search_faults(self, scores: list[Score], right: Sequence[tuple[int, Task, str]], budget: TimeBudget) -> None:
        """Replace scores of answers, which have a number, a task and a text, if the SIMT machine finds a fault in them."""
        faults = faults_of(self._plain, [(task, text) for _, task, text in right], budget)
        for (number, *_), fault in zip(right, faults, strict=True):
            if fault is not None:
                scores[number] = self._failed("compile", f"{fault.kind}: {fault.text[:300]} ({fault.direction} pass)")

    def _add_speeds(self, scores: list[Score], right: Sequence[tuple[int, Task, str]], budget: TimeBudget) -> None:
        """Replace scores of right answers, which have a number, a task and a text, by those with their speeds."""
        items = [(task, text) for _, task, text in right]
        estimated = self._estimates.speeds(items, budget) if self._speed else [None] * len(right)
        measured = self._device_speeds.speeds(items, budget) if self._device_speeds is not None else [None] * len(right)
        for (number, *_), estimate, measurement in zip(right, estimated, measured, strict=True):
            known = measurement or estimate
            loss = 1.0 - min(known.ratio, 1.0) if known is not None else 0.0
            reward = scores[number].reward * (1.0 - self._speed_weight * loss)
            scores[number] = replace(scores[number], reward=reward, speed=estimate, device_speed=measurement)

    # ------------------------------------------------------------------------------------------------------- candidates

    def _ask(
        self,
        items: Sequence[tuple[Task, str | None]],
        read: Sequence[AcceptedText | Rejection],
        judged: Mapping[str, Judged],
        budget: TimeBudget,
    ) -> Iterator[Launched | Rejection | Nonsense]:
        """Yield the workers' answer on each item, whose text has been read: a rejection, or the outputs of all launches."""
        sent: list[EncodedTrial] = []
        numbers: dict[str, list[int]] = {}
        for task in {task.task_id: task for task, _ in items}.values():
            references = judged[task.task_id].references
            numbers[task.task_id] = list(range(len(sent), len(sent) + len(references)))
            sent += [from_trial(reference.trial, reference.shapes) for reference in references]
        accepted = [(task, found.text) for (task, _), found in zip(items, read, strict=True) if isinstance(found, AcceptedText)]
        texts = [text_to_run(task, text, numbers[task.task_id]) for task, text in accepted if not task.row.is_plain]
        plain = [
            plain_text_to_run(task, task.signature, text, numbers[task.task_id]) for task, text in accepted if task.row.is_plain
        ]
        answered = iter(ask(self._candidates, RUN, texts, budget, trials=sent))
        answered_plain = iter(ask(self._plain, RUN_PLAIN, plain, budget, trials=sent))
        for (task, _), found in zip(items, read, strict=True):
            yield found if isinstance(found, Rejection) else next(answered_plain if task.row.is_plain else answered)

    def _read(self, items: Sequence[tuple[Task, str | None]], budget: TimeBudget) -> list[AcceptedText | Rejection]:
        """Return the judge's answer on each completion: the text to compile, or why there is none."""

        def encoded(item: tuple[Task, str | None]) -> AnswerToRead:
            task, completion = item
            return answer_to_read(task, checked_answer(completion, task.language, task.entry_point))

        return ask_to_read(self._judge, READ, items, encoded, budget)

    # ------------------------------------------------------------------------------------------------------- scores

    def _score(self, task: Task, judged: Judged, answered: Launched | Rejection | Nonsense, seed: str) -> Score:
        if isinstance(answered, Rejection):
            return self._rejected(answered.stage, answered.reason[:500])
        if isinstance(answered, Nonsense):
            return self._failed("compile", "the worker answered nonsense")
        wrong: list[tuple[int, Difference, Reference, int]] = []
        judged_runs: list[JudgedRun] = []
        try:
            for reference, runs in zip(judged.references, answered.runs, strict=True):
                for shape, run in zip(reference.shapes, runs, strict=True):
                    if run.problem is not None:
                        return self._failed("compile", f"{run.problem[:300]} ({reference.trial.name} launch)")
                    if run.outputs == reference.encoded:
                        judged_runs.append(JudgedRun(reference, None))
                        continue
                    outputs = to_outputs(run.outputs, reference.trial, task.runs_adjoint)
                    judged_runs.append(JudgedRun(reference, outputs))
                    if (difference := first_difference(reference, outputs)) is not None:
                        wrong.append((reference.trial.numbers, difference, reference, shape))
        except (NonsenseError, ValueError):
            return self._failed("compile", "the worker answered nonsense")
        if not wrong:
            return Score(self._rewards["right"], True, "right", "pass")
        _, difference, reference, shape = min(wrong, key=itemgetter(0))
        counterexample = difference.to_json(reference.trial, shape, seed)
        reason = f"{difference} ({reference.trial.name} launch)"
        if writes_nothing(task, judged_runs):
            reward = min(self._rewards[""], self._rewards["run"])
            return Score(reward, False, "run", "fail", f"the answer changes no output: {reason}", counterexample)
        reward = self._rewards["run"]
        if self._partial:
            reward += right_share(task, judged_runs) * max(self._rewards["right"] - reward, 0.0)
        return Score(reward, False, "run", "fail", reason, counterexample)

    def _rejected(self, stage: str, reason: str) -> Score:
        if stage == UNSUPPORTED:
            return Score(0.0, False, "", "unsupported", reason)
        if stage not in STAGES:
            return self._inconclusive(reason)
        return self._failed(STAGES[STAGES.index(stage) - 1] if stage != "read" else "", reason)

    def _failed(self, level: str, reason: str) -> Score:
        return Score(self._rewards[level], False, level, "fail", reason)

    def _inconclusive(self, reason: str) -> Score:
        return Score(0.0, False, "", "inconclusive", reason)


def _launch_bytes(task: Task) -> int:
    launch = task.pair.metadata.launch
    return 0 if launch is None else launch_size(launch).bytes


def score(task: AnyTask, completions: str | Sequence[str | None], seed: int | None = None) -> list[Score]:
    """Judge completions of one task with workers that end with the call, see `Scorer`."""
    with Scorer(seed) as scorer:
        return scorer.score(task, completions)
