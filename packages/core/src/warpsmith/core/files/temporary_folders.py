"""Temporary folders that do not outlive their process for long: a later run removes those of a run that was killed."""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from warpsmith.core.errors import WarpsmithError, describe

PREFIX = "warpsmith-"
"""The start of the names of all temporary folders."""

LOCK = ".warpsmith-lock"
"""The file in a temporary folder that its owner keeps locked."""

MIN_AGE = 60.0
"""The seconds that a folder is left alone, because its owner may not have locked it yet."""


class TemporaryFolder:
    """A temporary folder that this process locks until it removes the folder or ends. As a context manager it yields the path.

    Attributes:
        path: the folder.

    Raises:
        WarpsmithError: if no folder can be made.
    """

    def __init__(self) -> None:
        sweep(Path(tempfile.gettempdir()))
        try:
            self.path = Path(tempfile.mkdtemp(prefix=PREFIX))
            self._descriptor = os.open(self.path / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._descriptor, fcntl.LOCK_EX)
        except OSError as error:
            raise WarpsmithError(f"no temporary folder: {describe(error)}; see TMPDIR and ulimit") from None

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, *_: object) -> None:
        self.remove()

    def remove(self) -> None:
        """Remove the folder; a second call does nothing."""
        shutil.rmtree(self.path, ignore_errors=True)
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def sweep(parent: Path) -> None:
    """Remove the folders in ``parent`` whose owners have ended; those of other users and of other programs are left alone."""
    for folder in _folders(parent):
        with contextlib.suppress(OSError):
            descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
            try:
                state = os.fstat(descriptor)
                if state.st_uid == os.getuid() and time.time() - state.st_mtime >= MIN_AGE:
                    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # fails while the owner lives
                    shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(descriptor)


def _folders(parent: Path) -> Iterator[Path]:
    with contextlib.suppress(OSError), os.scandir(parent) as entries:
        for entry in entries:
            if entry.name.startswith(PREFIX) and entry.is_dir(follow_symlinks=False):
                yield Path(entry.path)
