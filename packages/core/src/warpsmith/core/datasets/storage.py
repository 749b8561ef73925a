"""Where a dataset stands: a folder of this machine or a shared one, or a place in an object store.

A place in a store is a `UPath` of universal-pathlib, which does what warpsmith asks of a `Path` and travels to other machines.
What the two do differently stands here: how a file appears whole, what a folder is, how one is removed. The extra
``warpsmith-extraction[remote]`` brings the library; each store needs its own driver for fsspec beside it.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any, cast

from warpsmith.core.errors import TargetError, WarpsmithError, describe

MISSING = "a folder in an object store needs the extra: pip install 'warpsmith-extraction[remote]'"


def at(text: str) -> Path:
    """Return the folder or file that ``text`` names: a path, or an address such as ``"s3://bucket/data"``.

    Raises:
        WarpsmithError: if a library for this kind of store is not installed.
        TargetError: if the store cannot be reached.
    """
    if "://" not in text:
        return Path(text)
    try:
        from upath import UPath
    except ImportError:
        raise WarpsmithError(MISSING) from None
    try:
        place = UPath(text, use_listings_cache=False)  # other processes write there too
        place.exists()
    except (ImportError, ValueError) as error:
        raise WarpsmithError(f"no library for {text}: {describe(error)}") from error
    except Exception as error:  # each store has errors of its own
        raise TargetError(f"cannot reach {text}: {describe(error)}; check the address and the credentials") from error
    return cast("Path", place)


def is_local(path: Path) -> bool:
    """Whether ``path`` is one of the operating system, where files can be renamed and locked."""
    return isinstance(cast("Any", path), Path)


def put(path: Path, content: bytes) -> None:
    """Write an object of a store, which appears whole or not at all.

    Raises:
        TargetError: if the store refuses it.
    """
    try:
        path.write_bytes(content)
    except Exception as error:  # each store has errors of its own
        raise TargetError(f"cannot write {path}: {describe(error)}; the same command continues") from error


def make_folder(folder: Path) -> None:
    """Create a folder and those above it; a store has none to create."""
    if is_local(folder):
        folder.mkdir(parents=True, exist_ok=True)


def names(folder: Path) -> set[str]:
    """The names of what a folder holds, by one listing; none if it is not there."""
    try:
        return {path.name for path in folder.iterdir()}
    except (FileNotFoundError, NotADirectoryError):  # the latter is what universal-pathlib says of a place that holds nothing
        if folder.exists():
            raise
        return set()


def remove_folder(folder: Path) -> None:
    """Remove a folder with all that is in it."""
    if is_local(folder):
        shutil.rmtree(folder)
    elif folder.exists():
        cast("Any", folder).fs.rm(cast("Any", folder).path, recursive=True)
