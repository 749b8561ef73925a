"""Temporary files that a killed run could not rename."""

from __future__ import annotations

import contextlib
import fcntl
import glob
from pathlib import Path

from warpsmith.core.errors import TargetError
from warpsmith.core.files import storage


def remove_leftovers(path: Path) -> None:
    """Remove the temporary files that killed runs left beside ``path``; a file that another run writes is locked, and stays."""
    if not storage.is_local(path):
        return
    with contextlib.suppress(OSError, TargetError):  # there is nothing to remove in a folder that cannot be read
        for leftover in path.parent.glob(f".{glob.escape(path.name)}.*.tmp"):
            with storage.reading(leftover) as file:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                leftover.unlink()
