"""Judgement of answers about programs: the program runs with the answer in its place, and its effects are compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

import numpy as np

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.execution.batches import divide
from warpsmith.core.records.launch import Argument
from warpsmith.core.records.program_record import ProgramRecord
from warpsmith.scoring.judging.judge_client import ask, ask_to_read
from warpsmith.scoring.judging.programs.effect_comparison import Expected, Roles, first_difference
from warpsmith.scoring.judging.programs.program_effects import (
    READ_PROGRAM,
    RUN_PROGRAM,
    EncodedRun,
    ProgramEffects,
    ProgramRun,
    ProgramRuns,
    ProgramText,
    RunGroups,
    decoded,
)
from warpsmith.scoring.judging.time_budget import TimeBudget
from warpsmith.scoring.judging.worker_messages import MACHINE, AcceptedText, Nonsense, Rejection
from warpsmith.scoring.tasks.completions import checked_answer
from warpsmith.scoring.tasks.parameter_changes import changed_versions
from warpsmith.scoring.tasks.program_gaps import with_kernel, with_observed, with_statements
from warpsmith.scoring.tasks.program_task import ProgramTask
from warpsmith.validation.programs.observed_program import values_of
from warpsmith.validation.sandbox.supervisor import Supervisor

TEXTS_PER_REQUEST = 8
"""The programs of one request."""


@dataclass(frozen=True, slots=True)
class ProgramOutcome:
    """What the judgement of an answer says.

    Attributes:
        level: the last stage that it passes, one of `warpsmith.scoring.scores.STAGES`; empty for none.
        status: ``pass``, ``fail`` or ``inconclusive``.
        reason: one line; empty for ``pass``.
    """

    level: str
    status: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Version:
    """A program with some parameters, and what it leaves."""

    source: str
    expected: Expected


@dataclass(frozen=True, slots=True)
class Reference:
    """The versions of the program of a task; with a problem there are none."""

    versions: tuple[Version, ...] = ()
    roles: Roles | None = None
    problem: str = ""


def judge_programs(
    judge: Supervisor,
    candidates: Supervisor,
    items: Sequence[tuple[ProgramTask, str | None]],
    seed: str,
    budget: TimeBudget,
) -> list[ProgramOutcome]:
    """Return the outcomes of completions, in order.

    Args:
        judge: the worker of references, which also reads answers.
        candidates: the worker of answers.
        items: the completions, each of its task.
        seed: decides the other parameters.
        budget: the limits of time.

    Raises:
        SandboxError: if a worker does not work on this machine.
    """
    tasks = {task.task_id: task for task, _ in items}
    references = dict(zip(tasks, program_references(judge, [*tasks.values()], seed, budget), strict=True))
    read = _read(judge, items, budget)
    runnable = [
        (task, found.text)
        for (task, _), found in zip(items, read, strict=True)
        if isinstance(found, AcceptedText) and references[task.task_id].versions
    ]
    runs = [_answer_runs(task, text, references[task.task_id]) for task, text in runnable]
    answered = iter(_ask_in_portions(candidates, runs, budget))
    return [
        ProgramOutcome("", "inconclusive", references[task.task_id].problem)
        if not references[task.task_id].versions
        else ProgramOutcome("", "fail", found.reason[:500])
        if isinstance(found, Rejection)
        else _outcome(references[task.task_id], next(answered))
        for (task, _), found in zip(items, read, strict=True)
    ]


def _ask_in_portions(
    supervisor: Supervisor, runs: Sequence[ProgramRuns], budget: TimeBudget
) -> Iterator[RunGroups | Rejection | Nonsense]:
    for portion in divide(runs, TEXTS_PER_REQUEST):
        yield from ask(supervisor, RUN_PROGRAM, portion, budget)


# ---------------------------------------------------------------------------------------------------------------- references


def program_references(judge: Supervisor, tasks: Sequence[ProgramTask], seed: str, budget: TimeBudget) -> Iterator[Reference]:
    """Yield the reference of each task: the program with its own parameters, and with the first others that it allows."""
    roles = [_roles(task.program) for task in tasks]
    sources: list[list[str]] = []
    for task in tasks:
        source, gap = task.program.python_source, None if task.row.is_kernel else task.gap
        changed = changed_versions(source, gap, Random(f"{seed}/{task.task_id}"))  # noqa: S311
        sources.append([source, *(version for version in changed if version != source)])
    runs = [
        ProgramRuns(tuple(_both(_with_reference(task, text), written) for text in versions), enough=1 + _changed_runs(task))
        for task, versions, written in zip(tasks, sources, map(_written, roles), strict=True)
    ]
    answers = _ask_in_portions(judge, runs, budget.references)
    for task, role, versions, answered in zip(tasks, roles, sources, answers, strict=True):
        yield _reference(role, versions, answered, 1 + _changed_runs(task))


def _changed_runs(task: ProgramTask) -> int:
    """Return the number of runs with other parameters; those on the SIMT machine are cheap enough for two."""
    return 2 if task.row.is_cuda else 1


def _with_reference(task: ProgramTask, source: str) -> str:
    """Return a version of the program as it runs for the reference."""
    if task.part.cuda is not None:
        return with_observed(source, task.gap, task.part.cuda.variables)
    return _with_answer(task, source, task.reference)


def _both(source: str, written: Mapping[str, Sequence[str]]) -> tuple[ProgramRun, ...]:
    return ProgramRun(source), ProgramRun(source, written)


def _reference(
    roles: Roles, sources: Sequence[str], answered: RunGroups | Rejection | Nonsense, max_versions: int
) -> Reference:
    if not isinstance(answered, RunGroups) or not answered.groups:
        reason = answered.reason if isinstance(answered, Rejection) else "the worker answered nonsense"
        return Reference(problem=f"the program cannot be run: {reason[:300]}")
    found = [_expected(group) for group in answered.groups]
    first = found[0]
    if isinstance(first, str):
        return Reference(problem=f"the program cannot be run: {first[:300]}")
    versions = [Version(sources[0], first)]
    for source, other in zip(sources[1:], found[1:], strict=False):
        if isinstance(other, Expected) and other.effects != first.effects:
            versions.append(Version(source, other))
            if len(versions) == max_versions:
                break
    return Reference(tuple(versions), roles)


def _expected(group: Sequence[EncodedRun]) -> Expected | str:
    effects = [decoded(run) for run in group]
    match effects:
        case [ProgramEffects() as own, *others]:
            rounded = next((item for item in others if isinstance(item, ProgramEffects)), own)  # its checks may be too strict
            return Expected(own, rounded) if _is_finite(own) else "a result is not finite"
        case [*_, str(problem)]:
            return problem
    return "the worker answered nonsense"


def _is_finite(effects: ProgramEffects) -> bool:
    try:
        arrays = [values_of(content) for arrays in effects.final.values() for content in arrays.values()]
    except WarpsmithError:
        return False
    return all(bool(np.all(np.isfinite(array))) for array in arrays if array.dtype.kind == "f")


def _roles(program: ProgramRecord) -> dict[str, dict[str, str]]:
    """Return the roles of the leaves of kernels whose launch the record has."""
    return {
        pair.id.rpartition("/")[2]: dict(_leaves(pair.metadata.launch.args, "")) if pair.metadata.launch is not None else {}
        for pair in program.kernels
    }


def _leaves(arguments: Sequence[Argument], prefix: str) -> Iterator[tuple[str, str]]:
    for argument in arguments:
        name = f"{prefix}{argument.name}"
        yield name, argument.role
        yield from _leaves(argument.fields, f"{name}.")


def _written(roles: Mapping[str, Mapping[str, str]]) -> dict[str, list[str]]:
    return {kernel: [name for name, role in of.items() if role != "input"] for kernel, of in roles.items()}


# ------------------------------------------------------------------------------------------------------------------- answers


def _read(
    judge: Supervisor, items: Sequence[tuple[ProgramTask, str | None]], budget: TimeBudget
) -> list[AcceptedText | Rejection]:
    def encoded(item: tuple[ProgramTask, str | None]) -> ProgramText:
        task, completion = item
        return _text(task, checked_answer(completion, task.language, task.gap.function))

    return ask_to_read(judge, READ_PROGRAM, items, encoded, budget)


def _text(task: ProgramTask, text: str) -> ProgramText:
    gap, file = task.gap, None
    if task.row.is_kernel:
        file = next(pair.python_source for pair in task.program.kernels if pair.id.rpartition("/")[2] == gap.name)
    return ProgramText(text, gap.name, gap.before, gap.after, task.program.python_source, file)


def _with_answer(task: ProgramTask, source: str, text: str) -> str:
    """Return a version of the program with a text in the gap."""
    return with_kernel(source, task.gap.name, text) if task.row.is_kernel else with_statements(source, task.gap, text)


def _answer_runs(task: ProgramTask, text: str, reference: Reference) -> ProgramRuns:
    groups = tuple((ProgramRun(_with_answer(task, version.source, text)),) for version in reference.versions)
    return ProgramRuns(groups, enough=len(groups))


def _outcome(reference: Reference, answered: RunGroups | Rejection | Nonsense) -> ProgramOutcome:
    if isinstance(answered, Rejection):
        if answered.stage == MACHINE:
            return ProgramOutcome("", "inconclusive", answered.reason[:500])
        return ProgramOutcome("read", "fail", answered.reason[:500])
    if isinstance(answered, Nonsense) or len(answered.groups) != len(reference.versions):
        return ProgramOutcome("read", "fail", "the worker answered nonsense")
    for number, (version, group) in enumerate(zip(reference.versions, answered.groups, strict=True)):
        where = " (with other parameters)" if number else ""
        effects = decoded(group[0]) if group else "the worker answered nonsense"
        if isinstance(effects, str):
            return ProgramOutcome("read", "fail", f"{effects[:400]}{where}")
        if problem := first_difference(version.expected, effects, reference.roles or {}):
            return ProgramOutcome("run", "fail", f"{problem[:400]}{where}")
    return ProgramOutcome("right", "pass")
