"""The user's cache directory, where later runs find compiled files."""

from __future__ import annotations

import os
import stat
from pathlib import Path

VARIABLE = "WARPSMITH_CACHE"
"""The environment variable that names another cache directory; empty for none."""


def cache_folder() -> Path | None:
    """Return the cache directory, which need not exist, or None if the user wants none."""
    if (named := os.environ.get(VARIABLE)) is not None:
        return Path(named).absolute() if named else None
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "warpsmith"


def is_private(folder: Path) -> bool:
    """Return whether a folder exists that only this user can write to."""
    try:
        state = folder.stat()
    except OSError:
        return False
    return state.st_uid == os.getuid() and not state.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
