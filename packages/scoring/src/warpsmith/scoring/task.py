"""Tasks: what a model is asked to write about a pair, and the table of kinds of tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from warpsmith.core.errors import RecordError, WarpsmithError
from warpsmith.core.records.pair import Pair, from_dict, to_dict
from warpsmith.scoring import prompts
from warpsmith.scoring.plain.prompt import python_to_plain_cuda
from warpsmith.scoring.plain.reference.translation import translate
from warpsmith.scoring.plain.signature import plain_signature
from warpsmith.scoring.policy.python import check_python
from warpsmith.scoring.policy.violation import Violation
from warpsmith.scoring.rows import read_rows, text_of


@dataclass(frozen=True, slots=True)
class Kind:
    """One row of the table of kinds.

    Attributes:
        name: the name, which task ids contain.
        summary: one line for the command's help.
        language: the language of the answer, ``"cuda"`` or ``"python"``.
        level: the last level of validation that the reference has to pass.
        is_adjoint: whether the answer is an adjoint.
        runs_adjoint: whether the judgement compares gradients, if the pair has an adjoint.
        suffix: what follows the kernel's name in the name of the function to write.
        signature: returns the signature of that function in a pair, or None if the pair cannot carry such a task.
        prompt: returns the prompt for a pair and the name of the function.
        is_plain: whether the answer is plain CUDA, see `warpsmith.scoring.plain`.
    """

    name: str
    summary: str
    language: str
    level: str
    is_adjoint: bool
    runs_adjoint: bool
    suffix: str
    signature: Callable[[Pair, str], str | None]
    prompt: Callable[[Pair, str], str]
    is_plain: bool = False


def _forward(pair: Pair, entry_point: str) -> str | None:
    return prompts.cuda_signature(pair.cuda_ir_forward or "", entry_point)


def _backward(pair: Pair, entry_point: str) -> str | None:
    return prompts.cuda_signature(pair.cuda_ir_backward or "", entry_point) if pair.cuda_ir_forward else None


def _python(pair: Pair, entry_point: str) -> str | None:
    if pair.cuda_ir_forward is None:
        return None
    try:
        check_python(pair.python_source, entry_point)
    except Violation:  # an answer may not contain what this kernel needs, such as native code
        return None
    return prompts.python_signature(pair.python_source, entry_point)


def _plain(pair: Pair, entry_point: str) -> str | None:
    signature = plain_signature(pair, entry_point)
    return None if signature is None or translate(pair, entry_point) is None else signature.text


TABLE = {
    kind.name: kind
    for kind in (
        Kind(
            "python_to_cuda",
            "write the CUDA forward kernel of a Python kernel",
            "cuda",
            "emulate",
            False,
            False,
            "_cuda_kernel_forward",
            _forward,
            prompts.python_to_cuda,
        ),
        Kind(
            "forward_to_adjoint",
            "write the CUDA adjoint of a kernel",
            "cuda",
            "gradient",
            True,
            True,
            "_cuda_kernel_backward",
            _backward,
            prompts.forward_to_adjoint,
        ),
        Kind(
            "cuda_to_python",
            "write the Python kernel of a CUDA text",
            "python",
            "gradient",
            False,
            True,
            "",
            _python,
            prompts.cuda_to_python,
        ),
        Kind(
            "python_to_plain_cuda",
            "write a stand-alone CUDA kernel for a Python kernel",
            "cuda",
            "emulate",
            False,
            False,
            "",
            _plain,
            python_to_plain_cuda,
            is_plain=True,
        ),
    )
}
"""All kinds of tasks by name."""

KINDS = tuple(TABLE)
"""The names of all kinds of tasks."""


def kind_of(name: str) -> Kind:
    """Return the kind with a name.

    Raises:
        WarpsmithError: if there is no such kind.
    """
    if name not in TABLE:
        raise WarpsmithError(f"unknown task {name!r}: choose from {', '.join(KINDS)}")
    return TABLE[name]


@dataclass(frozen=True, slots=True)
class Task:
    """One task: a prompt, and the pair that its answers are judged by.

    Attributes:
        task_id: the kind and the pair's id.
        kind: the name of the kind, one of `KINDS`.
        prompt: what a model is asked.
        pair: the pair; it contains the reference.
        entry_point: the name of the function that an answer defines.

    Examples:
        >>> Task.from_row({"task_id": "python_to_cuda/1"})
        Traceback (most recent call last):
        warpsmith.core.errors.RecordError: task is missing
    """

    task_id: str
    kind: str
    prompt: str
    pair: Pair
    entry_point: str

    @property
    def category(self) -> str:
        """The category of the pair."""
        return self.pair.metadata.category

    @property
    def row(self) -> Kind:
        """The row of the task's kind."""
        return TABLE[self.kind]

    @property
    def language(self) -> str:
        """The language of the answer, ``"cuda"`` or ``"python"``."""
        return self.row.language

    @property
    def runs_adjoint(self) -> bool:
        """Whether the judgement of the task compares gradients."""
        return self.row.runs_adjoint and self.pair.cuda_ir_backward is not None

    @property
    def messages(self) -> list[dict[str, str]]:
        """The prompt as a chat."""
        return [{"role": "user", "content": self.prompt}]

    def to_row(self) -> dict[str, Any]:
        """Return the task as JSON values, one row of a tasks file."""
        return {
            "task_id": self.task_id,
            "task": self.kind,
            "prompt": self.prompt,
            "messages": self.messages,
            "category": self.category,
            "pair": to_dict(self.pair),
            "entry_point": self.entry_point,
        }

    @staticmethod
    def from_row(row: dict[str, Any]) -> Task:
        """Return the task of a row. The id and the prompt may differ from those of `make_task`; other fields are ignored.

        Raises:
            RecordError: if a field is missing or has the wrong type, or the pair cannot carry such a task.
        """
        kind = text_of(row, "task")
        if kind not in TABLE:
            raise RecordError(f"unknown task {kind!r}: this version has {', '.join(KINDS)}")
        task_id, prompt, entry_point = (text_of(row, field) for field in ("task_id", "prompt", "entry_point"))
        if "pair" not in row:
            raise RecordError("pair is missing")
        try:
            pair = from_dict(row["pair"])
        except RecordError as error:
            raise RecordError(f"pair: {error}") from None
        made = make_task(kind, pair)
        if made is None:
            raise RecordError(f"the pair cannot carry the task {kind}: it lacks the texts or the launch")
        if made.entry_point != entry_point:
            raise RecordError(f"entry_point is {entry_point!r}, and the pair has {made.entry_point!r}")
        return Task(task_id, kind, prompt, pair, entry_point)


