"""The disk space that a sandboxed worker uses."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

MAX_BYTES = 2 << 30
"""The bytes that a worker may keep in its folder."""

MAX_FILES = 50_000
"""The number of files and folders that a worker may keep in its folder."""

WATCH_SECONDS = 1.0
"""The time between two measurements."""

_BLOCK = 512


def excess(folder: Path) -> str | None:
    """Return what a worker keeps too much of in its folder, or None. Files that it deleted and keeps open do not count."""
    waiting, size, count = [str(folder)], 0, 0
    while waiting:
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                count += 1
                with contextlib.suppress(OSError):  # the file may have gone
                    size += entry.stat(follow_symlinks=False).st_blocks * _BLOCK
                if size > MAX_BYTES:
                    return f"more than {MAX_BYTES >> 20} MiB"
                if count > MAX_FILES:
                    return f"more than {MAX_FILES:,} files"
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
    return None
