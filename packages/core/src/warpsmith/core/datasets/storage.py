"""Where datasets are stored: a local or shared folder, or a folder in an object store.

A path in an object store is a `UPath` of universal-pathlib, which has the interface of `Path` and can be pickled. This module
contains the operations that differ: atomic writes, creating and removing folders. The extra `remote` provides the library; each
store also needs its own fsspec driver.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, cast

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
    """Create a folder and its parents; a store has no folders to create."""
    if is_local(folder):
        folder.mkdir(parents=True, exist_ok=True)


def names(folder: Path) -> set[str]:
    """Return the names of all entries of a folder by one listing; empty if the folder does not exist."""
    try:
        return {path.name for path in folder.iterdir()}
    except (FileNotFoundError, NotADirectoryError):  # universal-pathlib raises the latter for an empty folder
        if folder.exists():
            raise
        return set()


def remove_folder(folder: Path) -> None:
    """Remove a folder with its content."""
    if is_local(folder):
        shutil.rmtree(folder)
    elif folder.exists():
        cast("Any", folder).fs.rm(cast("Any", folder).path, recursive=True)
