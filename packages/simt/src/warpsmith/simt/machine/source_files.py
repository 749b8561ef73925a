"""The C++ of the machine: its files as one text, with the numbers that Python defines."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from warpsmith.simt.lowering.instruction_encoding import definitions

FOLDERS = (Path(__file__).parent.parent / "operations" / "native", Path(__file__).parent / "native")


@cache
def _files() -> dict[str, str]:
    files = {
        path.name: path.read_text(encoding="utf-8") for folder in FOLDERS for path in sorted(folder.iterdir()) if path.is_file()
    }
    return files | {"numbers.h": definitions()}


def machine_text() -> str:
    """Return the C++ of the machine."""
    return _include("machine.cpp", set())


def instruction_text() -> str:
    """Return the C++ that functions of operations start with."""
    return _include("operation.h", set())


def _include(name: str, done: set[str]) -> str:
    """Return a file with the files that it includes, each once."""
    done.add(name)
    lines = []
    for line in _files()[name].splitlines():
        included = line.partition('"')[2].rstrip('"')
        if line.startswith('#include "'):
            if included not in done:
                lines.append(_include(included, done))
        elif line != "#pragma once":
            lines.append(line)
    return "\n".join(lines)
