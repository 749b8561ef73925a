"""Precompiled headers that later runs find in the user's cache directory.

The name of their folder is a digest of what they depend on: the files of Warp's headers, of its compiler and of `compiling`,
which contains the options, and the machine. A folder that somebody else could write to is not used, and neither are headers
that differ from the digest beside them.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import platform
import shutil
import stat
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

VARIABLE = "WARPSMITH_CACHE"
"""The environment variable that names another cache directory; empty for none."""

KEPT = 4
"""How many folders stay, those used last: other versions of Warp or warpsmith have others."""

_PREFIX, _UNFINISHED = "headers-", "unfinished-"

_DIGEST = "digest"
"""The file with the digest of the headers beside it."""


def copy_to(target: Path) -> list[Path]:
    """Copy the precompiled headers of an earlier run and return the copies; empty if there are none.

    Headers without their digest are removed.
    """
    folder = _folder()
    if folder is None or not folder.exists():
        return []
    copies: list[Path] = []
    with contextlib.suppress(OSError):
        os.utime(folder)
        copies += (Path(shutil.copy(header, target)) for header in sorted(folder.glob("*.pch")))
        if copies and (folder / _DIGEST).read_bytes() == _digest(copies).encode():  # of the copies: the originals may change
            return copies
    for copied in copies:
        copied.unlink()
    discard()
    return []


def keep(headers: Sequence[Path]) -> None:
    """Copy headers to where later runs find them. A directory that cannot be written is no error: the next run precompiles."""
    with contextlib.suppress(OSError):
        parent = _parent()
        if parent is None:
            return
        parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not _is_private(parent):
            return
        unfinished = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=parent))
        try:
            for header in headers:
                shutil.copy(header, unfinished)
            (unfinished / _DIGEST).write_text(_digest([unfinished / header.name for header in headers]))
            unfinished.rename(parent / _name())  # fails if another run was faster
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
        _remove_old(parent)


def discard() -> None:
    """Remove the headers that `copy_to` copies."""
    if (folder := _folder()) is not None:
        shutil.rmtree(folder, ignore_errors=True)


def _digest(headers: Sequence[Path]) -> str:
    digest = hashlib.sha256(_name().encode())
    for header in sorted(headers, key=lambda path: path.name):
        content = hashlib.sha256(header.read_bytes())
        digest.update(f"{header.name} {content.hexdigest()}\n".encode())
    return digest.hexdigest()


def _remove_old(parent: Path) -> None:
    folders = sorted(parent.glob(f"{_PREFIX}*"), key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in folders[KEPT:]:
        shutil.rmtree(folder, ignore_errors=True)


def _folder() -> Path | None:
    parent = _parent()
    return parent / _name() if parent is not None and _is_private(parent) else None


def _parent() -> Path | None:
    if (named := os.environ.get(VARIABLE)) is not None:
        return Path(named).absolute() if named else None
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "warpsmith"


def _is_private(folder: Path) -> bool:
    try:
        state = folder.stat()
    except OSError:
        return False
    return state.st_uid == os.getuid() and not state.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


@cache
def _name() -> str:
    digest = hashlib.sha256(f"{platform.node()} {platform.machine()} {platform.release()}".encode())
    for path in _sources():
        state = path.stat()
        digest.update(f"{path} {state.st_size} {state.st_mtime_ns}\n".encode())
    return f"{_PREFIX}{digest.hexdigest()[:32]}"


def _sources() -> Iterator[Path]:
    """Yield the files that the result of precompiling depends on."""
    compiling = Path(__file__).parents[1] / "compiling"
    yield from sorted(path for path in compiling.rglob("*") if path.is_file() and path.suffix != ".pyc")
    warp = importlib.util.find_spec("warp")  # this process does not load Warp
    for folder in warp.submodule_search_locations or () if warp is not None else ():
        yield from sorted(path for name in ("native", "bin") for path in Path(folder, name).rglob("*") if path.is_file())
