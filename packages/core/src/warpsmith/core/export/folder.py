"""The output folder of an export: it appears when it is complete, and an existing complete export is found again."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

import filelock

from warpsmith.core.datasets import storage
from warpsmith.core.errors import TargetError, WarpsmithError
from warpsmith.core.export.manifest import ExportArguments, ExportManifest

_LOCK = ".lock"


@contextlib.contextmanager
def appearing(output: Path) -> Iterator[Path]:
    """Yield a folder to fill; it becomes ``output`` at the end, and is removed after an error.

    Raises:
        TargetError: if the folder cannot be written, or another run is filling it.
    """
    work = output.parent / f".{output.name}.work"
    storage.check_new_folder(work)
    try:
        work.mkdir(parents=True, exist_ok=True)
        with filelock.FileLock(work / _LOCK, timeout=0):
            for leftover in work.iterdir():  # of a run that was killed
                if leftover.name != _LOCK:
                    leftover.unlink()
            try:
                yield work
                (work / _LOCK).unlink()
                work.replace(output)
            except BaseException:
                shutil.rmtree(work)
                raise
    except filelock.Timeout:
        raise TargetError(f"another run is at work on {output}; wait for it, or choose another --output") from None
    except OSError as error:
        raise storage.cannot_write(output, error) from error


def finished_export(output: Path, arguments: ExportArguments) -> ExportManifest | None:
    """Return the manifest of a complete export with these arguments, or None if the folder is absent or empty.

    Raises:
        TargetError: if the folder contains anything else.
        WarpsmithError: if it contains an export with other arguments.
    """
    storage.check_new_folder(output)
    if not storage.names(output):
        return None
    manifest = ExportManifest.read(output)
    if differing := manifest.arguments.differences(arguments):
        raise WarpsmithError(
            f"{output} holds another export, whose {', '.join(differing)} differ: choose another --output, or delete it"
        )
    manifest.check_files(output)
    return manifest
