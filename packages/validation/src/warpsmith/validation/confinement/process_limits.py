"""Limits on the memory, processor time and files of a worker and of a forked runner."""

from __future__ import annotations

import contextlib
import math
import os
import resource

Limit = tuple[int, tuple[int, int]]
"""The arguments of ``resource.setrlimit``: the resource, and its soft and hard limit."""

WORKER_MEMORY = 8 << 30
"""Bytes of address space of a worker; compilers reserve much more than they use."""

WORKER_FILE_SIZE = 256 << 20
"""The largest file that a worker may write, in bytes."""

WORKER_OPEN_FILES = 256
"""How many files a worker may have open."""

WORKER_PROCESSES = 128
"""How many processes and threads a worker and its forks may be."""

_STATM = "/proc/self/statm"
_MAPS = "/proc/self/maps"
_reports: dict[str, int] = {}
"""Descriptors of the files that report this process's memory, opened before the process may open them no longer."""

LOADER_OPEN_FILES = 32
"""How many files a fork that loads Python may have open."""


def limit_worker(memory: int) -> None:
    """Limit this process to ``memory`` bytes of address space, 0 for no limit, and set the limits of files and core dumps."""
    for kind, value in (
        *([(resource.RLIMIT_AS, memory)] if memory else []),
        (resource.RLIMIT_FSIZE, WORKER_FILE_SIZE),
        (resource.RLIMIT_NOFILE, WORKER_OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        limit(kind, value)


def limit(kind: int, value: int) -> int:
    """Set the soft and the hard limit of a resource to ``value``, or to the current hard limit if that is lower; return it."""
    least, _ = _lower(kind, value, value)
    resource.setrlimit(kind, (least, least))
    return least


def keep_memory_report() -> None:
    """Keep access to the reports of this process's memory, which are read after the process has lost other files."""
    for path in (_STATM, _MAPS):
        with contextlib.suppress(OSError):
            _reports[path] = os.open(path, os.O_RDONLY | os.O_CLOEXEC)


def memory_maps() -> str:
    """Return the report of this process's mappings, as ``/proc/self/maps`` has it."""
    return _read(_MAPS).decode()


def limit_processes() -> int:
    """Limit the processes in the user namespace that this process has just made, and return the limit."""
    return limit(resource.RLIMIT_NPROC, WORKER_PROCESSES)


def runner_limits(seconds: float, memory: int) -> list[Limit]:
    """Return limits for a fork of this process in its current state.

    A process that exceeds its time dies of SIGXCPU, or a second later of SIGKILL. A process that waits uses no processor time;
    its parent limits the wall time. Python ignores SIGXFSZ: writing to a file, even one in memory, fails with EFBIG. Results go
    to a pipe or to shared memory.

    Args:
        seconds: processor time, rounded up to whole seconds.
        memory: bytes of address space in addition to the mapped ones: a process that has loaded compilers is large.
    """
    return _limits(seconds, memory, files=0)


def loader_limits(seconds: float, memory: int) -> list[Limit]:
    """Return limits for a fork that loads Python, which may read files; otherwise the same as `runner_limits`."""
    return _limits(seconds, memory, files=LOADER_OPEN_FILES)


def compiler_limits(seconds: float, memory: int) -> list[Limit]:
    """Return limits for a fork that compiles, which may write the files that this process may write."""
    return _limits(seconds, memory, files=LOADER_OPEN_FILES, file_size=WORKER_FILE_SIZE)


def _limits(seconds: float, memory: int, files: int, file_size: int = 0) -> list[Limit]:
    time = max(math.ceil(seconds), 1)
    mapped = _mapped()
    limits = [
        (resource.RLIMIT_CPU, time, time + 1),
        *([(resource.RLIMIT_AS, mapped + memory, mapped + memory)] if mapped else []),
        (resource.RLIMIT_NOFILE, files, files),
        (resource.RLIMIT_FSIZE, file_size, file_size),
        *((kind, 0, 0) for kind in (resource.RLIMIT_CORE, resource.RLIMIT_NPROC)),
    ]
    return [(kind, _lower(kind, soft, hard)) for kind, soft, hard in limits]


def _mapped() -> int | None:
    """Return the bytes of address space in use, or None if the system does not report them."""
    try:
        content = _read(_STATM)
    except OSError:
        return None
    pages = content.split()[0]
    return int(pages) * resource.getpagesize()


def _read(path: str) -> bytes:
    """Return the content of a report."""
    if path not in _reports:
        with open(path, "rb") as file:  # noqa: PTH123 - Path costs a runner's parent more
            return file.read()
    parts: list[bytes] = []
    while part := os.pread(_reports[path], 1 << 16, sum(map(len, parts))):
        parts.append(part)
    return b"".join(parts)


def _lower(kind: int, soft: int, hard: int) -> tuple[int, int]:
    """Return the requested limit, or the current hard limit if it is lower."""
    current = resource.getrlimit(kind)[1]
    return (soft, hard) if current == resource.RLIM_INFINITY else (min(soft, current), min(hard, current))
