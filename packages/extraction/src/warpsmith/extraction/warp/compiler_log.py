"""Capture of the output of native compilers, which print to the standard streams of the process."""

from __future__ import annotations

import os
from pathlib import Path


class Log:
    """A context manager that captures standard output and standard error; `text` returns the captured output."""

    def __init__(self, scratch: Path) -> None:
        self._path = scratch / "compiler.log"
        self._saved: list[int] = []

    def __enter__(self) -> Log:
        self._saved = [os.dup(1), os.dup(2)]
        with self._path.open("wb") as file:
            os.dup2(file.fileno(), 1)
            os.dup2(file.fileno(), 2)
        return self

    def __exit__(self, *_: object) -> None:
        for descriptor, saved in zip((1, 2), self._saved, strict=True):
            os.dup2(saved, descriptor)
            os.close(saved)

    def text(self) -> str:
        """Return the captured output."""
        return self._path.read_text(errors="replace")
