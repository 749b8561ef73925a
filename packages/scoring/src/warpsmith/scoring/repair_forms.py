"""The forms in which repairs are written: tasks, chats that end with the fix, and preferences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from warpsmith.scoring.tasks.task import Message, TaskRow

if TYPE_CHECKING:  # it loads NumPy
    from warpsmith.scoring.repairs import Repair


class RepairRow(TaskRow):
    """A row of the form ``task``."""

    fix: str
    operator: str
    level: str
    reward: float


class _Origin(TypedDict):
    task_id: str
    repairs: str
    category: str
    operator: str


class ChatRow(_Origin):
    """A row of the form ``chat``."""

    messages: list[Message]


class PreferenceRow(_Origin):
    """A row of the form ``preference``."""

    prompt: list[Message]
    chosen: list[Message]
    rejected: list[Message]


@dataclass(frozen=True, slots=True)
class Form:
    """One form.

    Attributes:
        name: the name.
        help: one line for the command's help.
        row: returns a repair as JSON values.
    """

    name: str
    help: str
    row: Callable[[Repair], RepairRow | ChatRow | PreferenceRow]


def _task(repair: Repair) -> RepairRow:
    return {
        **repair.task.to_row(),
        "fix": repair.fix,
        "operator": repair.operator,
        "level": repair.score.level,
        "reward": repair.score.reward,
    }


def _chat(repair: Repair) -> ChatRow:
    return {"messages": [*repair.task.messages, _reply(repair.fix)], **_origin(repair)}


def _preference(repair: Repair) -> PreferenceRow:
    return {
        "prompt": repair.source.messages,
        "chosen": [_reply(repair.fix)],
        "rejected": [_reply(repair.broken)],
        **_origin(repair),
    }


def _reply(text: str) -> Message:
    return {"role": "assistant", "content": text}


def _origin(repair: Repair) -> _Origin:
    return {
        "task_id": repair.task.task_id,
        "repairs": repair.source.kind,
        "category": repair.task.category,
        "operator": repair.operator,
    }


FORMS = {
    form.name: form
    for form in (
        Form("task", "a row of a tasks file, with the fix as a completion", _task),
        Form("chat", "messages: the prompt and the fix, for supervised fine-tuning", _chat),
        Form(
            "preference",
            "the task of the broken text; chosen is the reference, rejected the broken text",
            _preference,
        ),
    )
}
"""All forms by name."""
