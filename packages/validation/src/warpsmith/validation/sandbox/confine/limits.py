"""Limits on the memory, processor time and files of a worker and of a forked runner."""

from __future__ import annotations

import math
import resource
from pathlib import Path

Limit = tuple[int, tuple[int, int]]
"""The arguments of ``resource.setrlimit``: the resource, and its soft and hard limit."""

WORKER_MEMORY = 8 << 30
"""Bytes of address space of a worker; compilers reserve much more than they use."""

WORKER_FILE_SIZE = 256 << 20
"""The largest file that a worker may write, in bytes."""

WORKER_OPEN_FILES = 256
"""How many files a worker may have open."""


def limit_worker(memory: int) -> None:
    """Limit this process to ``memory`` bytes of address space, 0 for no limit, and set the limits of files and core dumps."""
    for kind, value in (
        *([(resource.RLIMIT_AS, memory)] if memory else []),
        (resource.RLIMIT_FSIZE, WORKER_FILE_SIZE),
        (resource.RLIMIT_NOFILE, WORKER_OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, _lower(kind, value, value))


def runner_limits(seconds: float, memory: int) -> list[Limit]:
    """Return limits for a fork of this process in its current state.

    A process that exceeds its time dies of SIGXCPU, or a second later of SIGKILL. A process that waits uses no processor time;
    its parent limits the wall time. Python ignores SIGXFSZ: writing to a file, even one in memory, fails with EFBIG. Results go
    to a pipe or to shared memory.

    Args:
        seconds: processor time, rounded up to whole seconds.
        memory: bytes of address space in addition to the mapped ones: a process that has loaded compilers is large.
    """
    time = max(math.ceil(seconds), 1)
    mapped = _mapped()
    limits = [
        (resource.RLIMIT_CPU, time, time + 1),
        *([(resource.RLIMIT_AS, mapped + memory, mapped + memory)] if mapped else []),
        *(
            (kind, 0, 0)
            for kind in (resource.RLIMIT_FSIZE, resource.RLIMIT_NOFILE, resource.RLIMIT_CORE, resource.RLIMIT_NPROC)
        ),
    ]
    return [(kind, _lower(kind, soft, hard)) for kind, soft, hard in limits]


def _mapped() -> int | None:
    """Return the bytes of address space in use, or None if the system does not report them."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[0]
    except OSError:
        return None
    return int(pages) * resource.getpagesize()


def _lower(kind: int, soft: int, hard: int) -> tuple[int, int]:
    """Return the requested limit, or the current hard limit if it is lower."""
    current = resource.getrlimit(kind)[1]
    return (soft, hard) if current == resource.RLIM_INFINITY else (min(soft, current), min(hard, current))
