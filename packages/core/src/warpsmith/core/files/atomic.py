"""Atomic writes: a file has all of its new content, or is unchanged."""

from __future__ import annotations

import contextlib
import fcntl
import io
import os
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from warpsmith.core.files import storage


def write_atomic(path: Path, content: bytes) -> None:
    """Write ``content`` such that ``path`` contains all of it or is unchanged, even if the machine stops.

    Raises:
        TargetError: if the disk is full, the folder cannot be written, or ``path`` is anything but a regular file.
    """
    with replacing(path) as file:
        file.write(content)


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """Yield a file to write; it becomes ``path`` at the end, and is removed after an error. See `write_atomic`.

    A missing folder is created.
    """
    if not storage.is_local(path):
        buffer = io.BytesIO()
        yield buffer
        storage.put(path, buffer.getvalue())
        return
    storage.check_replaceable(path)
    storage.make_folder(path.parent)
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}.tmp")  # unique among all machines that share the folder
    try:
        with temporary.open("xb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)  # see `leftovers`
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException as error:
        with contextlib.suppress(OSError):
            temporary.unlink()
        if isinstance(error, OSError):
            raise storage.cannot_write(path, error) from error
        raise
