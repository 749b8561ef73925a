"""Judgement of CUDA in place of statements of a program: it runs on the SIMT machine from the variables before them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.inputs.elements import element
from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.scoring.judging.judge_client import ask, ask_to_read
from warpsmith.scoring.judging.programs.effect_comparison import contents_difference
from warpsmith.scoring.judging.programs.program_effects import GapEffect
from warpsmith.scoring.judging.programs.program_judge import ProgramOutcome, Reference, program_references
from warpsmith.scoring.judging.time_budget import TimeBudget
from warpsmith.scoring.judging.trials import Trial
from warpsmith.scoring.judging.wire import from_trial, to_outputs
from warpsmith.scoring.judging.worker_messages import (
    READ,
    RUN_PLAIN,
    AcceptedText,
    AnswerToRead,
    EncodedTrial,
    Launched,
    Nonsense,
    NonsenseError,
    PlainTextToRun,
    Rejection,
    Run,
)
from warpsmith.scoring.plain.program_unit import program_unit
from warpsmith.scoring.tasks.completions import checked_answer
from warpsmith.scoring.tasks.cuda_programs import CudaProgram
from warpsmith.scoring.tasks.program_task import ProgramTask
from warpsmith.validation.programs.observed_program import ArrayContent, content_of, values_of
from warpsmith.validation.sandbox.supervisor import Supervisor

_PASSED = {"read": "", "compile": "read", "run": "compile"}
"""The last stage that an answer passes by the stage at which it fails; other stages are not the answer's fault."""

NO_OTHER_RESULT = "the program leaves the same with all other parameters that it allows"


@dataclass(frozen=True, slots=True)
class _Start:
    """The variables before the statements, and what they leave.

    Attributes:
        trial: the variables as the arguments of a launch.
        expected: the arrays after the statements.
        rounded: those of the run with changed last bits.
        where: which parameters of the program they belong to, for reasons.
    """

    trial: Trial
    expected: Mapping[str, ArrayContent]
    rounded: Mapping[str, ArrayContent]
    where: str


@dataclass(frozen=True, slots=True)
class _Task:
    """What answers to a task have to do; with a problem there are no starts."""

    cuda: CudaProgram
    starts: list[_Start] = field(default_factory=list)
    problem: str = ""


def judge_cuda_programs(
    judge: Supervisor,
    machine: Supervisor,
    items: Sequence[tuple[ProgramTask, str | None]],
    seed: str,
    budget: TimeBudget,
) -> list[ProgramOutcome]:
    """Return the outcomes of completions, in order.

    Args:
        judge: the worker of references, which also reads answers.
        machine: the worker that compiles and runs answers.
        items: the completions, each of its task.
        seed: decides the other parameters.
        budget: the limits of time.

    Raises:
        SandboxError: if a worker does not work on this machine.
    """
    tasks = {task.task_id: task for task, _ in items}
    references = program_references(judge, [*tasks.values()], seed, budget)
    judged = {name: _of_reference(task, reference) for (name, task), reference in zip(tasks.items(), references, strict=True)}
    read = _read(judge, items, judged, budget)
    sent: list[EncodedTrial] = []
    numbers: dict[str, tuple[int, ...]] = {}
    for name, task in judged.items():
        numbers[name] = tuple(range(len(sent), len(sent) + len(task.starts)))
        sent += [from_trial(start.trial, start.trial.shapes) for start in task.starts]
    texts = [
        _text(judged[task.task_id].cuda, found.text, numbers[task.task_id])
        for (task, _), found in zip(items, read, strict=True)
        if isinstance(found, AcceptedText) and numbers[task.task_id]
    ]
    answered = iter(ask(machine, RUN_PLAIN, texts, budget, trials=sent))
    return [
        ProgramOutcome("", "inconclusive", judged[task.task_id].problem)
        if not judged[task.task_id].starts
        else _outcome(judged[task.task_id], found if isinstance(found, Rejection) else next(answered))
        for (task, _), found in zip(items, read, strict=True)
    ]


def _text(cuda: CudaProgram, text: str, numbers: tuple[int, ...]) -> PlainTextToRun:
    return PlainTextToRun(text, cuda.signature, program_unit(cuda.text, cuda.signature), numbers)


