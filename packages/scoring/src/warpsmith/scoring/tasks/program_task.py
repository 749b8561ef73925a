"""Tasks about programs: complete the host code, or a kernel."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

import msgspec

from warpsmith.core.errors import RecordError
from warpsmith.core.records import task_names
from warpsmith.core.records.benchmark_mark import CANARY, is_benchmark
from warpsmith.core.records.program_record import ProgramRecord, decode_program_record, encode_program_record
from warpsmith.scoring.tasks.cuda_program_prompt import cuda_prompt
from warpsmith.scoring.tasks.cuda_programs import CudaProgram, NoCudaProgram, cuda_program
from warpsmith.scoring.tasks.json_rows import text_of
from warpsmith.scoring.tasks.program_gaps import Gap, host_gap, kernel_gap, kernel_text, missing_text
from warpsmith.scoring.tasks.program_prompts import host_prompt, kernel_prompt
from warpsmith.scoring.tasks.task import Message

_FILE = Path("<program>")


@dataclass(frozen=True, slots=True)
class ProgramPart:
    """The part of a program that a task is about.

    Attributes:
        gap: where it is.
        prompt: what a model is asked.
        reference: the text that answers the task.
        cuda: the part in CUDA, if the answer is CUDA.
    """

    gap: Gap
    prompt: str
    reference: str
    cuda: CudaProgram | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramKind:
    """One row of the table of kinds of tasks about programs.

    Attributes:
        name: the name.
        summary: one line for the command's help.
        part: returns the part of a program that a task is about, or the reason why there is none.
        is_kernel: whether a kernel is missing.
        is_cuda: whether the answer is CUDA in place of the statements of the gap.
    """

    name: str
    summary: str
    part: Callable[[ProgramRecord], ProgramPart | str]
    is_kernel: bool = False
    is_cuda: bool = False


WITHOUT_PART = "programs without such a part"
"""The reason why a program has no task of a kind."""


def kernel_names(program: ProgramRecord) -> list[str]:
    """Return the names of the kernels of a program in its file."""
    return [pair.id.rpartition("/")[2] for pair in program.kernels]


def _host_part(program: ProgramRecord) -> ProgramPart | str:
    gap = host_gap(program.python_source)
    if gap is None:
        return WITHOUT_PART
    return ProgramPart(gap, host_prompt(program, gap), missing_text(program.python_source, gap))


def _kernel_part(program: ProgramRecord) -> ProgramPart | str:
    gap = kernel_gap(program.python_source, kernel_names(program))
    if gap is None:
        return WITHOUT_PART
    return ProgramPart(gap, kernel_prompt(program, gap), kernel_text(program.python_source, gap.name))


def _cuda_part(program: ProgramRecord) -> ProgramPart | str:
    try:
        cuda = cuda_program(program)
    except NoCudaProgram as reason:
        return str(reason)
    return ProgramPart(cuda.gap, cuda_prompt(program, cuda), cuda.text, cuda)


PROGRAM_TABLE = {
    kind.name: kind
    for kind in (
        ProgramKind(
            name=task_names.PROGRAM_HOST,
            summary="write the statements of a program that launch its kernels",
            part=_host_part,
        ),
        ProgramKind(name=task_names.PROGRAM_KERNEL, summary="write a kernel of a program", part=_kernel_part, is_kernel=True),
        ProgramKind(
            name=task_names.PROGRAM_TO_CUDA,
            summary="write CUDA kernels and a function of the host for a part of a program",
            part=_cuda_part,
            is_cuda=True,
        ),
    )
}
"""The kinds of tasks about programs by name."""

PROGRAM_KINDS = tuple(PROGRAM_TABLE)
"""The names of the kinds of tasks about programs."""


class _Row(TypedDict):
    task_id: str
    task: str
    prompt: str
    messages: list[Message]
    category: str
    program: Mapping[str, object]
    entry_point: str


class ProgramTaskRow(_Row, total=False):
    """A row of a tasks file, as JSON values; ``program`` is the record. Only tasks of benchmarks have ``canary``."""

    canary: str


@dataclass(frozen=True, slots=True)
class ProgramTask:
    """A task about a program.

    Attributes:
        task_id: the kind and the program's id.
        kind: the name of the kind, one of `PROGRAM_KINDS`.
        prompt: what a model is asked.
        program: the record.
        part: the part of the program that the task is about.
    """

    task_id: str
    kind: str
    prompt: str
    program: ProgramRecord
    part: ProgramPart

    @property
    def category(self) -> str:
        """The domain of the program."""
        return self.program.metadata.domain

    @property
    def row(self) -> ProgramKind:
        """The row of the task's kind."""
        return PROGRAM_TABLE[self.kind]

    @property
    def language(self) -> str:
        """The language of the answer."""
        return "cuda" if self.row.is_cuda else "python"

    @property
    def gap(self) -> Gap:
        """Where the part is in the program."""
        return self.part.gap

    @property
    def entry_point(self) -> str:
        """The function, method or kernel with the missing part; ``__main__`` for the block of a script.

        For CUDA it is the function that an answer defines.
        """
        return self.part.cuda.signature.name if self.part.cuda is not None else self.gap.name

    @property
    def reference(self) -> str:
        """The text that answers the task."""
        return self.part.reference

    @property
    def messages(self) -> list[Message]:
        """The prompt as a chat."""
        return [{"role": "user", "content": self.prompt}]

    def to_row(self) -> ProgramTaskRow:
        """Return the task as JSON values, one row of a tasks file."""
        row: ProgramTaskRow = {
            "task_id": self.task_id,
            "task": self.kind,
            "prompt": self.prompt,
            "messages": self.messages,
            "category": self.category,
            "program": msgspec.json.decode(encode_program_record(self.program)),
            "entry_point": self.entry_point,
        }
        if is_benchmark(self.program.metadata.seed):
            row["canary"] = CANARY
        return row

    @staticmethod
    def from_row(row: Mapping[str, object]) -> ProgramTask:
        """Return the task of a row. The id and the prompt may differ from those of `make_program_task`.

        Raises:
            RecordError: if a field is missing or has the wrong type, or the program cannot carry such a task.
        """
        kind, task_id, prompt, entry_point = (text_of(row, field) for field in ("task", "task_id", "prompt", "entry_point"))
        if "program" not in row:
            raise RecordError("program is missing")
        program = decode_program_record(msgspec.json.encode(row["program"]), _FILE, 1)
        made = make_program_task(kind, program)
        if made is None:
            raise RecordError(f"the program cannot carry the task {kind}: it lacks such a part")
        if made.entry_point != entry_point:
            raise RecordError(f"entry_point is {entry_point!r}, and the program has {made.entry_point!r}")
        return ProgramTask(task_id, kind, prompt, program, made.part)


def make_program_task(kind: str, program: ProgramRecord) -> ProgramTask | None:
    """Return the task of a kind about a program, or None if the program has no such part.

    Args:
        kind: one of `PROGRAM_KINDS`.
        program: the record. Whether it runs is not checked.

    Raises:
        RecordError: if there is no such kind.
    """
    if kind not in PROGRAM_TABLE:
        raise RecordError(f"unknown task {kind!r}: programs have {', '.join(PROGRAM_KINDS)}")
    made = program_task_or_reason(kind, program)
    return None if isinstance(made, str) else made


def program_task_or_reason(kind: str, program: ProgramRecord) -> ProgramTask | str:
    """Return the task of a kind about a program, or the reason why there is none, which is the same for many programs."""
    part = PROGRAM_TABLE[kind].part(program)
    return part if isinstance(part, str) else ProgramTask(f"{kind}/{program.id}", kind, part.prompt, program, part)
