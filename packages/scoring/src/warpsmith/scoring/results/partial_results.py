"""Results that a run has written: the same command continues with those of an interrupted run, and repeats no finished one."""

from __future__ import annotations

import contextlib
import fcntl
import glob
import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from types import MappingProxyType
from typing import IO

import msgspec
import orjson

from warpsmith.core.datasets.manifest import file_digest
from warpsmith.core.errors import TargetError
from warpsmith.core.files import storage
from warpsmith.core.files.atomic import replacing, write_atomic
from warpsmith.scoring.tasks.json_rows import loads_any_text


@dataclass(frozen=True, slots=True)
class StoredSpeed:
    """The speed of an answer: the time of the reference as a multiple of its time."""

    ratio: float


@dataclass(frozen=True, slots=True)
class StoredResult:
    """The fields of a row of results that the table of scores needs; `Score` has them, too.

    Attributes:
        passed: whether the answer is right.
        reward: from 0 to 1.
        status: the status of the score.
        speed: the estimated speed; ``device_speed`` is the measured one.
    """

    passed: bool
    reward: float
    status: str
    speed: StoredSpeed | None = None
    device_speed: StoredSpeed | None = None


def run_key(inputs: Sequence[Path], seed: int | None, settings: Mapping[str, object] = MappingProxyType({})) -> str:
    """Return digits that differ between runs whose results may not be mixed: of other files, seeds, settings or releases.

    Raises:
        TargetError: if a file cannot be read.
    """
    parts = (
        *map(file_digest, inputs),
        str(seed),
        version("warpsmith-scoring"),
        *(f"{name}={value}" for name, value in settings.items()),
    )
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def finished(output: Path, key: str, force: bool = False) -> list[StoredResult] | None:
    """Return the results that a finished run has written, or None if there is no file of results.

    Args:
        output: the file of all results.
        key: identifies the run.
        force: whether to treat existing results as missing.

    Raises:
        TargetError: if the file contains anything but the results of this run.
    """
    storage.check_replaceable(output)
    if force or not output.exists():
        return None
    stated = storage.read_file(_mark(output, key), _MARK_BYTES) if storage.is_local(output) else None
    if stated is None or stated.decode(errors="replace") != file_digest(output):
        raise TargetError(f"{output} exists and is not the result of this command: --force replaces it, -o names another file")
    with storage.reading(output) as file:
        return [msgspec.convert(loads_any_text(line), StoredResult) for line in file]


_MARK_BYTES = 64
"""The length of a SHA-256 in hexadecimal digits."""


def _mark(output: Path, key: str) -> Path:
    """Return the file that contains the SHA-256 of the results of a finished run."""
    return output.with_name(f".{output.name}.{key}.done")


@contextlib.contextmanager
def continued(output: Path, key: str) -> Iterator[tuple[list[StoredResult], IO[bytes]]]:
    """Yield the results that an interrupted run has written, and a file to append the remaining rows to.

    The file becomes ``output`` at the end. An object store has no partial files: there, every run starts anew.

    Args:
        output: the file of all results.
        key: identifies the run; partial results of other runs are removed.

    Raises:
        TargetError: if the file cannot be written, or another run writes it.
    """
    if not storage.is_local(output):
        with replacing(output) as file:
            yield [], file
        return
    storage.check_replaceable(output)
    storage.make_folder(output.parent)
    partial = output.with_name(f".{output.name}.{key}.partial")
    try:
        for ending in ("partial", "done"):
            for other in output.parent.glob(f".{glob.escape(output.name)}.*.{ending}"):
                if other != partial:
                    other.unlink()
        with partial.open("a+b") as file:
            _lock(file, output)
            yield _complete_results(file), file
            file.flush()
            os.fsync(file.fileno())
        write_atomic(_mark(output, key), file_digest(partial).encode())
        partial.replace(output)
    except OSError as error:
        raise storage.cannot_write(output, error) from error
    finally:
        with contextlib.suppress(OSError):
            if partial.stat().st_size == 0:
                partial.unlink()


def _lock(file: IO[bytes], output: Path) -> None:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise TargetError(f"another run writes {output}: wait for it, or choose another file") from None


def _complete_results(file: IO[bytes]) -> list[StoredResult]:
    """Return the results of a file; from the first line that is incomplete, the file is cut."""
    file.seek(0)
    results: list[StoredResult] = []
    end = 0
    for line in file:
        try:
            result = msgspec.convert(loads_any_text(line), StoredResult)
        except (orjson.JSONDecodeError, msgspec.ValidationError):
            break
        if not line.endswith(b"\n"):
            break
        results.append(result)
        end += len(line)
    file.truncate(end)
    return results
