"""Prompts for reinforcement learning: questions, with the fields that `warpsmith.scoring` judges an answer by."""

from __future__ import annotations

from dataclasses import replace

from warpsmith.core.export.training_tasks import Exchange, PromptRow, prompt
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.task_names import judged_entry_point


class JudgedPromptRow(PromptRow):
    """A question as a message, and the task that it asks; the last three are None where the scorer judges no answers.

    `warpsmith.scoring.trl.reward` reads these columns.
    """

    task_id: str | None
    entry_point: str | None
    pair: str | None


def judged_prompt(pair: Pair, exchange: Exchange) -> JudgedPromptRow:
    """Return the question of an exchange; the column ``pair`` is the record as JSON text.

    The scorer runs the CUDA that Warp generates on the launch of the record. PTX and stand-alone CUDA are left out: it reads
    neither, and stand-alone CUDA is the answer of a task.
    """
    entry_point = judged_entry_point(pair, exchange.task)
    row = prompt(pair, exchange)
    if entry_point is None:
        return {**row, "task_id": None, "entry_point": None, "pair": None}
    metadata = replace(pair.metadata, ptx=None, plain=None)
    record = replace(pair, ptx_forward=None, ptx_backward=None, cuda_plain=None, metadata=metadata)
    text = encode(record).decode().rstrip("\n")
    return {**row, "task_id": f"{exchange.task}/{pair.id}", "entry_point": entry_point, "pair": text}
