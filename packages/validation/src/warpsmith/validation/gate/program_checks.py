"""Checks the recordings of a project's tapes by level `program`, within a time."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from warpsmith.core.errors import SandboxError
from warpsmith.core.records.tape_recording import RecordedProgram
from warpsmith.core.records.verdict import Status
from warpsmith.validation.gate.kernel_result import MACHINE_LEVEL, PROGRAM, KernelResult, Result
from warpsmith.validation.tapes.program_results import ProgramResult, check_programs

_RESULTS: dict[Status, Result] = {
    "pass": "pass",
    "fail": "fail",
    "inconclusive": "inconclusive",
    "not_applicable": "not applicable",
    "skipped": "not checked",
}


def check_tapes(programs: Sequence[RecordedProgram], seconds: float, unconfined: bool = False) -> list[KernelResult]:
    """Return the results of recordings, in their order; those that the time or the sandbox does not allow are not checked.

    Args:
        programs: the recordings, with their pairs.
        seconds: the time after which no check is started.
        unconfined: whether to work without the parts of the sandbox that the system lacks.
    """
    results: list[KernelResult] = []
    try:
        results.extend(_checked(programs, seconds, unconfined))
    except SandboxError as error:
        left = programs[len(results) :]
        return results + [_unchecked(program, "not checked (warpsmith)", MACHINE_LEVEL, str(error)) for program in left]
    late = f"the time limit of {seconds:g} s had passed"
    return results + [_unchecked(program, "not checked", PROGRAM, late) for program in programs[len(results) :]]


def _checked(programs: Sequence[RecordedProgram], seconds: float, unconfined: bool) -> Iterator[KernelResult]:
    end = time.monotonic() + seconds
    for result in check_programs(_until(programs, end), unconfined):
        yield program_result(result)


def _until(programs: Sequence[RecordedProgram], end: float) -> Iterator[RecordedProgram]:
    for program in programs:
        if time.monotonic() >= end:
            return
        yield program


def program_result(result: ProgramResult) -> KernelResult:
    """Return the result of a backward pass: at the launch where the tape goes wrong, else at the call of ``backward``."""
    fault = next((fault for fault in result.faults if fault.status == result.status), None)
    file, _, line = (fault.place if fault is not None else result.place).rpartition(":")
    return KernelResult(
        id=result.id,
        kernel=fault.kernel if fault is not None else "backward",
        file=file,
        line=int(line) if line.isdecimal() else 0,
        launch="captured",
        result=_RESULTS[result.status],
        level=PROGRAM,
        reason=f"{fault.explained}; {result.figures}" if fault is not None else result.reason,
    )


def _unchecked(program: RecordedProgram, result: Result, level: str, reason: str) -> KernelResult:
    place = program.recording.place.rpartition(":")
    line = int(place[2]) if place[2].isdecimal() else 0
    return KernelResult(
        id=program.recording.id, kernel="backward", file=place[0], line=line, launch="captured",
        result=result, level=level, reason=reason,
    )  # fmt: skip
