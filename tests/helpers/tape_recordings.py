"""The programs of `tape_programs` and their recordings."""

from __future__ import annotations

import contextlib
import re
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from tape_programs import more_programs, programs
from tape_programs.programs import TapeProgram
from warpsmith.core.records.tape_recording import RecordedProgram
from warpsmith.extraction import capture
from warpsmith.extraction.capturing.capture_session import Captured

PROGRAMS = {program.name: program for program in (*programs.PROGRAMS, *more_programs.PROGRAMS)}


@dataclass(frozen=True)
class Run:
    """A run of a program: its name, and whether it makes its error."""

    name: str
    wrong: bool

    @property
    def program(self) -> TapeProgram:
        return PROGRAMS[self.name]


@contextlib.contextmanager
def _recording() -> Iterator[Captured]:
    """Record programs with tapes, which Warp warns of, and check that nothing is lost."""
    with capture(tape=True) as captured, warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Running the tape backwards may produce incorrect gradients")
        yield captured
    assert captured.recorder.faults == []


def recorded_passes(run: Callable[[], object]) -> tuple[RecordedProgram, ...]:
    """Return the backward passes of a program."""
    with _recording() as captured:
        run()
    return tuple(captured.programs())


def recorded_runs(runs: Sequence[Run]) -> dict[Run, tuple[RecordedProgram, ...]]:
    """Return the backward passes of runs, which this process runs one after another."""
    ends = []
    with _recording() as captured:
        recorder = captured.recorder.tapes  # type: ignore[attr-defined]
        recorder.limits = replace(recorder.limits, recordings=9)
        for run in runs:
            run.program.run(run.wrong)
            ends.append(len(recorder.finished))
    found = list(captured.programs())
    return {run: tuple(found[start:end]) for run, start, end in zip(runs, [0, *ends], ends, strict=False)}


def statement(place: str) -> str:
    """Return the line of a file of the programs that a place names."""
    match = re.fullmatch(r"tests/tape_programs/(more_programs|programs)\.py:(\d+)", place)
    assert match is not None, place
    module = {"programs": programs, "more_programs": more_programs}[match[1]]
    return Path(module.__file__).read_text().splitlines()[int(match[2]) - 1].strip()
