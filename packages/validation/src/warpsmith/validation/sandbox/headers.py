"""Warp's headers, precompiled once for all workers of a run, by a worker that has received no line yet."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from threading import Lock

from warpsmith.validation.sandbox.blame import MachineState
from warpsmith.validation.sandbox.temporary import TemporaryFolder


class Headers:
    """A folder of precompiled headers that no worker can write to; use it as a context manager.

    Attributes:
        machine: whether workers with these headers work.
    """

    def __init__(self) -> None:
        self.machine = MachineState()
        self._folder: TemporaryFolder | None = None
        self._lock = Lock()

    def __enter__(self) -> Headers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the folder."""
        if self._folder is not None:
            self._folder.remove()

    def install(self, scratch: Path, precompile: Callable[[], object]) -> None:
        """Copy the headers into a worker's folder.

        Args:
            scratch: the worker's folder.
            precompile: makes the worker precompile the headers in its folder; called if no worker has done so yet.
        """
        with self._lock:
            if self._folder is not None:
                for header in self._folder.path.glob("*.pch"):
                    shutil.copy(header, scratch)
                return
            precompile()
            headers = list(scratch.glob("*.pch"))
            if headers:
                folder = TemporaryFolder()
                try:
                    for header in headers:
                        shutil.copy(header, folder.path)
                except OSError:
                    folder.remove()
                    raise
                self._folder = folder
