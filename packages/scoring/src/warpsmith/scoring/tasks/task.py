"""Tasks: what a model is asked to write about a pair."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, TypedDict, TypeVar

from warpsmith.core.errors import RecordError
from warpsmith.core.records import task_names
from warpsmith.core.records.benchmark_mark import CANARY, is_benchmark
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.pair import Pair, from_dict, to_dict
from warpsmith.scoring.plain.plain_signature import Signature, plain_signature, program_signature
from warpsmith.scoring.tasks import prompts
from warpsmith.scoring.tasks.json_rows import read_rows, text_of
from warpsmith.scoring.tasks.task_kinds import KINDS, REPAIR, TABLE, Kind, kind_of


class Message(TypedDict):
    """A message of a chat."""

    role: str
    content: str


class _Row(TypedDict):
    task_id: str
    task: str
    prompt: str
    messages: list[Message]
    category: str
    pair: Mapping[str, object]
    entry_point: str


class TaskRow(_Row, total=False):
    """A row of a tasks file, as JSON values.

    ``task`` is the kind of the task, and ``pair`` the record of the pair. Only a repair has three more fields: the kind of
    the task that ``broken`` answers, the wrong answer, and why it is wrong. Only tasks of benchmarks have ``canary``: they are
    not for training.
    """

    repairs: str
    broken: str
    message: str
    canary: str


@dataclass(frozen=True, slots=True)
class Broken:
    """A wrong answer, which a task asks to repair.

    Attributes:
        kind: the kind of the task that it answers, one of `KINDS`.
        text: the code.
        message: why it is wrong: what the compiler or the comparison reports.
    """

    kind: str
    text: str
    message: str


@dataclass(frozen=True, slots=True)
class Task:
    """One task: a prompt, and the pair that its answers are judged by.

    Attributes:
        task_id: the kind and the pair's id; for a repair also what tells it from others.
        kind: the name of the kind, one of `KINDS`, or `REPAIR`.
        prompt: what a model is asked.
        pair: the pair; it contains the reference.
        entry_point: the name of the function that an answer defines.
        broken: for a repair, the wrong answer.

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
    broken: Broken | None = None

    @property
    def category(self) -> str:
        """The category of the pair."""
        return self.pair.metadata.category

    @property
    def row(self) -> Kind:
        """The row of the task's kind; a repair is judged as the task that it comes from."""
        return TABLE[self.broken.kind if self.broken else self.kind]

    @property
    def reference(self) -> str:
        """The text that answers the task."""
        return self.row.reference(self.pair, self.entry_point) or ""

    @property
    def language(self) -> str:
        """The language of the answer, ``"cuda"`` or ``"python"``."""
        return self.row.language

    @property
    def runs_adjoint(self) -> bool:
        """Whether the judgement of the task compares gradients."""
        return self.row.runs_adjoint and self.pair.cuda_ir_backward is not None

    @property
    def launch(self) -> Launch:
        """The launch of the pair.

        Raises:
            ValueError: if the pair has none, and thus cannot carry a task.
        """
        if (launch := self.pair.metadata.launch) is None:
            raise ValueError("a task without a launch")
        return launch

    @property
    def signature(self) -> Signature:
        """The signature of the function to write, if the answer is plain CUDA.

        Raises:
            ValueError: if the pair has none, and thus cannot carry such a task.
        """
        find = program_signature if self.row.is_program else plain_signature
        if (signature := find(self.pair, self.entry_point)) is None:
            raise ValueError("a task without a plain signature")
        return signature

    @property
    def messages(self) -> list[Message]:
        """The prompt as a chat."""
        return [{"role": "user", "content": self.prompt}]

    def to_row(self) -> TaskRow:
        """Return the task as JSON values, one row of a tasks file."""
        row: TaskRow = {
            "task_id": self.task_id,
            "task": self.kind,
            "prompt": self.prompt,
            "messages": self.messages,
            "category": self.category,
            "pair": to_dict(self.pair),
            "entry_point": self.entry_point,
        }
        if (broken := self.broken) is not None:
            row |= {"repairs": broken.kind, "broken": broken.text, "message": broken.message}
        if is_benchmark(self.pair.metadata.seed):
            row["canary"] = CANARY
        return row

    @staticmethod
    def from_row(row: Mapping[str, object]) -> Task:
        """Return the task of a row. The id and the prompt may differ from those of `make_task`; other fields are ignored.

        Raises:
            RecordError: if a field is missing or has the wrong type, or the pair cannot carry such a task.
        """
        kind = text_of(row, "task")
        broken = Broken(*(text_of(row, field) for field in ("repairs", "broken", "message"))) if kind == REPAIR else None
        judged_as = broken.kind if broken else kind
        if judged_as in task_names.OF_PROGRAMS:
            raise RecordError(f"the task {judged_as} is about a program, and only tasks about pairs can be used here")
        if judged_as not in TABLE:
            raise RecordError(f"unknown task {judged_as!r}: this version has {', '.join((*KINDS, REPAIR))}")
        task_id, prompt, entry_point = (text_of(row, field) for field in ("task_id", "prompt", "entry_point"))
        if "pair" not in row:
            raise RecordError("pair is missing")
        try:
            pair = from_dict(row["pair"])
        except RecordError as error:
            raise RecordError(f"pair: {error}") from None
        made = make_task(judged_as, pair)
        if made is None:
            raise RecordError(f"the pair cannot carry the task {judged_as}: it lacks the texts or the launch")
        if made.entry_point != entry_point:
            raise RecordError(f"entry_point is {entry_point!r}, and the pair has {made.entry_point!r}")
        return Task(task_id, kind, prompt, pair, entry_point, broken)


