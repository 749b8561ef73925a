"""New folders that appear when they are complete."""

from __future__ import annotations

import contextlib
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import filelock

from warpsmith.core.errors import TargetError
from warpsmith.core.files import storage

_LOCK = ".lock"


@contextlib.contextmanager
def appearing(output: Path) -> Iterator[Path]:
    """Yield a folder to fill; it becomes ``output`` at the end, and is removed after an error.

    What a killed run left is removed. An object store has no rename: there, ``output`` itself is filled, and emptied after an
    error.

    Raises:
        TargetError: if the folder cannot be written, or another run is filling it.
    """
    if not storage.is_local(output):
        with _emptied_after_errors(output):
            yield output
        return
    with _locked(output.parent / f".{output.name}.work", output) as work:
        yield work
        (work / _LOCK).unlink()
        work.replace(output)


@contextlib.contextmanager
def scratch(output: Path) -> Iterator[Path]:
    """Yield an empty local folder for temporary files, beside ``output`` where that is local; it is removed at the end.

    What a killed run left is removed.

    Raises:
        TargetError: if the folder cannot be written, or another run is using it.
    """
    if not storage.is_local(output):
        with tempfile.TemporaryDirectory() as folder:
            yield Path(folder)
        return
    with _locked(output.parent / f".{output.name}.scratch", output) as work:
        yield work
        shutil.rmtree(work)


@contextlib.contextmanager
def _locked(work: Path, output: Path) -> Iterator[Path]:
    """Yield an empty folder that no other run uses; it is removed after an error."""
    storage.check_new_folder(work)
    try:
        work.mkdir(parents=True, exist_ok=True)
        with filelock.FileLock(work / _LOCK, timeout=0):
            for leftover in work.iterdir():  # of a run that was killed
                if leftover.name != _LOCK:
                    leftover.unlink()
            try:
                yield work
            except BaseException:
                shutil.rmtree(work)
                raise
    except filelock.Timeout:
        raise TargetError(f"another run is at work on {output}; wait for it, or choose another --output") from None
    except OSError as error:
        raise storage.cannot_write(output, error) from error


@contextlib.contextmanager
def _emptied_after_errors(output: Path) -> Iterator[None]:
    try:
        yield
    except BaseException:
        for name in storage.names(output):
            with contextlib.suppress(OSError):
                (output / name).unlink()
        raise
