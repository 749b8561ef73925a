"""Requests of the scorer to its workers about texts, and the answers, which are checked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from warpsmith.core.records import text_format
from warpsmith.scoring.judging.time_budget import NO_DEADLINE, SPENT, TimeBudget
from warpsmith.scoring.judging.worker_messages import (
    MACHINE,
    AnswerToRead,
    EncodedTrial,
    NonsenseError,
    PlainTextToRun,
    Rejection,
    TextToRun,
    WorkerTask,
)
from warpsmith.scoring.plain.plain_signature import Signature
from warpsmith.scoring.plain.program_unit import program_unit
from warpsmith.scoring.policy.violation import Violation
from warpsmith.scoring.tasks.task import Task
from warpsmith.validation.sandbox.fault_attribution import TRIES
from warpsmith.validation.sandbox.supervisor import Supervisor
from warpsmith.validation.sandbox.worker_tasks import TaskFailed

SECONDS = 60.0
"""The time limit of a request, without that of its texts."""

NO_LIMIT = TimeBudget()
"""The budget of references."""

Q = TypeVar("Q")
A = TypeVar("A")
I = TypeVar("I")  # noqa: E741


def ask(
    supervisor: Supervisor,
    work: WorkerTask[Q, A],
    texts: Sequence[Q],
    budget: TimeBudget = NO_LIMIT,
    **options: Sequence[EncodedTrial],
) -> list[A | Rejection]:
    """Return the answers on texts; if the worker dies, those on each half.

    A single text over which something else has killed the worker is tried again; the machine is to blame if that repeats, and
    if the time of the batch is used up.

    Raises:
        SandboxError: if no worker works on this machine.
    """
    if not texts:
        return []
    for _ in range(TRIES):
        if budget.is_spent:
            return [Rejection(MACHINE, SPENT)] * len(texts)
        try:
            return [*_request(supervisor, work, texts, budget, **options)]
        except (TaskFailed, NonsenseError) as error:
            supervisor.client.stop()
            killed = isinstance(error, TaskFailed) and error.killed
            reason = f"the worker stopped: {str(error) or 'it answered nonsense'}"
        if len(texts) > 1 or not killed:
            break
    if budget.is_spent:
        return [Rejection(MACHINE, SPENT)] * len(texts)
    if len(texts) == 1:
        return [Rejection(MACHINE if killed else work.first_stage, reason)]
    middle = len(texts) // 2
    halves = (texts[:middle], texts[middle:])
    return [answered for half in halves for answered in ask(supervisor, work, half, budget, **options)]


def ask_to_read(
    judge: Supervisor, work: WorkerTask[Q, A], items: Sequence[I], encoded: Callable[[I], Q], budget: TimeBudget
) -> list[A | Rejection]:
    """Return the judge's answers on items, in order; an item for which ``encoded`` raises a `Violation` is rejected without it.

    Raises:
        SandboxError: if no worker works on this machine.
    """
    refused: list[Rejection | None] = []
    texts: list[Q] = []
    for item in items:
        try:
            texts.append(encoded(item))
            refused.append(None)
        except Violation as violation:
            refused.append(Rejection("read", str(violation)))
    found = ask(judge, work, texts, budget)
    answered = iter(found)
    return [next(answered) if rejection is None else rejection for rejection in refused]


def _request(
    supervisor: Supervisor, work: WorkerTask[Q, A], texts: Sequence[Q], budget: TimeBudget, **options: Sequence[EncodedTrial]
) -> list[A]:
    """Return a worker's answers on texts.

    Raises:
        SandboxError: if no worker works on this machine.
        TaskFailed: if the worker gives none.
        NonsenseError: if the answer is no answer.
    """
    supervisor.require_worker()
    launches = {"limits": (budget.answer, min(budget.left, NO_DEADLINE))} if work.launches else {}
    seconds = SECONDS + (work.seconds_per_text + (budget.answer if work.launches else 0.0)) * len(texts)
    limit = min(seconds, max(budget.left, 0.1))
    answers: object = supervisor.run_task(work.name, [], limit, texts=list(texts), **options, **launches).get("texts")
    if not isinstance(answers, list) or len(answers) != len(texts):
        raise NonsenseError
    if not all(isinstance(answer, dict) for answer in answers):
        raise NonsenseError
    return [work.read(answer) for answer in answers]


def answer_to_read(task: Task, text: str) -> AnswerToRead:
    """Return an answer as the worker that reads it receives it."""
    forward, backward = task.pair.code("cuda")
    reference = f"{forward}\n{backward}" if task.row.is_adjoint else forward or ""
    plain = task.signature if task.row.is_plain else None
    return AnswerToRead(task.language, text, task.entry_point, reference, plain)


def text_to_run(task: Task, text: str | None, numbers: Sequence[int]) -> TextToRun:
    """Return an answer as the worker receives it, or the reference if ``text`` is None.

    Args:
        task: the task.
        text: the answer.
        numbers: the launches, as indices into the list of all.
    """
    forward, backward = task.pair.code("cuda")
    is_adjoint, adjoint = task.row.is_adjoint, backward if task.runs_adjoint else None
    dimensions = text_format.LAUNCH_DIMENSIONS.search(forward or "")
    return TextToRun(
        language="" if text is None else "adjoint" if is_adjoint else task.language,
        kernel_name=task.pair.metadata.kernel_name,
        text=(forward or "") if text is None else text,
        given=adjoint if text is None else forward if is_adjoint else None,
        dimensions=int(dimensions[1]) if dimensions else None,
        strides=text_format.ELEMENT_GUARD not in (forward or ""),
        options=task.pair.metadata.module_options,
        backward=task.runs_adjoint,
        trials=tuple(numbers),
    )


def plain_text_to_run(task: Task, signature: Signature, text: str, numbers: Sequence[int]) -> PlainTextToRun:
    """Return a plain CUDA text as the worker receives it.

    Args:
        task: the task.
        signature: the interface of the kernel.
        text: the answer.
        numbers: the launches, as indices into the list of all.
    """
    reference = program_unit(task.reference, signature) if signature.is_host else task.reference
    return PlainTextToRun(text, signature, reference, tuple(numbers))
