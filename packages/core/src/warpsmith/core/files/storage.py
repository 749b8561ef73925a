"""Where datasets are stored: a local or shared folder, or a folder in an object store.

A path in an object store is a `UPath` of universal-pathlib, which has the interface of `Path` and can be pickled. This module
contains the operations that differ: atomic writes, creating and removing folders. The extra `remote` provides the library; each
store also needs its own fsspec driver.

Local files are read and replaced only if they are regular files: opening a FIFO or a device may block or have effects.
"""

from __future__ import annotations

import contextlib
import errno
import io
import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, cast

from warpsmith.core.errors import TargetError, WarpsmithError, describe
from warpsmith.core.extras import REMOTE


def open_path(text: str) -> Path:
    """Return the folder or file that ``text`` names: a path, or an address such as ``"s3://bucket/data"``.

    Raises:
        WarpsmithError: if a library for this kind of store is not installed.
        TargetError: if the store cannot be reached.

    Examples:
        >>> open_path("data/both").name
        'both'
    """
    if "://" not in text:
        return Path(text)
    upath = REMOTE.load("upath")
    try:
        path = upath.UPath(text, use_listings_cache=False)  # other processes write there too
        path.exists()
    except (ImportError, ValueError) as error:
        raise WarpsmithError(f"no library for {text}: {describe(error)}") from error
    except Exception as error:  # each store has its own errors
        raise TargetError(f"cannot reach {text}: {describe(error)}; check the address and the credentials") from error
    return cast("Path", path)


def is_local(path: Path) -> bool:
    """Return whether ``path`` belongs to the operating system, where files can be renamed and locked."""
    return isinstance(cast("Any", path), Path)


_OBJECT_BUFFER = 1 << 20
"""The bytes of an object that are read at once; drivers keep larger blocks."""

_OTHER_TYPES = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a FIFO",
    stat.S_IFSOCK: "a socket",
    stat.S_IFBLK: "a device",
    stat.S_IFCHR: "a device",
    stat.S_IFLNK: "a link",
}


@contextlib.contextmanager
def reading(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for reading; errors while it is read count, too.

    Raises:
        TargetError: if it is missing, no regular file, or cannot be read.
    """
    try:
        with _open_regular(path) if is_local(path) else _open_object(path) as file:
            yield file
    except OSError as error:
        raise TargetError(f"cannot read {path}: {error.strerror or describe(error)}") from error


def _open_regular(path: Path) -> IO[bytes]:
    check_regular(path)
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)  # does not wait if it has become a FIFO
    return os.fdopen(descriptor, "rb")


def _open_object(path: Path) -> IO[bytes]:
    raw: Any = path.open("rb")
    return io.BufferedReader(raw, _OBJECT_BUFFER)  # files of fsspec read no lines up to a length


def check_regular(path: Path) -> None:
    """Check without opening it that a local file is a regular file, or a link to one.

    Raises:
        TargetError: if it is anything else.
        OSError: if it cannot be examined.
    """
    _check_mode(path, path.stat().st_mode)


def _check_mode(path: Path, mode: int) -> None:
    if not stat.S_ISREG(mode):
        raise TargetError(f"{path} is {_OTHER_TYPES.get(stat.S_IFMT(mode), 'no regular file')}, not a file")


def read_file(path: Path, limit: int) -> bytes | None:
    """Return the content of a file, or None if there is none.

    Raises:
        TargetError: if it is no regular file, cannot be read, or has more than ``limit`` bytes.
    """
    try:
        if not path.exists():
            return None
    except OSError as error:
        raise TargetError(f"cannot read {path}: {error.strerror or describe(error)}") from error
    with reading(path) as file:
        content = file.read(limit + 1)
    if len(content) > limit:
        raise TargetError(f"{path} has more than {limit:,} bytes")
    return content


_NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def cannot_write(path: Path, error: OSError) -> TargetError:
    """Return the error of a file or folder that cannot be written, with a solution that fits its reason."""
    solution = "free space or choose another folder" if error.errno in _NO_SPACE else "choose another folder"
    return TargetError(f"cannot write {path}: {error.strerror}; {solution}")


def is_read_only(folder: Path) -> bool:
    """Return whether files cannot be written to an existing local folder."""
    return is_local(folder) and folder.is_dir() and not os.access(folder, os.W_OK)


def check_replaceable(path: Path) -> None:
    """Check that a file can be written at a path: there is none, or a regular one, and its folder is writable.

    Raises:
        TargetError: if there is anything else, links included.
    """
    if not is_local(path):
        return
    try:
        with contextlib.suppress(FileNotFoundError):
            _check_mode(path, path.lstat().st_mode)
    except OSError as error:
        raise cannot_write(path, error) from error
    if is_read_only(path.parent):
        raise TargetError(f"cannot write {path}: {path.parent} is read-only; choose another folder")


def check_new_folder(folder: Path) -> None:
    """Check that a folder can be made at a path: there is nothing, or a folder, which may have content.

    Raises:
        TargetError: if there is anything else, or the path cannot be examined.
    """
    if not is_local(folder):
        return
    try:
        mode = folder.lstat().st_mode
    except FileNotFoundError:
        return
    except OSError as error:
        raise cannot_write(folder, error) from error
    if not stat.S_ISDIR(mode):
        raise TargetError(f"{folder} is {_OTHER_TYPES.get(stat.S_IFMT(mode), 'a file')}: choose another folder")


def put(path: Path, content: bytes) -> None:
    """Write an object of a store, which appears complete or not at all.

    Raises:
        TargetError: if the store rejects it.
    """
    try:
        path.write_bytes(content)
    except Exception as error:  # each store has its own errors
        raise TargetError(f"cannot write {path}: {describe(error)}; the same command continues") from error


def make_folder(folder: Path) -> None:
    """Create a folder and its parents; a store has no folders to create.

    Raises:
        TargetError: if it cannot be created.
    """
    if not is_local(folder):
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(folder, error) from error


def names(folder: Path) -> set[str]:
    """Return the names of all entries of a folder by one listing; empty if the folder does not exist.

    Raises:
        TargetError: if the folder cannot be listed.
    """
    try:
        return {path.name for path in folder.iterdir()}
    except (FileNotFoundError, NotADirectoryError):  # universal-pathlib raises the latter for an empty folder
        if folder.exists():
            raise
        return set()
    except OSError as error:
        raise TargetError(f"cannot read {folder}: {error.strerror or describe(error)}") from error


def remove_folder(folder: Path) -> None:
    """Remove a folder with its content."""
    if is_local(folder):
        shutil.rmtree(folder)
    elif folder.exists():
        cast("Any", folder).fs.rm(cast("Any", folder).path, recursive=True)
