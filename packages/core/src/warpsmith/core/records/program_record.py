"""The record of a program: a Python file with its host code, the code that Warp generates for its kernels, and its launches.

`notes/reference/record.md` explains every field for the users of a dataset. The kernels are pairs as `pair.Pair` describes
them: each with a Python file that runs alone, its generated code, and a launch of the program.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import msgspec

from warpsmith.core.errors import RecordError, single_line
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.ir import Device
from warpsmith.core.records.jsonl import MAX_LINE_BYTES, TOO_LONG, decode, raw_lines
from warpsmith.core.records.pair import Pair

PROGRAM_SCHEMA_VERSION = 1
"""The version of the record of programs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramArgument:
    """An argument of a launch.

    Attributes:
        name: the name of the kernel's parameter.
        kind: a plain value, an array, a struct, or an object of Warp.
        dtype: Warp's name of the type of a value or of the elements of an array; the name of a struct.
        shape: the shape of an array; empty for other arguments.
    """

    name: str
    kind: Literal["value", "array", "struct", "object"]
    dtype: str
    shape: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramLaunch:
    """A launch of a program, or several with arguments of the same types and shapes.

    Attributes:
        kernel: the name of the kernel in the Python file.
        dim: the number of threads in each dimension, as the program gives it; with ``block_dim`` without that of a block.
        block_dim: the threads of a block, for ``wp.launch_tiled``; null otherwise.
        args: the arguments in the order of the parameters.
    """

    kernel: str
    dim: tuple[int, ...]
    block_dim: int | None
    args: tuple[ProgramArgument, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramResult:
    """What an array contains when the program ends, of those that the last launch of a kernel writes.

    Attributes:
        kernel: the name of the kernel.
        argument: the name of its parameter.
        dtype: NumPy's name of the type of a number.
        shape: the shape of the array, followed by that of an element.
        low: the least finite number, rounded to four significant digits, as are the others.
        high: the largest one.
        mean: the mean of the finite numbers.
    """

    kernel: str
    argument: str
    dtype: str
    shape: tuple[int, ...]
    low: float
    high: float
    mean: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramMetadata:
    """The metadata of a program.

    Attributes:
        kind: always ``program``.
        domain: the field that the program is from, such as ``particles``.
        scheme: the row of the catalogue that it is written from, with its domain, such as ``particles/hanging_cloth``.
        parts: further rows that are in it.
        form: the form of the host code: ``class``, ``run``, ``steps``, ``main`` or ``script``.
        description: what the program does.
        device: the targets of the generated code.
        has_backward: whether the kernels have adjoints.
        seed: the seed of the dataset.
        index: the number of the program.
        features: the names of Warp that the Python uses, sorted.
        lines: the lines of the Python file that are neither blank nor comments.
        host_lines: those of them that belong to no kernel, function or struct of Warp.
        launches: how many launches there are.
        backward_passes: how many times the program calls ``backward`` of a tape.
        structure: a hash of the host code without names and numbers.
        warp_version: the Warp release that generated the code.
        generator_version: the version of the generator of programs.
        schema_version: the version of this record.
    """

    kind: Literal["program"] = "program"
    domain: str
    scheme: str
    parts: tuple[str, ...]
    form: str
    description: str
    device: Device
    has_backward: bool
    seed: int
    index: int
    features: tuple[str, ...]
    lines: int
    host_lines: int
    launches: int
    backward_passes: int
    structure: str
    warp_version: str
    generator_version: str
    schema_version: int = PROGRAM_SCHEMA_VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramRecord:
    """A program.

    Attributes:
        id: the id, such as ``program-1-2000-17``.
        python_source: the whole Python file; it runs alone, as ``python FILE``, on any device of Warp.
        kernels: the pairs of the kernels that it launches, in the order of their first launch.
        launches: the different launches.
        order: the launches in the order in which the program makes them, as positions in ``launches``.
        results: what the program computes.
        metadata: the metadata.
    """

    id: str
    python_source: str
    kernels: tuple[Pair, ...]
    launches: tuple[ProgramLaunch, ...]
    order: tuple[int, ...]
    results: tuple[ProgramResult, ...]
    metadata: ProgramMetadata


@dataclass(frozen=True, slots=True)
class _Fields:
    """A program as a line contains it; its pairs are read with the checks of pairs."""

    id: str
    python_source: str
    kernels: tuple[msgspec.Raw, ...]
    launches: tuple[ProgramLaunch, ...]
    order: tuple[int, ...]
    results: tuple[ProgramResult, ...]
    metadata: ProgramMetadata


def encode_program_record(program: ProgramRecord) -> bytes:
    """Return a program as one line of JSON, with the line break."""
    pairs = tuple(msgspec.Raw(encode(pair).rstrip()) for pair in program.kernels)
    fields = _Fields(
        program.id, program.python_source, pairs, program.launches, program.order, program.results, program.metadata
    )
    return msgspec.json.encode(fields) + b"\n"


def decode_program_record(line: bytes, path: Path, number: int) -> ProgramRecord:
    """Return the program of a line.

    Args:
        line: the line.
        path: the file of the line, for errors.
        number: its number, for errors.

    Raises:
        RecordError: if it is no program.
    """
    try:
        fields = msgspec.json.decode(line, type=_Fields)
    except msgspec.MsgspecError as error:
        raise RecordError(f"{path}:{number}: not a program: {single_line(str(error))}") from None
    pairs = tuple(decode(bytes(pair), path, number).checked() for pair in fields.kernels)
    if any(not 0 <= position < len(fields.launches) for position in fields.order):
        raise RecordError(f"{path}:{number}: the order names a launch that does not exist")
    return ProgramRecord(
        id=fields.id,
        python_source=fields.python_source,
        kernels=pairs,
        launches=fields.launches,
        order=fields.order,
        results=fields.results,
        metadata=fields.metadata,
    )


def read_program_records(path: Path) -> Iterator[ProgramRecord]:
    """Yield the programs of a file of JSON lines.

    Raises:
        RecordError: if a line is no program.
        WarpsmithError: if the file cannot be read.
    """
    for number, raw in raw_lines(path):
        if raw is None:
            raise RecordError(f"{path}:{number}: {TOO_LONG}; the limit is {MAX_LINE_BYTES} bytes")
        yield decode_program_record(raw, path, number)
