"""What a run of a program leaves: its launches with the contents of arguments, and the arrays and variables at the end.

It comes from the process that ran the program, and is not trusted.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec

from warpsmith.scoring.judging.worker_messages import AcceptedText, Nonsense, Rejection, WorkerTask, rejection, to_accepted_text
from warpsmith.validation.programs.observed_program import ArrayContent


class LaunchEffect(msgspec.Struct, frozen=True):
    """A launch.

    Attributes:
        kernel: the name of the kernel.
        place: its number among the launches of the kernel, from 1.
        dim: the dimensions of the launch.
        block_dim: the threads of a block, if the program requests them.
        before: the contents of all arguments before it, by the name of the leaf.
        after: those of arrays after it.
        problem: why its contents are not known; empty if they are.
    """

    kernel: str
    place: int
    dim: tuple[int, ...]
    block_dim: int | None
    before: dict[str, ArrayContent] = {}
    after: dict[str, ArrayContent] = {}
    problem: str = ""


class GapEffect(msgspec.Struct, frozen=True):
    """A run of the statements of a gap whose variables are observed.

    Attributes:
        before: the variables before them.
        after: the arrays among these after them.
        problem: why a variable has no contents; empty if all have.
    """

    before: dict[str, ArrayContent] = {}
    after: dict[str, ArrayContent] = {}
    problem: str = ""


class ProgramEffects(msgspec.Struct, frozen=True):
    """A run of a program.

    Attributes:
        error: why the program failed; empty if it ran.
        loaded: whether its definitions were accepted.
        counts: how often each kernel is launched.
        launches: the first launches of each kernel, those whose numbers are powers of two, and the last one.
        final: the contents at the end of the arrays of the last launch of each kernel, by kernel and leaf.
        values: the variables that the missing statements hand on.
        runs: the first runs of the statements of a gap whose variables are observed.
    """

    error: str = ""
    loaded: bool = True
    counts: dict[str, int] = {}
    launches: tuple[LaunchEffect, ...] = ()
    final: dict[str, dict[str, ArrayContent]] = {}
    values: dict[str, ArrayContent] = {}
    runs: tuple[GapEffect, ...] = ()


@dataclass(frozen=True, slots=True)
class ProgramText:
    """An answer about a program, for the policy.

    Attributes:
        text: the code of the answer.
        name: the name of the gap.
        before: how many statements the block has before the gap.
        after: how many it has behind it.
        source: the program with its reference.
        kernel_file: the file of the kernel that is missing; None if statements of the host are.
    """

    text: str
    name: str
    before: int
    after: int
    source: str
    kernel_file: str | None


@dataclass(frozen=True, slots=True)
class ProgramRun:
    """A run that a worker makes.

    Attributes:
        source: the file.
        written: the leaves that each kernel writes, whose last bits change after each launch; None if nothing changes.
    """

    source: str
    written: Mapping[str, Sequence[str]] | None = None


@dataclass(frozen=True, slots=True)
class ProgramRuns:
    """The runs of a text: each group belongs to the same parameters.

    Attributes:
        groups: the groups, in order; a group stops at its first run that fails.
        enough: the number of groups without a failure after which the others do not run.
    """

    groups: tuple[tuple[ProgramRun, ...], ...]
    enough: int


@dataclass(frozen=True, slots=True)
class EncodedRun:
    """What a run left: `ProgramEffects` in MessagePack and Base64; or why there is nothing."""

    effects: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class RunGroups:
    """The runs of a text, by group."""

    groups: list[list[EncodedRun]]


def decoded(run: EncodedRun) -> ProgramEffects | str:
    """Return what a run left, or why there is nothing."""
    if run.problem:
        return run.problem
    try:
        return msgspec.msgpack.decode(base64.b64decode(run.effects), type=ProgramEffects)
    except (ValueError, msgspec.MsgspecError):
        return "the worker answered nonsense"


def _to_groups(answer: Mapping[str, object]) -> RunGroups | Rejection | Nonsense:
    if "groups" not in answer:
        return rejection(answer)
    try:
        return msgspec.convert(answer, RunGroups)
    except msgspec.ValidationError:
        return Nonsense()


READ_PROGRAM: WorkerTask[ProgramText, AcceptedText | Rejection] = WorkerTask(
    "warpsmith.scoring.judging.programs.program_reader:read_programs", "read", to_accepted_text
)
RUN_PROGRAM: WorkerTask[ProgramRuns, RunGroups | Rejection | Nonsense] = WorkerTask(
    "warpsmith.scoring.judging.programs.effect_runner:run_programs",
    "compile",
    _to_groups,
    launches=True,
    seconds_per_text=60.0,
)
"""The tasks of workers: to read answers, and to run programs."""
