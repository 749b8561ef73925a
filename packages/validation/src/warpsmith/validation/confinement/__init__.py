"""Confinement of a process before it reads content of a dataset: direct Landlock and seccomp system calls, and limits.

A process confines itself, permanently and without privileges, on Linux on x86_64 and aarch64. Where the kernel lacks support,
the functions return False and the other measures remain. Two types of process are confined: the worker that checks pairs, by
`confine_worker`, and its forks that run machine code, by the function that `prepare_runner` returns.

    system_call_numbers.py   system calls by name
    landlock.py              access to files
    readable_files.py        the files that a worker may read
    system_calls.py          seccomp: allowed system calls
    process_limits.py        memory, time, files, processes
    machine_problems.py      errors that the machine causes
    measures.py              the measures that hold
"""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from warpsmith.validation.confinement.landlock import (
    confine_files,
    forbid_files,
    forbidding_files,
    forbidding_writes,
    landlock_version,
)
from warpsmith.validation.confinement.measures import Confinement
from warpsmith.validation.confinement.process_limits import (
    WORKER_FILE_SIZE,
    WORKER_MEMORY,
    WORKER_OPEN_FILES,
    Limit,
    compiler_limits,
    keep_memory_report,
    limit_processes,
    limit_worker,
    loader_limits,
    runner_limits,
)
from warpsmith.validation.confinement.readable_files import readable_files
from warpsmith.validation.confinement.system_call_numbers import call, dying_with_parent, prepared, renouncing_privileges
from warpsmith.validation.confinement.system_calls import (
    CHECKING,
    DRIVING,
    LOADING,
    RUNNING,
    Calls,
    filter_calls,
    filtering_calls,
)

__all__ = [
    "CHECKING",
    "DRIVING",
    "RUNNING",
    "WORKER_MEMORY",
    "Calls",
    "Confinement",
    "confine_files",
    "confine_worker",
    "filter_calls",
    "forbid_files",
    "landlock_version",
    "prepare_compiler",
    "prepare_loader",
    "prepare_runner",
]

_LAST_DESCRIPTOR = (1 << 31) - 1


def confine_worker(scratch: Path, memory: int, reading: bool = False) -> Confinement:
    """Give up, in this process, all access that checks do not need, and move into ``scratch``.

    Args:
        scratch: the only folder that the process may write to.
        memory: bytes of address space, or 0 for no limit.
        reading: whether the process may read all files of its user; otherwise only `readable_files.readable_files`.

    Returns:
        The measures that hold; the system may lack support for others.
    """
    os.chdir(scratch)
    keep_memory_report()
    confined = confine_files([scratch, Path(os.devnull)], None if reading else readable_files())
    limit_worker(memory)
    dying_with_parent()()
    renouncing_privileges()()
    root = os.getuid() == 0  # the kernel does not limit the processes of root
    alone = _leave_network()  # where the kernel refuses, the other measures remain
    processes = limit_processes() if alone and not root else 0
    filtered = filter_calls(CHECKING)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the client handles Ctrl-C
    return Confinement(
        landlock=landlock_version() if confined else 0,
        seccomp=filtered,
        network=not (filtered or alone),
        reading=reading or not confined,
        memory=memory,
        file_size=WORKER_FILE_SIZE,
        open_files=WORKER_OPEN_FILES,
        processes=processes,
    )


def _leave_network() -> bool:
    """Move this process into an empty network and return whether the kernel permits it."""
    new_user, new_network = 0x10000000, 0x40000000
    return call("unshare", new_user | new_network) == 0


def prepare_runner(seconds: float, memory: int, keep: Iterable[int]) -> Callable[[], bool]:
    """Return the first call of a fork of this process: it gives up all access but its memory, processor time and ``keep``.

    The machine code that the fork runs can write anything to these descriptors, so that their reader must not trust them.

    Args:
        seconds: the limit of processor time, see `runner_limits`.
        memory: bytes of address space on top of what is mapped now.
        keep: descriptors that stay open; all others are closed.

    Returns:
        A function that returns whether the kernel took away both files and system calls. It is prepared in the parent because a
        fork pays for each page of Python that it touches: a millisecond in all without preparation.
    """
    return _prepare(forbidding_files(), RUNNING, runner_limits(seconds, memory), keep)


def prepare_loader(seconds: float, memory: int, keep: Iterable[int]) -> Callable[[], bool]:
    """Return the first call of a fork that loads Python: it may read files, but neither write any nor start processes.

    The arguments and the result are those of `prepare_runner`.
    """
    return _prepare(forbidding_writes(), LOADING, loader_limits(seconds, memory), keep)


def prepare_compiler(seconds: float, memory: int, keep: Iterable[int]) -> Callable[[], bool]:
    """Return the first call of a fork that compiles: it keeps the access of this process, and its time and memory are limited.

    The arguments and the result are those of `prepare_runner`. NVRTC writes a file where it reads precompiled headers.
    """
    return _prepare(lambda: 0, LOADING, compiler_limits(seconds, memory), keep)


def _prepare(forbid: Callable[[], int], calls: Calls, limits: Sequence[Limit], keep: Iterable[int]) -> Callable[[], bool]:
    die_with_parent, renounce_privileges = dying_with_parent(), renouncing_privileges()
    keep_to_calls = filtering_calls(calls)
    gaps = [(prepared("close_range", first, last, 0), first, last) for first, last in _gaps(sorted(set(keep)))]

    def confine() -> bool:
        die_with_parent()
        renounce_privileges()
        without_files = forbid() == 0
        for close, first, last in gaps:
            if close() < 0:  # before Linux 5.9, and elsewhere
                os.closerange(first, min(last, os.sysconf("SC_OPEN_MAX")) + 1)
        for kind, limit in limits:
            resource.setrlimit(kind, limit)
        return keep_to_calls() == 0 and without_files

    return confine


def _gaps(numbers: list[int]) -> list[tuple[int, int]]:
    """Return the ranges of descriptors, first and last, that ``numbers`` do not contain."""
    ends = zip([0, *(number + 1 for number in numbers)], [*(number - 1 for number in numbers), _LAST_DESCRIPTOR])
    return [(first, last) for first, last in ends if first <= last]
