"""Recordings of the programs of `tape_programs`, and what level `program` says of them."""

from __future__ import annotations

import warnings
from dataclasses import replace

import pytest

from tape_recordings import PROGRAMS, Run
from warpsmith.core.records.tape_recording import RecordedProgram
from warpsmith.extraction import capture
from warpsmith.validation.tapes.program_results import ProgramResult, check_programs


@pytest.fixture(scope="session")
def recordings() -> dict[Run, tuple[RecordedProgram, ...]]:
    """Return the backward passes of all programs, with and without their errors; one process runs all of them."""
    runs = [Run(name, wrong) for name in PROGRAMS for wrong in (True, False)]
    ends = []
    with capture(tape=True) as captured, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Running the tape backwards may produce incorrect gradients")
        recorder = captured.recorder.tapes  # type: ignore[attr-defined]
        recorder.limits = replace(recorder.limits, recordings=9)
        for run in runs:
            run.program.run(run.wrong)
            ends.append(len(recorder.finished))
    assert captured.recorder.faults == []
    found = list(captured.programs())
    return {run: tuple(found[start:end]) for run, start, end in zip(runs, [0, *ends], ends, strict=False)}


@pytest.fixture(scope="session")
def results(recordings: dict[Run, tuple[RecordedProgram, ...]]) -> dict[Run, list[ProgramResult]]:
    """Return the results of all backward passes, checked by one sandboxed worker."""
    checked = check_programs([program for passes in recordings.values() for program in passes])
    return {run: [next(checked) for _ in passes] for run, passes in recordings.items()}