def _read(
    judge: Supervisor, items: Sequence[tuple[ProgramTask, str | None]], judged: Mapping[str, _Task], budget: TimeBudget
) -> list[AcceptedText | Rejection]:
    def encoded(item: tuple[ProgramTask, str | None]) -> AnswerToRead:
        task, completion = item
        signature = judged[task.task_id].cuda.signature
        text = checked_answer(completion, "cuda", signature.name)
        return AnswerToRead("cuda", text, signature.name, "", signature)

    return ask_to_read(judge, READ, items, encoded, budget)


# ---------------------------------------------------------------------------------------------------------------- references


def _of_reference(task: ProgramTask, reference: Reference) -> _Task:
    """Return what answers have to do, as the runs of the program show."""
    cuda = task.part.cuda
    if cuda is None:
        raise WarpsmithError(f"the task {task.kind} does not ask for CUDA")
    if len(reference.versions) < 2:
        return _Task(cuda, problem=reference.problem or NO_OTHER_RESULT)
    starts: list[_Start] = []
    for number, version in enumerate(reference.versions):
        runs, rounded = version.expected.effects.runs, version.expected.rounded.runs
        if not runs:
            return _Task(cuda, problem="the statements of the task do not run to their end")
        for run, other in zip(runs, (*rounded, *runs[len(rounded) :]), strict=False):
            try:
                trial = Trial("", *_launch(cuda.arguments, run), {}, (0,))
            except WarpsmithError as error:
                return _Task(cuda, problem=str(error))
            starts.append(_Start(trial, run.after, other.after, " (with other parameters)" if number else ""))
    return _Task(cuda, starts)


def _launch(arguments: Sequence[Argument], run: GapEffect) -> tuple[Launch, dict[str, Values]]:
    """Return the variables before statements as the arguments of a launch.

    Raises:
        WarpsmithError: if a variable has no contents, or those of another type.
    """
    if run.problem:
        raise WarpsmithError(run.problem)
    placed, values = [], {}
    for argument in arguments:
        content = values_of(run.before[argument.name])
        scalar, components = element(argument.dtype)
        dimensions = content.ndim - len(components)
        is_array = argument.kind == "array"
        if dimensions != len(argument.shape) or (
            is_array and (content.dtype != scalar or content.shape[dimensions:] != components)
        ):
            raise WarpsmithError(f"{argument.name} has another type in a run of the program")
        if not is_array and content.dtype.kind not in {"f": "fi", "i": "i", "b": "b"}[np.dtype(scalar).kind]:
            raise WarpsmithError(f"{argument.name} has another type in a run of the program")
        values[argument.name] = np.asarray(content, scalar)
        placed.append(replace(argument, shape=content.shape[:dimensions]))
    return Launch(dim=(1,), args=tuple(placed)), values


# ------------------------------------------------------------------------------------------------------------------- answers


def _outcome(task: _Task, answered: Launched | Rejection | Nonsense) -> ProgramOutcome:
    if isinstance(answered, Rejection):
        if answered.stage not in _PASSED:
            return ProgramOutcome("", "inconclusive", answered.reason[:500])
        return ProgramOutcome(_PASSED[answered.stage], "fail", answered.reason[:500])
    if isinstance(answered, Nonsense) or len(answered.runs) != len(task.starts):
        return ProgramOutcome("compile", "fail", "the worker answered nonsense")
    problems = (problem for start, runs in zip(task.starts, answered.runs, strict=True) for problem in _problems(start, runs))
    return next(problems, ProgramOutcome("right", "pass"))


def _problems(start: _Start, runs: Sequence[Run]) -> Iterator[ProgramOutcome]:
    if len(runs) != len(start.trial.shapes):
        yield ProgramOutcome("compile", "fail", "the worker answered nonsense")
    for run in runs:
        if run.problem is not None:
            yield ProgramOutcome("compile", "fail", f"{run.problem[:400]}{start.where}")
            continue
        try:
            arrays = to_outputs(run.outputs, start.trial, backward=False).arrays
        except NonsenseError:
            yield ProgramOutcome("compile", "fail", "the worker answered nonsense")
            continue
        found = {name: content_of(values) for name, values in arrays.items()}
        if problem := contents_difference("at the end", start.expected, start.rounded, found):
            yield ProgramOutcome("run", "fail", f"{problem[:400]}{start.where}")
