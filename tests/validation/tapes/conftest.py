"""Recordings of the programs of `tape_programs`, and what level `program` says of them."""

from __future__ import annotations

import pytest

from tape_recordings import PROGRAMS, Run, recorded_passes
from warpsmith.core.records.tape_recording import RecordedProgram
from warpsmith.validation.tapes.program_results import ProgramResult, check_programs


@pytest.fixture(scope="session")
def recordings() -> dict[Run, tuple[RecordedProgram, ...]]:
    """Return the backward passes of all programs, with and without their errors."""
    return {
        Run(name, wrong): recorded_passes(lambda program=program, wrong=wrong: program.run(wrong))
        for name, program in PROGRAMS.items()
        for wrong in (True, False)
    }


@pytest.fixture(scope="session")
def results(recordings: dict[Run, tuple[RecordedProgram, ...]]) -> dict[Run, list[ProgramResult]]:
    """Return the results of all backward passes, checked by one sandboxed worker."""
    checked = check_programs([program for passes in recordings.values() for program in passes])
    return {run: [next(checked) for _ in passes] for run, passes in recordings.items()}
