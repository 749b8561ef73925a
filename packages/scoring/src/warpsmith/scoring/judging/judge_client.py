"""Requests of the scorer to its workers: the fields of texts, and answers that are checked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from warpsmith.core.records import text_format
from warpsmith.scoring.judging.wire import COMPILE_PLAIN, READ, RUN, RUN_PLAIN, NonsenseError
from warpsmith.scoring.plain.plain_signature import Signature
from warpsmith.scoring.plain.plain_unit import waits
from warpsmith.scoring.tasks.task import Task
from warpsmith.validation.sandbox.fault_attribution import TRIES
from warpsmith.validation.sandbox.supervisor import Supervisor
from warpsmith.validation.sandbox.worker_tasks import TaskFailed

SECONDS, SECONDS_PER_TEXT = 60.0, 12.0
"""The time limit of a request."""

FIRST_STAGE = {READ: "read", RUN: "compile", COMPILE_PLAIN: "compile", RUN_PLAIN: "compile"}
"""The first stage of each of the worker's tasks, at which an answer fails that makes the worker die."""


def ask(supervisor: Supervisor, work: str, texts: Sequence[dict[str, Any]], **options: Any) -> list[dict[str, Any]]:
    """Return the answers on texts; if the worker dies, those on each half.

    A single text over which something else has killed the worker is tried again; the machine is to blame if that repeats.

    Raises:
        SandboxError: if no worker works on this machine.
    """
    if not texts:
        return []
    for _ in range(TRIES):
        try:
            return _request(supervisor, work, texts, **options)
        except (TaskFailed, NonsenseError) as error:
            supervisor.client.stop()
            killed = isinstance(error, TaskFailed) and error.killed
            reason = f"the worker stopped: {error or 'it answered nonsense'}"
        if len(texts) > 1 or not killed:
            break
    if len(texts) == 1:
        return [{"stage": "machine" if killed else FIRST_STAGE[work], "reason": reason}]
    middle = len(texts) // 2
    halves = (texts[:middle], texts[middle:])
    return [answered for half in halves for answered in ask(supervisor, work, half, **options)]


def _request(supervisor: Supervisor, work: str, texts: Sequence[dict[str, Any]], **options: Any) -> list[dict[str, Any]]:
    """Return a worker's answers on texts.

    Raises:
        SandboxError: if no worker works on this machine.
        TaskFailed: if the worker gives none.
        NonsenseError: if the answer is no answer.
    """
    supervisor.require_worker()
    answered = supervisor.run_task(work, [], SECONDS + SECONDS_PER_TEXT * len(texts), texts=list(texts), **options).get("texts")
    if (
        not isinstance(answered, list)
        or len(answered) != len(texts)
        or not all(isinstance(answer, dict) for answer in answered)
    ):
        raise NonsenseError
    return answered


def text_fields(task: Task, text: str | None, numbers: Sequence[int]) -> dict[str, Any]:
    """Return the fields of `answer_runner.Text` for an answer, or for the reference if ``text`` is None."""
    forward, backward = task.pair.code("cuda")
    is_adjoint, adjoint = task.row.is_adjoint, backward if task.runs_adjoint else None
    dimensions = text_format.LAUNCH_DIMENSIONS.search(forward or "")
    return {
        "language": "" if text is None else "adjoint" if is_adjoint else task.language,
        "kernel_name": task.pair.metadata.kernel_name,
        "text": forward if text is None else text,
        "given": adjoint if text is None else forward if is_adjoint else None,
        "dimensions": int(dimensions[1]) if dimensions else None,
        "strides": text_format.ELEMENT_GUARD not in (forward or ""),
        "options": task.pair.metadata.module_options,
        "backward": task.runs_adjoint,
        "trials": list(numbers),
    }


def plain_fields(signature: Signature, text: str) -> dict[str, Any]:
    """Return the fields of a plain CUDA text, as `plain.compiling.compile_plain` receives them."""
    return {"text": text, "kernel": signature.name, "types": [parameter.ctype for parameter in signature.parameters]}


def object_fields(signature: Signature, text: str, machine_code: str) -> dict[str, Any]:
    """Return the fields of a compiled plain CUDA text, as `plain.runner.run_plain` receives them."""
    return {
        "machine_code": machine_code,
        "parameters": [asdict(parameter) for parameter in signature.parameters],
        "on_fibers": waits(text),
    }