def make_task(kind: str, pair: Pair) -> Task | None:
    """Return the task of a kind about a pair, or None if the pair cannot carry such a task: it lacks a text or the launch.

    Args:
        kind: one of `KINDS`.
        pair: the pair. Whether it passes the levels of validation is not checked, see `making.dataset_tasks`.

    Raises:
        WarpsmithError: if there is no such kind.
    """
    row = kind_of(kind)
    entry_point = pair.metadata.kernel_name + row.suffix
    if pair.metadata.launch is None or row.signature(pair, entry_point) is None:
        return None
    return Task(f"{kind}/{pair.id}", kind, row.prompt(pair, entry_point), pair, entry_point)


def read_tasks(path: Path) -> Iterator[Task]:
    """Yield the tasks of a JSONL file.

    Raises:
        TargetError: if the file cannot be read.
        RecordError: at the first line that is no task, or repeats an id, with file and line number.
    """
    seen: dict[str, int] = {}
    for number, row in read_rows(path):
        try:
            task = Task.from_row(row)
        except RecordError as error:
            raise RecordError(f"{path}:{number}: {error}") from None
        if (first := seen.setdefault(task.task_id, number)) != number:
            raise RecordError(f"{path}:{number}: the id {task.task_id!r} is also in line {first}")
        yield task
