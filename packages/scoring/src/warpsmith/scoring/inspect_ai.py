"""Inspect: a task with samples, a solver and a scorer that estimates pass@k over epochs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from warpsmith.core.extras import Extra
from warpsmith.scoring.process_scorer import SCORER
from warpsmith.scoring.tasks.any_task import AnyTask
from warpsmith.scoring.tasks.columns import from_texts, read_rows_of_texts
from warpsmith.scoring.tasks.completions import answer

INSPECT = Extra("warpsmith-scoring[inspect]", "a task for Inspect")


def kernel_task(tasks: str | Path | Iterable[AnyTask], epochs: int = 1, k_values: Sequence[int] = (1,), **options: Any) -> Any:
    """Return an `inspect_ai.Task` that asks a model once an epoch for each task.

    Args:
        tasks: a tasks file, or tasks; not endless.
        epochs: the number of completions for each task.
        k_values: the values of k for which pass@k is estimated, at most ``epochs`` each.
        options: other arguments of `inspect_ai.Task`; ``solver`` replaces ``generate()``.

    Raises:
        TargetError: if the file cannot be read.
        RecordError: at the first line that is no task.
        WarpsmithError: if the extra is not installed.
    """
    library = INSPECT.load("inspect_ai")
    return library.Task(
        dataset=INSPECT.load("inspect_ai.dataset").MemoryDataset(samples(tasks), name="warpsmith"),
        scorer=kernel_scorer(),
        epochs=library.Epochs(epochs, [f"pass_at_{k}" for k in k_values]),
        **{"solver": INSPECT.load("inspect_ai.solver").generate()} | options,
    )


def samples(tasks: str | Path | Iterable[AnyTask]) -> list[Any]:
    """Return tasks as samples of Inspect, whose metadata `kernel_scorer` reads."""
    sample = INSPECT.load("inspect_ai.dataset").Sample
    return [sample(input=row.pop("prompt"), id=row["task_id"], metadata=row) for row in read_rows_of_texts(tasks)]


def kernel_scorer() -> Any:
    """Return a scorer of Inspect: correct or incorrect; unscored where no judgement was possible."""
    library = INSPECT.load("inspect_ai.scorer")
    return library.scorer(metrics=[library.accuracy(), library.stderr()], name="warpsmith")(_scorer)()


def _scorer() -> Any:
    library, to_thread = INSPECT.load("inspect_ai.scorer"), INSPECT.load("anyio.to_thread")

    async def score(state: Any, _target: Any) -> Any:
        task, completion = from_texts(state.metadata), state.output.completion
        [judged] = await to_thread.run_sync(SCORER.score_all, [(task, completion)])
        about: dict[str, str | None] = {"answer": _shown_answer(completion, task), "explanation": judged.reason or None}
        if not judged.is_judged:
            return library.Score.unscored(**about)
        details = {"reward": judged.reward, "level": judged.level, "counterexample": judged.counterexample}
        return library.Score(value=library.CORRECT if judged.passed else library.INCORRECT, metadata=details, **about)

    return score


def _shown_answer(completion: str, task: AnyTask) -> str:
    """Return the answer in a completion, without the lone surrogates that no log can contain."""
    return answer(completion, task.language, task.entry_point).encode(errors="replace").decode()
