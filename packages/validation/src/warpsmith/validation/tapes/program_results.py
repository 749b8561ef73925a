"""Recordings of tapes and their verdicts: level `program` for commands and Python."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from warpsmith.core.records.encoding import encode
from warpsmith.core.records.jsonl import Line, decode
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.tape_lines import encode_recording
from warpsmith.core.records.tape_recording import RecordedProgram, Recording
from warpsmith.core.records.verdict import Status
from warpsmith.validation.levels.registry import levels_to
from warpsmith.validation.sandbox.supervisor import WORKERS, Supervisor
from warpsmith.validation.sandbox.worker_tasks import TaskFailed
from warpsmith.validation.tapes.tape_answer import TapeAnswer, TapeFault

CHECK = "warpsmith.validation.tapes.tape_check:check_tape"
SECONDS = 300.0
"""The time limit for one recording."""

_FILE = Path("<program>")


@dataclass(frozen=True, slots=True)
class ProgramResult:
    """What a check of one backward pass says.

    Attributes:
        id: the id of the recording.
        place: file and line of the call of ``backward``.
        status: ``fail`` if the gradient is wrong; ``inconclusive`` if a launch could not be compared, or a fault is in doubt.
        reason: one line.
        faults: the launches at which the tape goes wrong, in the order of the backward pass.
        launches: how many launches and copies there are.
        compared: how many of them were compared.
        got: the derivative of the loss along a random direction by the gradients of the tape; None if it is not finite.
        expected: the same by the derivatives of the launches.
        replayed: the same by central differences of all launches, replayed in double precision; None without a fault, or if a
            launch cannot be repeated.
        unknown: the launches that were not compared, with the reason.
    """

    id: str
    place: str
    status: Status
    reason: str
    faults: tuple[TapeFault, ...] = ()
    launches: int = 0
    compared: int = 0
    got: float | None = 0.0
    expected: float | None = 0.0
    replayed: float | None = None
    unknown: tuple[str, ...] = ()

    @property
    def figures(self) -> str:
        """The derivative of the loss along one direction, by the tape and by what else gives it."""
        text = f"along one direction the tape gives {_figure(self.got)}, the launches {_figure(self.expected)}"
        return text if self.replayed is None else f"{text}, differences of the replayed program {self.replayed:.6g}"


def _figure(value: float | None) -> str:
    return "no finite number" if value is None else f"{value:.6g}"


def check_programs(
    programs: Iterable[RecordedProgram], unconfined: bool = False, seconds: float = SECONDS
) -> Iterator[ProgramResult]:
    """Yield what level `program` says of recordings.

    Raises:
        SandboxError: if the sandbox does not work or is incomplete on this machine.
    """
    supervisor = Supervisor(levels_to("parse"), module=WORKERS[unconfined], compiles=True)
    with supervisor:
        for program in programs:
            yield _checked(supervisor, program.recording, program.pairs, seconds)


def _checked(supervisor: Supervisor, recording: Recording, pairs: Sequence[Pair], seconds: float) -> ProgramResult:
    if recording.reason:
        return _result(recording, "skipped", recording.reason)
    lines = [decode(encode(pair), _FILE, number) for number, pair in enumerate(pairs, start=1)]
    refused = {
        str(number): f"its pair fails level {verdict.level}: {verdict.reason}"
        for number, verdicts in enumerate(supervisor.check(lines))
        for verdict in verdicts
        if verdict.status == "fail"
    }
    supervisor.require_worker()
    raw = Line(_FILE, 0, encode_recording(recording), None, "")
    try:
        answer = msgspec.convert(supervisor.run_task(CHECK, [raw, *lines], seconds, refused=refused), TapeAnswer)
    except TaskFailed as error:
        return _result(recording, "skipped", str(error))
    except msgspec.ValidationError as error:
        return _result(recording, "skipped", f"the worker answered nonsense: {error}")
    if answer.unchecked or any(not 0 <= number < len(recording.events) for number, _ in answer.unknown):
        return _result(recording, "skipped", answer.unchecked or "the worker answered nonsense")
    return _judged(recording, answer)


def _judged(recording: Recording, answer: TapeAnswer) -> ProgramResult:
    status: Status = "pass"
    reason = ""
    failed = [fault for fault in answer.faults if fault.status == "fail"]
    first = next(iter(failed), next(iter(answer.faults), None))
    if first is not None:
        status, reason = first.status, str(first)
    elif not answer.compared and not answer.unknown:
        status, reason = "not_applicable", "no launch passes a gradient on"
    elif answer.unknown:
        number, why = answer.unknown[0]
        event = recording.events[number]
        status = "inconclusive" if answer.compared else "skipped"
        reason = f"{len(answer.unknown)} of {len(recording.events)} launches, such as {event.name} at {event.place}: {why}"
    return ProgramResult(
        id=recording.id,
        place=recording.place,
        status=status,
        reason=reason,
        faults=tuple(answer.faults),
        launches=len(recording.events),
        compared=answer.compared,
        got=answer.got,
        expected=answer.expected,
        replayed=answer.replayed,
        unknown=tuple(f"{recording.events[number].name}: {why}" for number, why in answer.unknown),
    )


def _result(recording: Recording, status: Status, reason: str) -> ProgramResult:
    return ProgramResult(recording.id, recording.place, status, reason, launches=len(recording.events))
