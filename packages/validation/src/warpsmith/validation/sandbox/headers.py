"""Warp's headers, precompiled once for all workers of a run, by a worker that has received no line yet."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from threading import Lock


class Headers:
    """A folder of precompiled headers that no worker can write to; use it as a context manager."""

    def __init__(self) -> None:
        self._folder: Path | None = None
        self._lock = Lock()

    def __enter__(self) -> Headers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the folder."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def install(self, scratch: Path, precompile: Callable[[], object]) -> None:
        """Copy the headers into a worker's folder.

        Args:
            scratch: the worker's folder.
            precompile: makes the worker precompile the headers in its folder; called if no worker has done so yet.
        """
        with self._lock:
            if self._folder is not None:
                for header in self._folder.iterdir():
                    shutil.copy(header, scratch)
                return
            precompile()
            headers = list(scratch.glob("*.pch"))
            if headers:
                self._folder = Path(tempfile.mkdtemp(prefix="warpsmith-headers-"))
                for header in headers:
                    shutil.copy(header, self._folder)
