"""Warp's headers, precompiled once for all workers, by a worker that has received no line yet."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable
from pathlib import Path
from threading import Lock

from warpsmith.core.files.temporary_folders import TemporaryFolder
from warpsmith.validation.sandbox import kept_headers
from warpsmith.validation.sandbox.fault_attribution import MachineState


class Headers:
    """A folder of precompiled headers that no worker can write to; use it as a context manager.

    Attributes:
        machine: whether workers with these headers work.
    """

    def __init__(self) -> None:
        self.machine = MachineState()
        self._folder: TemporaryFolder | None = None
        self._are_kept = False
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
            precompile: makes the worker precompile the headers in its folder; called if neither another worker nor an earlier
                run has done so.
        """
        with self._lock:
            if self._folder is None and not self._copied_of_earlier_run(scratch):
                precompile()
                self._share(list(scratch.glob("*.pch")))
            elif self._folder is not None:
                for header in self._folder.path.glob("*.pch"):
                    shutil.copy(header, scratch)

    def reject(self) -> None:
        """Precompile the headers again for the next worker if they are those of an earlier run, since a worker failed."""
        with self._lock:
            if self._are_kept:
                kept_headers.discard()
                self.close()
                self._folder, self._are_kept = None, False

    def _copied_of_earlier_run(self, scratch: Path) -> bool:
        """Copy the headers of an earlier run to a folder of this run, since another run may remove them, and to ``scratch``."""
        with contextlib.suppress(OSError):
            folder = TemporaryFolder()
            headers = kept_headers.copy_to(folder.path)
            if not headers:
                folder.remove()
                return False
            self._folder, self._are_kept = folder, True
            for header in headers:
                shutil.copy(header, scratch)
            return True
        return False

    def _share(self, headers: list[Path]) -> None:
        """Copy headers to a folder that stays until `close`, and to where later runs find them."""
        if not headers:
            return
        folder = TemporaryFolder()
        try:
            for header in headers:
                shutil.copy(header, folder.path)
        except OSError:
            folder.remove()
            raise
        self._folder = folder
        kept_headers.keep(headers)
