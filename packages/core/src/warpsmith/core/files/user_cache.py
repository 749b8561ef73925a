"""The user's cache directory, where later runs find compiled and parsed files."""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from pathlib import Path

from warpsmith.core.errors import TargetError
from warpsmith.core.files.atomic import write_atomic

VARIABLE = "WARPSMITH_CACHE"
"""The environment variable that names another cache directory; empty for none."""


DIGEST_SIZE = hashlib.sha256().digest_size
"""Bytes of the digest that a cached file starts with; its content is behind it."""


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


def made_cache_folder() -> Path | None:
    """Return the cache directory, which exists then, or None if there is none that only this user can write to.

    Raises:
        OSError: if it cannot be made.
    """
    folder = cache_folder()
    if folder is not None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder if folder is not None and is_private(folder) else None


def read_cached(name: str) -> bytes | None:
    """Return the content of a cached file, or None if there is no intact one, or if other users could have written it."""
    folder = cache_folder()
    if folder is None or not is_private(folder):
        return None
    try:
        content = (folder / name).read_bytes()
    except OSError:
        return None
    digest, content = content[:DIGEST_SIZE], content[DIGEST_SIZE:]
    return content if hashlib.sha256(content).digest() == digest else None


def keep(name: str, content: bytes, kept: int) -> None:
    """Write a file to the cache; where that is not possible, the next process does the work again.

    Args:
        name: the name of the file: what it is, a hyphen, and a digest of what it was made of.
        content: its content.
        kept: how many files of the same kind stay, those written last.
    """
    with contextlib.suppress(OSError, TargetError):
        if (folder := made_cache_folder()) is not None:
            write_atomic(folder / name, hashlib.sha256(content).digest() + content)
            kind, suffix = name.rpartition("-")[0], Path(name).suffix
            files = sorted(folder.glob(f"{kind}-*{suffix}"), key=lambda path: path.stat().st_mtime)
            for path in files[:-kept]:
                path.unlink()