def make_task(kind: str, pair: Pair) -> Task | None:
    """Return the task of a kind about a pair, or None if the pair cannot carry such a task: it lacks a text or the launch.

    Args:
        kind: one of `KINDS`.
        pair: the pair. Whether it passes the levels of validation is not checked, see `task_making.dataset_tasks`.

    Raises:
        WarpsmithError: if there is no such kind.
    """
    row = kind_of(kind)
    entry_point = pair.metadata.kernel_name + row.suffix
    if pair.metadata.launch is None or row.signature(pair, entry_point) is None:
        return None
    return Task(f"{kind}/{pair.id}", kind, row.prompt(pair, entry_point), pair, entry_point)


def make_repair(task: Task, text: str, message: str) -> Task:
    """Return the task to repair a wrong answer.

    Args:
        task: the task that the text answers.
        text: the wrong code.
        message: why it is wrong.
    """
    prompt = prompts.repair(task.prompt, task.language, text, message)
    task_id = f"{REPAIR}/{task.task_id}/{hashlib.sha256(text.encode()).hexdigest()[:8]}"
    return replace(task, task_id=task_id, kind=REPAIR, prompt=prompt, broken=Broken(task.row.name, text, message))


def read_tasks(path: Path) -> Iterator[Task]:
    """Yield the tasks of a JSONL file, which are about pairs; `any_task.read_any_tasks` also reads those about programs.

    Raises:
        TargetError: if the file cannot be read.
        RecordError: at the first line that is no task, or repeats an id, with file and line number.
    """
    yield from read_tasks_by(Task.from_row, path)


class _WithId(Protocol):
    @property
    def task_id(self) -> str: ...


T = TypeVar("T", bound=_WithId)


def read_tasks_by(from_row: Callable[[Mapping[str, object]], T], path: Path) -> Iterator[T]:
    """Yield what ``from_row`` makes of the rows of a JSONL file, see `read_tasks`."""
    seen: dict[str, int] = {}
    for number, row in read_rows(path):
        try:
            task = from_row(row)
        except RecordError as error:
            raise RecordError(f"{path}:{number}: {error}") from None
        if (first := seen.setdefault(task.task_id, number)) != number:
            raise RecordError(f"{path}:{number}: the id {task.task_id!r} is also in line {first}")
        yield task
