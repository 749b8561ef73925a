"""Real code: folders of Python files, which are read and parsed, never imported."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sized
from pathlib import Path
from typing import TypedDict

from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.python_source import NotPythonError, parse_python
from warpsmith.core.similarity.tokens import MAX_CHARACTERS
from warpsmith.validation.statistics.realism import section
from warpsmith.validation.statistics.resemblance import program_figures as programs


class CodeMeasurement(TypedDict):
    """Files, those among them that are not valid Python or could not be read, and the state of two sections."""

    files: int
    unread_files: int
    realism: section.State
    programs: programs.State


def python_files(paths: Iterable[Path]) -> list[Path]:
    """Return the Python files among and below ``paths`` in the order of their names; hidden folders are left out."""
    return [file for path in paths for file in ([path] if path.is_file() else sorted(_below(path)))]


def _below(folder: Path) -> Iterator[Path]:
    for where, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        yield from (path for name in names if name.endswith(".py") and (path := Path(where, name)).is_file())


def read_file(path: Path) -> Line | None:
    """Return a file as a line of its bytes, as workers receive it, or None if it is too long or cannot be read."""
    try:
        content = path.read_bytes() if path.stat().st_size <= MAX_CHARACTERS else None
    except OSError:
        content = None
    return None if content is None else Line(path, 1, content, None, None)


def empty() -> CodeMeasurement:
    """Return the measurement of no file."""
    return {"files": 0, "unread_files": 0, "realism": section.empty(), "programs": programs.empty()}


def measure_files(lines: Iterable[Line]) -> CodeMeasurement:
    """Measure files that `read_file` has read: their kernels, functions and structs."""
    measurement = empty()
    for line in lines:
        measurement["files"] += 1
        try:
            source = line.raw.decode("utf-8-sig").replace("\r\n", "\n")
            tree = parse_python(source)
        except (UnicodeDecodeError, NotPythonError):
            measurement["unread_files"] += 1
        else:
            section.add_source(measurement["realism"], source, tree)
            programs.add_file(measurement["programs"], source, tree)
    return measurement


def unread(files: Sized) -> CodeMeasurement:
    """Return the measurement of files that could not be read, or on which a worker died or exceeded its time limit."""
    return {**empty(), "files": len(files), "unread_files": len(files)}


def merge(measurements: Iterable[CodeMeasurement]) -> CodeMeasurement:
    """Merge measurements in the order of the files."""
    total = empty()
    for part in measurements:
        total["files"] += part["files"]
        total["unread_files"] += part["unread_files"]
        section.add(total["realism"], part["realism"])
        programs.add(total["programs"], part["programs"])
    return total
