"""A file of program verdicts, one JSON line each in the order of the programs, which a later run continues."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from warpsmith.core.errors import TargetError
from warpsmith.core.files import storage
from warpsmith.validation.programs.program_verdicts import ProgramVerdict


def stored_program_verdicts(path: Path) -> list[ProgramVerdict]:
    """Return the verdicts of a file; those of a file that is missing are none. A last line without its end is removed.

    Raises:
        TargetError: if a line is no verdict, or if the file cannot be read or shortened.
    """
    if not path.exists():
        return []
    storage.check_regular(path)
    try:
        content = path.read_bytes()
        complete = content[: content.rfind(b"\n") + 1]
        if len(complete) < len(content):
            with path.open("r+b") as file:
                file.truncate(len(complete))  # the run ended while it wrote
        return [msgspec.json.decode(line, type=ProgramVerdict) for line in complete.splitlines()]
    except msgspec.MsgspecError as error:
        raise TargetError(f"{path} is no file of program verdicts: {error}. Choose another --output") from None
    except OSError as error:
        raise storage.cannot_write(path, error) from error


def stored_as_they_come(path: Path, verdicts: Iterable[ProgramVerdict]) -> Iterator[ProgramVerdict]:
    """Yield verdicts after each is added to the end of a file.

    Raises:
        TargetError: if the file cannot be written.
    """
    try:
        with path.open("ab") as file:
            for verdict in verdicts:
                file.write(msgspec.json.encode(verdict) + b"\n")
                file.flush()
                yield verdict
    except OSError as error:
        raise storage.cannot_write(path, error) from error
