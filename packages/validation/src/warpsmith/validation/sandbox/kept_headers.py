"""Compiled files that later runs find in the user's cache directory: precompiled headers, and objects of the SIMT machine.

The name of their folder is a digest of what they depend on, such as the files of Warp's headers, of its compiler and of
`compiling`, which contains the options, and the machine. A folder that somebody else could write to is not used, and neither
are files that differ from the digest beside them.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import os
import platform
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from warpsmith.core.files.user_cache import cache_folder, is_private

KEPT = 4
"""How many folders of a kind stay, those used last: other versions of Warp or warpsmith have others."""

_UNFINISHED = "unfinished-"

_DIGEST = "digest"
"""The file with the digest of the files beside it."""


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of files.

    Attributes:
        prefix: the start of the names of their folders.
        pattern: a pattern of their names.
        sources: yields the files that they depend on.
    """

    prefix: str
    pattern: str
    sources: Callable[[], Iterator[Path]]


def _sources() -> Iterator[Path]:
    """Yield the files that the result of precompiling depends on."""
    compiling = Path(__file__).parents[1] / "compiling"
    yield from sorted(path for path in compiling.rglob("*") if path.is_file() and path.suffix != ".pyc")
    yield from _package_files("warp", "native", "bin")


def _machine_sources() -> Iterator[Path]:
    """Yield the files that the objects of the SIMT machine depend on."""
    yield from _package_files("warpsmith.simt", "lowering", "machine", "operations")
    yield from _package_files("warp", "bin")


def _package_files(package: str, *folders: str) -> Iterator[Path]:
    """Yield the files in some folders of a package, which this process does not load."""
    spec = importlib.util.find_spec(package)
    for location in spec.submodule_search_locations or () if spec is not None else ():
        files = (path for name in folders for path in Path(location, name).rglob("*"))
        yield from sorted(path for path in files if path.is_file() and path.suffix != ".pyc")


HEADERS = FileKind("headers-", "*.pch", _sources)
"""Precompiled headers of Warp."""

MACHINE = FileKind("machine-", "*.o", _machine_sources)
"""Objects of the SIMT machine."""


def copy_to(target: Path, kind: FileKind = HEADERS) -> list[Path]:
    """Copy the files of an earlier run and return the copies; empty if there are none.

    Files without their digest are removed.
    """
    folder = _folder(kind)
    if folder is None or not folder.exists():
        return []
    copies: list[Path] = []
    with contextlib.suppress(OSError):
        os.utime(folder)
        copies += (Path(shutil.copy(header, target)) for header in sorted(folder.glob(kind.pattern)))
        # The digest is that of the copies: the originals may change.
        if copies and (folder / _DIGEST).read_bytes() == _digest(copies, kind).encode():
            return copies
    for copied in copies:
        copied.unlink()
    discard(kind)
    return []


def keep(files: Sequence[Path], kind: FileKind = HEADERS) -> None:
    """Copy files to where later runs find them. A directory that cannot be written is no error: the next run compiles."""
    with contextlib.suppress(OSError):
        parent = cache_folder()
        if parent is None:
            return
        parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not is_private(parent):
            return
        unfinished = Path(tempfile.mkdtemp(prefix=_UNFINISHED, dir=parent))
        try:
            for file in files:
                shutil.copy(file, unfinished)
            (unfinished / _DIGEST).write_text(_digest([unfinished / file.name for file in files], kind))
            unfinished.rename(parent / _name(kind))  # fails if another run was faster
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
        _remove_old(parent, kind)


def discard(kind: FileKind = HEADERS) -> None:
    """Remove the files that `copy_to` copies."""
    if (folder := _folder(kind)) is not None:
        shutil.rmtree(folder, ignore_errors=True)


def _digest(files: Sequence[Path], kind: FileKind) -> str:
    digest = hashlib.sha256(_name(kind).encode())
    for file in sorted(files, key=lambda path: path.name):
        content = hashlib.sha256(file.read_bytes())
        digest.update(f"{file.name} {content.hexdigest()}\n".encode())
    return digest.hexdigest()


def _remove_old(parent: Path, kind: FileKind) -> None:
    folders = sorted(parent.glob(f"{kind.prefix}*"), key=lambda folder: folder.stat().st_mtime, reverse=True)
    for folder in folders[KEPT:]:
        shutil.rmtree(folder, ignore_errors=True)


def _folder(kind: FileKind) -> Path | None:
    parent = cache_folder()
    return parent / _name(kind) if parent is not None and is_private(parent) else None


@cache
def _name(kind: FileKind = HEADERS) -> str:
    digest = hashlib.sha256(f"{platform.node()} {platform.machine()} {platform.release()}".encode())
    for path in kind.sources():
        state = path.stat()
        digest.update(f"{path} {state.st_size} {state.st_mtime_ns}\n".encode())
    return f"{kind.prefix}{digest.hexdigest()[:32]}"
