"""The messages between the scorer and its workers: texts to read, compile and run, and the answers about them.

A worker trusts the scorer. The scorer trusts no worker: each `WorkerTask` has a function that checks an answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypedDict, TypeVar

import msgspec

from warpsmith.core.records.launch import Launch
from warpsmith.scoring.plain.plain_signature import Signature

Q = TypeVar("Q")
A = TypeVar("A")

MACHINE, UNSUPPORTED = "machine", "unsupported"
"""Stages of a rejection that are none of an answer's: this computer prevented the judgement, or the SIMT machine lacks
something."""

# ------------------------------------------------------------------------------------------------------------------- requests


@dataclass(frozen=True, slots=True)
class AnswerToRead:
    """The answer to a task, which the policy has to accept.

    Attributes:
        language: ``"cuda"`` or ``"python"``.
        text: the code.
        entry_point: the name of the function that the text defines.
        reference: the text of the reference, whose parameters the answer has.
        plain: the signature, if the answer is plain CUDA.
    """

    language: str
    text: str
    entry_point: str
    reference: str
    plain: Signature | None = None


@dataclass(frozen=True, slots=True)
class TextToRun:
    """A text to compile and launch.

    Attributes:
        language: ``"cuda"``, ``"adjoint"`` or ``"python"``; empty for the text of a reference, which is Warp's own.
        kernel_name: the name of the kernel.
        text: the answer, or the reference's forward text.
        given: for an adjoint, the forward text that it belongs to; for a reference, the adjoint.
        dimensions: how many coordinates ``wp.tid()`` returns in the reference; None if its text does not say.
        strides: whether threads of the reference continue with further elements.
        options: the module options that differ from Warp's defaults.
        backward: whether a Python answer needs an adjoint.
        trials: the launches, as indices into the list of all.
    """

    language: str
    kernel_name: str
    text: str
    given: str | None
    dimensions: int | None
    strides: bool
    options: Mapping[str, Any]
    backward: bool
    trials: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PlainTextToRun:
    """A plain CUDA text that the policy has accepted.

    Attributes:
        text: the text.
        signature: the interface of its kernel.
        reference: the text of the reference.
        trials: the launches, as indices into the list of all.
    """

    text: str
    signature: Signature
    reference: str
    trials: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class EncodedArray:
    """An array: its NumPy type, its shape, and its bytes in Base64."""

    dtype: str
    shape: tuple[int, ...]
    data: str


@dataclass(frozen=True, slots=True)
class EncodedTrial:
    """A `Trial` without its name, for the shapes of grids with the numbers ``shapes``."""

    launch: Launch
    values: dict[str, EncodedArray]
    gradients: dict[str, EncodedArray]
    shapes: tuple[int, ...]


# -------------------------------------------------------------------------------------------------------------------- answers


@dataclass(frozen=True, slots=True)
class Rejection:
    """Why a text got no further: the stage at which it failed, and the reason."""

    stage: str
    reason: str


@dataclass(frozen=True, slots=True)
class AcceptedText:
    """An answer that the policy accepts, in the layout that the runner needs."""

    text: str


@dataclass(frozen=True, slots=True)
class Run:
    """What one launch left.

    Attributes:
        outputs: the outputs, see `wire.from_outputs`; None if the launch stopped.
        problem: why the launch stopped.
    """

    outputs: str | None = None
    problem: str | None = None


Runs = list[list[Run]]
"""The runs of a text by trial and shape."""


@dataclass(frozen=True, slots=True)
class Launched:
    """The runs of a text.

    Attributes:
        runs: the runs over all shapes.
        exact: for a reference, the runs in double precision, over the first shape of each trial.
    """

    runs: Runs
    exact: Runs | None = None


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault that the SIMT machine finds in a launch of a text.

    Attributes:
        direction: ``"forward"`` or ``"backward"``.
        kind: one of `warpsmith.simt.launches.launch_results.KINDS`.
        text: what happened and where.
    """

    direction: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Faults:
    """The faults of a text."""

    faults: list[Fault]


@dataclass(frozen=True, slots=True)
class Nonsense:
    """Anything that is no answer to the request."""


class Reply(TypedDict):
    """All that a worker sends back: an answer on each text of the request."""

    texts: Sequence[AcceptedText | Faults | Launched | Rejection]


class NonsenseError(Exception):
    """A worker answered something that is no answer to the request."""


def to_accepted_text(answer: Mapping[str, object]) -> AcceptedText | Rejection:
    """Return a worker's answer on a text to read."""
    text = answer.get("text")
    return AcceptedText(text) if isinstance(text, str) else rejection(answer, "read")


def to_launched(answer: Mapping[str, object]) -> Launched | Rejection | Nonsense:
    """Return a worker's answer on a text to run; whether there is a run for each launch is not checked."""
    return rejection(answer) if "runs" not in answer else converted(answer, Launched)


def to_faults(answer: Mapping[str, object]) -> Faults | Rejection | Nonsense:
    """Return a worker's answer on a text whose faults are searched."""
    return rejection(answer) if "faults" not in answer else converted(answer, Faults)


def converted(answer: Mapping[str, object], kind: type[A]) -> A | Nonsense:
    """Return an answer as an object of a type."""
    try:
        return msgspec.convert(answer, kind)
    except msgspec.ValidationError:
        return Nonsense()


def rejection(answer: Mapping[str, object], stage: str = "") -> Rejection:
    """Return the rejection in an answer."""
    return Rejection(str(answer.get("stage", stage)), str(answer.get("reason")))


# ---------------------------------------------------------------------------------------------------------------------- tasks


@dataclass(frozen=True, slots=True)
class WorkerTask(Generic[Q, A]):
    """A task of a worker: a function that answers requests of one type about texts.

    Attributes:
        name: the function, as ``module:function``.
        first_stage: the first stage of the task, at which a text fails that makes the worker stop.
        read: returns the checked answer from the JSON of a worker.
        launches: whether the task launches texts, and therefore receives limits of time.
        seconds_per_text: the time limit of a request for each text, besides its launches.
    """

    name: str
    first_stage: str
    read: Callable[[Mapping[str, object]], A]
    launches: bool = False
    seconds_per_text: float = 2.0


READ: WorkerTask[AnswerToRead, AcceptedText | Rejection] = WorkerTask(
    "warpsmith.scoring.judging.answer_reader:read_texts", "read", to_accepted_text
)
RUN: WorkerTask[TextToRun, Launched | Rejection | Nonsense] = WorkerTask(
    "warpsmith.scoring.judging.answer_runner:run_texts", "compile", to_launched, launches=True
)
RUN_PLAIN: WorkerTask[PlainTextToRun, Launched | Rejection | Nonsense] = WorkerTask(
    "warpsmith.scoring.judging.plain.plain_runner:run_plain", "compile", to_launched, launches=True, seconds_per_text=30.0
)
FIND_FAULTS: WorkerTask[TextToRun, Faults | Rejection | Nonsense] = WorkerTask(
    "warpsmith.scoring.judging.answer_faults:find_faults", "compile", to_faults, launches=True, seconds_per_text=30.0
)
"""The tasks: to read answers, to compile and launch them, to do so for plain CUDA, and to search others for faults."""
