"""Runs machine code of pairs in a process apart, a fork of this one that has given everything away but its memory.

The fork leaves results in shared memory and says nothing; how far it came and how it ended is all that is asked of it. One fork
runs many pairs, one after the other. If it dies or hangs, the pair that it was at is to blame, and another fork goes on with
the next. Pairs cannot reach into each other's memory: their indices are checked, and whoever brings C++ of his own is alone.
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
"""Bytes of address space that launches may add to what is mapped."""

LAUNCH_SECONDS = 10.0
"""How long the launches of one pair may take at a level; they take some milliseconds."""

Job = Sequence[Callable[[], object]]
"""The launches of one pair."""

_COUNT = struct.Struct("=q")


def run_forked(jobs: Sequence[Job], seconds: float = LAUNCH_SECONDS) -> list[str | None]:
    """Do ``jobs`` in forks of this process and return for each what went wrong, or None.

    Args:
        jobs: calls that run machine code, which writes to shared memory.
        seconds: how long one job may take.
    """
    problems: list[str | None] = []
    while len(problems) < len(jobs):
        done, problem = _run_until_death(jobs[len(problems) :], seconds)
        problems += [None] * done
        if problem is not None:
            problems.append(problem)
    return problems


def _run_until_death(jobs: Sequence[Job], seconds: float) -> tuple[int, str | None]:
    """Run jobs in one fork; return how many were done, and what was wrong with the one after them."""
    confine = prepare_runner(seconds * len(jobs), MEMORY, keep=(1, 2))
    last_words, words = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)  # who says more than it holds is not listened to
    with mmap.mmap(-1, _COUNT.size) as progress:
        try:
            process = os.fork()
            if process == 0:
                _be_the_fork(jobs, progress, words, confine)
            status = _wait(process, progress, seconds, len(jobs))
            done = min(max(_COUNT.unpack_from(progress)[0], 0), len(jobs))
            if status == 0 and done == len(jobs):
                return done, None
            done = min(done, len(jobs) - 1)
            return done, f"it ran for more than {seconds:.0f} s" if status is None else _how(status, _said(last_words))
        finally:
            os.close(words)
            os.close(last_words)


def _be_the_fork(jobs: Sequence[Job], progress: mmap.mmap, words: int, confine: Callable[[], bool]) -> None:
    code = 1
    try:
        gc.disable()
        os.dup2(words, 1)
        os.dup2(words, 2)
        confine()
        for number, job in enumerate(jobs, start=1):
            for call in job:
                call()
            _COUNT.pack_into(progress, 0, number)
        code = 0
    except BaseException as error:  # noqa: BLE001 - nothing may get back to the code that called fork
        os.write(2, repr(error).encode())
    finally:
        os._exit(code)


def _wait(process: int, progress: mmap.mmap, seconds: float, jobs: int) -> int | None:
    """The status a process ended with, or None if it had to be killed because it was at one job for too long."""
    descriptor = os.pidfd_open(process)
    try:
        waiting = select.poll()
        waiting.register(descriptor, select.POLLIN)
        seen, since = -1, time.monotonic()
        while not waiting.poll(max(since + seconds - time.monotonic(), 0.0) * 1000.0):
            done = _COUNT.unpack_from(progress)[0]
            if not seen < done < jobs:  # the fork can write what it likes, but so it has an end
                os.kill(process, signal.SIGKILL)
                os.waitpid(process, 0)
                return None
            seen, since = done, time.monotonic()
        return os.waitpid(process, 0)[1]
    finally:
        os.close(descriptor)


def _said(words: int) -> str:
    try:
        return os.read(words, 4096).decode(errors="replace")
    except BlockingIOError:
        return ""


def _how(status: int, words: str) -> str:
    assertion = next((line for line in words.splitlines() if line.startswith("Assertion failed")), None)
    if assertion is not None:
        return f"Warp's check of an index or a value failed: {assertion.removeprefix('Assertion failed: ').strip()}"
    if os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number == signal.SIGSYS:
            return "it asked the system for something that kernels do not need (SIGSYS)"
        if number == signal.SIGXCPU:
            return "it ran for too long (SIGXCPU)"
        return f"it died of {signal.Signals(number).name if number in set(signal.Signals) else f'signal {number}'}"
    return f"it ended itself with exit code {os.WEXITSTATUS(status)}{': ' + words.splitlines()[-1][:200] if words else ''}"
