"""Tasks and completions in the forms that training libraries hold: rows whose values are texts, and lists of messages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from warpsmith.core.errors import RecordError
from warpsmith.scoring.tasks.any_task import AnyTask, read_any_tasks, task_of_row
from warpsmith.scoring.tasks.program_task import PROGRAM_TABLE

Messages = Sequence[Mapping[str, Any]]
"""A chat; the content of a message is a text or a list of parts."""


def read_rows_of_texts(tasks: str | Path | Iterable[AnyTask]) -> Iterator[dict[str, str]]:
    """Yield the rows of a tasks file, or of tasks, see `to_texts`.

    Raises:
        TargetError: if the file cannot be read.
        RecordError: at the first line that is no task.
    """
    yield from map(to_texts, read_any_tasks(Path(tasks)) if isinstance(tasks, str | Path) else tasks)


def to_texts(task: AnyTask) -> dict[str, str]:
    """Return the row of a task with the pair as JSON text: a column has one type, and pairs differ in their fields.

    The column ``pair`` of a task about a program has the record of the program.
    """
    row = task.to_row()
    return {
        "pair" if name == "program" else name: orjson.dumps(value).decode() if name in ("pair", "program") else str(value)
        for name, value in row.items()
        if name != "messages"
    }


def from_texts(row: Mapping[str, object]) -> AnyTask:
    """Return the task of a row with ``task_id``, ``task``, ``entry_point`` and ``pair``, as JSON text or as an object.

    The task has an empty prompt, which no judgement needs: the column of prompts differs between libraries.

    Raises:
        RecordError: if a field is missing or has the wrong type, or the pair cannot carry such a task.
    """
    pair = row.get("pair")
    if isinstance(pair, str):
        try:
            pair = orjson.loads(pair)
        except orjson.JSONDecodeError as error:
            raise RecordError(f"pair: not JSON: {error}") from None
    record = "program" if row.get("task") in PROGRAM_TABLE else "pair"
    return task_of_row({**row, "prompt": "", record: pair})


def completion_text(completion: str | Messages | None) -> str | None:
    """Return the text of a completion: of the last message of the assistant, if it is a chat; None if there is no completion.

    Examples:
        >>> completion_text([{"role": "assistant", "content": "x = 1"}, {"role": "tool", "content": "done"}])
        'x = 1'
    """
    if completion is None or isinstance(completion, str):
        return completion
    messages = [message for message in completion if isinstance(message, Mapping)]
    contents = [message.get("content") for message in messages if message.get("role") == "assistant"]
    return _content_text(contents[-1]) if contents else ""


_TEXT_PARTS = ("text", "output_text")
"""The types of parts of a message that belong to the answer; others are thoughts, calls of tools and images."""


def _content_text(content: Any) -> str:
    if isinstance(content, list):
        texts = [part for part in content if isinstance(part, Mapping) and part.get("type", "text") in _TEXT_PARTS]
        return "".join(str(part.get("text") or "") for part in texts)
    return content if isinstance(content, str) else ""
