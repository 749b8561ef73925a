"""Recordings of tapes as lines of JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import msgspec

from warpsmith.core.errors import RecordError, single_line
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.jsonl import MAX_LINE_BYTES, decode, raw_lines
from warpsmith.core.records.tape_recording import RecordedProgram, Recording

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Fields:
    """A program as a line contains it."""

    recording: Recording
    pairs: tuple[msgspec.Raw, ...]


def encode_program(program: RecordedProgram) -> bytes:
    """Return a recording with its pairs as one line of JSON, with the line break."""
    pairs = tuple(msgspec.Raw(encode(pair).rstrip()) for pair in program.pairs)
    return msgspec.json.encode(_Fields(program.recording, pairs)) + b"\n"


def decode_program(line: bytes, path: Path, number: int) -> RecordedProgram:
    """Return the recording of a line, with its pairs.

    Args:
        line: the line.
        path: the file of the line, for errors.
        number: its number, for errors.

    Raises:
        RecordError: if it is no recording, or a pair is invalid.
    """
    fields = _decoded(line, _Fields, path, number)
    pairs = tuple(decode(bytes(pair), path, number).checked() for pair in fields.pairs)
    if tuple(pair.id for pair in pairs) != fields.recording.kernels:
        raise RecordError(f"{path}:{number}: the pairs are not those of the recording's kernels")
    return RecordedProgram(fields.recording, pairs)


def read_programs(path: Path) -> Iterator[RecordedProgram]:
    """Yield the recordings of a file of JSON lines.

    Raises:
        RecordError: if a line is none.
        WarpsmithError: if the file cannot be read.
    """
    for number, raw in raw_lines(path):
        if raw is None:
            raise RecordError(f"{path}:{number}: a line of more than {MAX_LINE_BYTES} bytes")
        yield decode_program(raw, path, number)


def encode_recording(recording: Recording) -> bytes:
    """Return a recording alone as JSON."""
    return msgspec.json.encode(recording)


def decode_recording(line: bytes) -> Recording:
    """Return the recording that `encode_recording` wrote.

    Raises:
        RecordError: if it is none.
    """
    return _decoded(line, Recording, Path("<recording>"), 1)


def _decoded(line: bytes, form: type[T], path: Path, number: int) -> T:
    try:
        return msgspec.json.decode(line, type=form)
    except msgspec.MsgspecError as error:
        raise RecordError(f"{path}:{number}: not a recording of a tape: {single_line(str(error))}") from None
