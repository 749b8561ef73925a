"""Warp's headers for all children of a run: precompiled once, by a child that has seen no line yet, and out of reach of all."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from threading import Lock


class Headers:
    """A folder of precompiled headers, made when they are first needed; use it as a context manager."""

    def __init__(self) -> None:
        self._folder: Path | None = None
        self._lock = Lock()

    def __enter__(self) -> Headers:
        return self

    def __exit__(self, *_: object) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def give(self, scratch: Path, precompile: Callable[[], object]) -> None:
        """Put the headers into a child's folder.

        Args:
            scratch: that folder.
            precompile: has the child make them there; it is called if nobody's did yet.
        """
        with self._lock:
            if self._folder is not None:
                for made in self._folder.iterdir():
                    shutil.copy(made, scratch)
                return
            precompile()
            found = list(scratch.glob("*.pch"))
            if found:
                self._folder = Path(tempfile.mkdtemp(prefix="warpsmith-headers-"))
                for made in found:
                    shutil.copy(made, self._folder)
