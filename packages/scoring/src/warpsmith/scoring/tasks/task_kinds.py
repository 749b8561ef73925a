"""The table of kinds of tasks: what each asks for, of which pairs, and what answers it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records import task_names
from warpsmith.core.records.pair import Pair
from warpsmith.scoring.plain.plain_signature import plain_signature, program_signature
from warpsmith.scoring.plain.reference.programs import program_reference
from warpsmith.scoring.plain.reference.translation import translate
from warpsmith.scoring.policy.python_policy import check_python
from warpsmith.scoring.policy.violation import Violation
from warpsmith.scoring.tasks import prompts
from warpsmith.scoring.tasks.plain_prompt import python_to_plain_cuda, python_to_program


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """One row of the table of kinds.

    Attributes:
        name: the name, which task ids contain.
        summary: one line for the command's help.
        language: the language of the answer, ``"cuda"`` or ``"python"``.
        level: the last level of validation that the reference has to pass.
        suffix: what follows the kernel's name in the name of the function to write.
        signature: returns the signature of that function in a pair, or None if the pair cannot carry such a task.
        prompt: returns the prompt for a pair and the name of the function.
        reference: returns the text that answers the task, for a pair that can carry it.
        is_adjoint: whether the answer is an adjoint.
        runs_adjoint: whether the judgement compares gradients, if the pair has an adjoint.
        is_plain: whether the answer is plain CUDA, see `warpsmith.scoring.plain`.
        is_program: whether it has a function of the host, which launches kernels.
    """

    name: str
    summary: str
    language: str
    level: str
    suffix: str = ""
    signature: Callable[[Pair, str], str | None]
    prompt: Callable[[Pair, str], str]
    reference: Callable[[Pair, str], str | None]
    is_adjoint: bool = False
    runs_adjoint: bool = False
    is_plain: bool = False
    is_program: bool = False


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


def _program(pair: Pair, entry_point: str) -> str | None:
    signature = program_signature(pair, entry_point)
    return None if signature is None or program_reference(pair, entry_point) is None else signature.text


TABLE = {
    kind.name: kind
    for kind in (
        Kind(
            name=task_names.PYTHON_TO_CUDA,
            summary="write the CUDA forward kernel of a Python kernel",
            language="cuda",
            level="emulate",
            suffix=task_names.SUFFIXES[task_names.PYTHON_TO_CUDA],
            signature=_forward,
            prompt=prompts.python_to_cuda,
            reference=lambda pair, _: pair.cuda_ir_forward,
        ),
        Kind(
            name=task_names.FORWARD_TO_ADJOINT,
            summary="write the CUDA adjoint of a kernel",
            language="cuda",
            level="gradient",
            suffix=task_names.SUFFIXES[task_names.FORWARD_TO_ADJOINT],
            signature=_backward,
            prompt=prompts.forward_to_adjoint,
            reference=lambda pair, _: pair.cuda_ir_backward,
            is_adjoint=True,
            runs_adjoint=True,
        ),
        Kind(
            name=task_names.CUDA_TO_PYTHON,
            summary="write the Python kernel of a CUDA text",
            language="python",
            level="gradient",
            signature=_python,
            prompt=prompts.cuda_to_python,
            reference=lambda pair, _: pair.python_source,
            runs_adjoint=True,
        ),
        Kind(
            name=task_names.PYTHON_TO_PLAIN_CUDA,
            summary="write a stand-alone CUDA kernel for a Python kernel",
            language="cuda",
            level="emulate",
            signature=_plain,
            prompt=python_to_plain_cuda,
            reference=translate,
            is_plain=True,
        ),
        Kind(
            name=task_names.PYTHON_TO_PROGRAM,
            summary="write CUDA kernels for a Python kernel, and the function that launches them",
            language="cuda",
            level="emulate",
            suffix=task_names.SUFFIXES[task_names.PYTHON_TO_PROGRAM],
            signature=_program,
            prompt=python_to_program,
            reference=program_reference,
            is_plain=True,
            is_program=True,
        ),
    )
}
"""All kinds of tasks by name."""

KINDS = tuple(TABLE)
"""The names of all kinds of tasks."""


REPAIRABLE = tuple(kind.name for kind in TABLE.values() if not kind.is_plain)
"""The kinds whose references can be broken by edits: these read text in Warp's form, and Python."""

REPAIR = task_names.REPAIR
"""The kind of tasks that ask for a wrong answer to be repaired. They are made from other tasks, see `task.make_repair`."""


def kind_of(name: str) -> Kind:
    """Return the kind with a name.

    Raises:
        WarpsmithError: if there is no such kind.
    """
    if name == REPAIR:
        raise WarpsmithError("tasks of the kind repair are made by warpsmith-score repairs")
    if name in task_names.OF_PROGRAMS:
        raise WarpsmithError(f"tasks of the kind {name} are made from programs: name a folder with programs-*.jsonl")
    if name not in TABLE:
        raise WarpsmithError(f"unknown task {name!r}: choose from {', '.join(KINDS)}")
    return TABLE[name]
