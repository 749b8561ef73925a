"""The forms in which repairs are written: tasks, chats that end with the fix, and preferences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # it loads NumPy
    from warpsmith.scoring.repairs import Repair


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
    row: Callable[[Repair], dict[str, Any]]


def _task(repair: Repair) -> dict[str, Any]:
    judged = {"operator": repair.operator, "level": repair.score.level, "reward": repair.score.reward}
    return {**repair.task.to_row(), "fix": repair.fix, **judged}


def _chat(repair: Repair) -> dict[str, Any]:
    return {"messages": [*repair.task.messages, _said(repair.fix)], **_origin(repair)}


def _preference(repair: Repair) -> dict[str, Any]:
    answers = {"chosen": [_said(repair.fix)], "rejected": [_said(repair.broken)]}
    return {"prompt": repair.source.messages, **answers, **_origin(repair)}


def _said(text: str) -> dict[str, str]:
    return {"role": "assistant", "content": text}


def _origin(repair: Repair) -> dict[str, str]:
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
