"""Run machine code of pairs in a fork of this process that has given up all access but its memory.

The fork leaves results in shared memory; its progress and its exit status are all that it reports. One fork runs many pairs in
sequence. If it dies or hangs, its current pair fails, and another fork continues with the next pair. Pairs cannot access each
other's memory: their indices are checked, and pairs with native C++ run in a separate worker.
"""

from __future__ import annotations

import gc
import mmap
import os
import select
import signal
import struct
import time
from collections.abc import Callable, Sequence

from warpsmith.validation.sandbox.confine import prepare_runner

MEMORY = 1 << 30
"""Bytes of address space that launches may add to the mapped ones."""

LAUNCH_SECONDS = 10.0
"""The time limit for the launches of one pair at one level, which take some milliseconds."""

Job = Sequence[Callable[[], object]]
"""The launches of one pair."""

_COUNT = struct.Struct("=q")


def run_forked(jobs: Sequence[Job], seconds: float = LAUNCH_SECONDS) -> list[str | None]:
    """Run ``jobs`` in forks of this process and return the problem of each, or None.

    Args:
        jobs: calls of machine code that writes to shared memory.
        seconds: the time limit for one job.
    """
    problems: list[str | None] = []
    while len(problems) < len(jobs):
        done, problem = _run_until_death(jobs[len(problems) :], seconds)
        problems += [None] * done
        if problem is not None:
            problems.append(problem)
    return problems


def _run_until_death(jobs: Sequence[Job], seconds: float) -> tuple[int, str | None]:
    """Run jobs in one fork; return how many it finished, and the problem of the next one."""
    confine = prepare_runner(seconds * len(jobs), MEMORY, keep=(1, 2))
    messages, writer = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)  # output beyond the capacity of the pipe is dropped
    with mmap.mmap(-1, _COUNT.size) as progress:
        try:
            process = os.fork()
            if process == 0:
                _run_in_fork(jobs, progress, writer, confine)
            status = _wait(process, progress, seconds, len(jobs))
            done = min(max(_COUNT.unpack_from(progress)[0], 0), len(jobs))
            if status == 0 and done == len(jobs):
                return done, None
            done = min(done, len(jobs) - 1)
            return done, f"it ran for more than {seconds:.0f} s" if status is None else _problem(
                status, _read_messages(messages)
            )
        finally:
            os.close(writer)
            os.close(messages)


def _run_in_fork(jobs: Sequence[Job], progress: mmap.mmap, writer: int, confine: Callable[[], bool]) -> None:
    code = 1
    try:
        gc.disable()
        os.dup2(writer, 1)
        os.dup2(writer, 2)
        confine()
        for number, job in enumerate(jobs, start=1):
            for call in job:
                call()
            _COUNT.pack_into(progress, 0, number)
        code = 0
    except BaseException as error:  # noqa: BLE001 - no exception may reach the code that called fork
        os.write(2, repr(error).encode())
    finally:
        os._exit(code)


def _wait(process: int, progress: mmap.mmap, seconds: float, jobs: int) -> int | None:
    """Return the status of a process that ended, or None if it was killed because one job took too long."""
    descriptor = os.pidfd_open(process)
    try:
        poll = select.poll()
        poll.register(descriptor, select.POLLIN)
        finished, since = -1, time.monotonic()
        while not poll.poll(max(since + seconds - time.monotonic(), 0.0) * 1000.0):
            done = _COUNT.unpack_from(progress)[0]
            if not finished < done < jobs:  # the fork can write any number, but the loop still ends
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)
                return None
            finished, since = done, time.monotonic()
        return os.waitpid(process, 0)[1]
    finally:
        os.close(descriptor)


def _read_messages(reader: int) -> str:
    try:
        return os.read(reader, 4096).decode(errors="replace")
    except BlockingIOError:
        return ""


def _problem(status: int, output: str) -> str:
    assertion = next((line for line in output.splitlines() if line.startswith("Assertion failed")), None)
    if assertion is not None:
        return f"Warp's check of an index or a value failed: {assertion.removeprefix('Assertion failed: ').strip()}"
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number == signal.SIGSYS:
            return "it asked the system for something that kernels do not need (SIGSYS)"
        if number == signal.SIGXCPU:
            return "it ran for too long (SIGXCPU)"
        return f"it died of {signal.Signals(number).name if number in set(signal.Signals) else f'signal {number}'}"
    return f"it ended itself with exit code {os.WEXITSTATUS(status)}{': ' + output.splitlines()[-1][:200] if output else ''}"
