"""Requests of the scorer to its workers: the fields of texts, and answers that are checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from warpsmith.core.errors import SandboxError, WarpsmithError
from warpsmith.core.records import text_format
from warpsmith.core.records.pair import Pair
from warpsmith.scoring.judging.wire import NonsenseError
from warpsmith.scoring.task import Task
from warpsmith.validation.sandbox.supervisor import Supervisor

ADJOINT = "forward_to_adjoint"

SECONDS, SECONDS_PER_TEXT = 60.0, 12.0
"""The time limit of a request."""


def ask(supervisor: Supervisor, work: str, texts: Sequence[dict[str, Any]], **options: Any) -> list[dict[str, Any]]:
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
    return [answered for half in halves for answered in ask(supervisor, work, half, **options)]


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


def text_fields(task: Task, text: str | None, numbers: Sequence[int]) -> dict[str, Any]:
    """Return the fields of `runner.Text` for an answer, or for the reference if ``text`` is None."""
    forward, backward = task.pair.code("cuda")
    is_adjoint, adjoint = task.kind == ADJOINT, backward if needs_adjoint(task) else None
    return {
        "language": "" if text is None else "adjoint" if is_adjoint else task.language,
        "kernel_name": task.pair.metadata.kernel_name,
        "text": forward if text is None else text,
        "given": adjoint if text is None else forward if is_adjoint else None,
        "signature": signature(task.pair, "forward"),
        "options": task.pair.metadata.module_options,
        "backward": needs_adjoint(task),
        "trials": list(numbers),
    }


def needs_adjoint(task: Task) -> bool:
    """Return whether the judgement of a task runs adjoints."""
    return task.pair.cuda_ir_backward is not None and task.kind != "python_to_cuda"


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
