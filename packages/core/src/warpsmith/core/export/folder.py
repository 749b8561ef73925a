"""A folder that is whole or not there, and what an earlier run left in it."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import filelock
import orjson

from warpsmith.core.datasets.manifest import file_digest
from warpsmith.core.errors import TargetError, WarpsmithError

MANIFEST = "export.json"
_LOCK = ".lock"


@contextlib.contextmanager
def appearing(output: Path) -> Iterator[Path]:
    """Yield a folder to fill that becomes ``output`` at the end, and disappears if there is an error.

    Raises:
        TargetError: if it cannot be written, or another run fills it.
    """
    work = output.parent / f".{output.name}.work"
    try:
        work.mkdir(parents=True, exist_ok=True)
        with filelock.FileLock(work / _LOCK, timeout=0):
            for left in work.iterdir():  # by a run that was killed
                if left.name != _LOCK:
                    left.unlink()
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
        raise TargetError(f"cannot write {output}: {error.strerror}; free space or choose another --output") from error


def done_before(output: Path, arguments: dict[str, Any]) -> dict[str, Any] | None:
    """Return the manifest of a complete export with these arguments, or None where there is no folder or an empty one.

    Raises:
        TargetError: if there is anything else.
    """
    if output.exists() and not output.is_dir():
        raise TargetError(f"{output} is a file: choose another --output")
    if not output.exists() or not any(output.iterdir()):
        return None
    manifest = _read(output / MANIFEST)
    there = manifest["arguments"]
    if differing := sorted(name for name in {*there, *arguments} if there.get(name) != arguments.get(name)):
        raise WarpsmithError(
            f"{output} holds another export, whose {', '.join(differing)} differ: choose another --output, or delete it"
        )
    for entry in manifest["files"]:
        path = output / entry["file"]
        if not path.is_file() or file_digest(path) != entry["sha256"]:
            raise TargetError(f"{path} is missing or not the file that was written: delete {output} and run this again")
    return manifest


def _read(path: Path) -> dict[str, Any]:
    try:
        manifest = orjson.loads(path.read_bytes())
        if isinstance(manifest["arguments"], dict) and all({"file", "sha256"} <= entry.keys() for entry in manifest["files"]):
            return dict(manifest)
    except FileNotFoundError:
        raise TargetError(f"{path.parent} is not empty and holds no export: choose another --output, or empty it") from None
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        pass
    raise TargetError(f"{path} is damaged: choose another --output, or delete {path.parent}")
