"""Run machine code of pairs in a fork of this process that has given up all access but its memory.

The fork leaves results in shared memory; its progress and its exit status are all that it reports. One fork runs many pairs in
sequence. If it dies or hangs, its current pair fails, and another fork continues with the next pair. A fork that cannot be
made, or that somebody else kills, says nothing about the pair, which is tried again alone. Pairs cannot access each other's
memory: their indices are checked, and pairs with native C++ run in a separate worker.
"""

from __future__ import annotations

import gc
import math
import mmap
import os
import signal
import struct
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from warpsmith.core.execution import framing
from warpsmith.validation.confinement import prepare_compiler, prepare_runner

MEMORY = 1 << 30
"""Bytes of address space that launches may add to the mapped ones."""

LAUNCH_SECONDS = 10.0
"""The time limit for the launches of one pair at one level, which take some milliseconds."""

Job = Sequence[Callable[[], object]]
"""The launches of one pair."""

SLOW = "it ran for"
"""The start of the problem of a job that exceeds its limit of time, or of processor time."""

PATIENCE = 3.0
"""How many times the limit of a job it may last if its process receives too little processor time."""

ENOUGH = 0.9
"""The share of the limit that a job has to have used before it is stopped."""

TRIES = 3
"""How often a job runs whose fork cannot be made or is killed by somebody else."""

_PROCESS_CLOCK = 2
"""The bits of the clock of a process's time; the other bits are its number, inverted."""

_COUNT = struct.Struct("=q")


class MachineText(str):
    """A problem of the machine, as opposed to one of the job."""

    __slots__ = ()


def run_forked(
    jobs: Sequence[Job],
    seconds: float = LAUNCH_SECONDS,
    stop: bool = False,
    total: float = math.inf,
    compiles: bool = False,
) -> list[str | None]:
    """Run ``jobs`` in forks of this process and return the problem of each, or None.

    Args:
        jobs: calls of machine code that writes to shared memory.
        seconds: the time limit for one job.
        stop: whether no job runs after the first one with a problem; the problem then counts for all later ones.
        total: the time limit for all jobs together that run in one fork.
        compiles: whether jobs are compilers, which may read and write the files that this process may.

    Returns:
        The problems in the order of the jobs; one that the job did not cause is a `MachineText`.
    """
    problems: list[str | None] = []
    while len(problems) < len(jobs):
        done, problem = _run_until_death(jobs[len(problems) :], seconds, total, compiles)
        problems += [None] * done
        if isinstance(problem, MachineText):
            problem = _run_again_alone(jobs[len(problems)], seconds, compiles)
            problems.append(problem)
            if isinstance(problem, MachineText):  # the other jobs would wait for the same problem
                return problems + [problem] * (len(jobs) - len(problems))
        elif problem is not None:
            problems.append(problem)
            if stop:
                return problems + [problem] * (len(jobs) - len(problems))
    return problems


def _run_again_alone(job: Job, seconds: float, compiles: bool) -> str | None:
    """Run a job whose fork was not at fault until it says something about the job, or `TRIES` are used up."""
    problem: str | None = None
    for attempt in range(1, TRIES):
        time.sleep(0.05 * attempt)  # a machine that lacks processes or memory may have them soon
        _, problem = _run_until_death([job], seconds, math.inf, compiles)
        if not isinstance(problem, MachineText):
            break
    return problem


def _run_until_death(jobs: Sequence[Job], seconds: float, total: float, compiles: bool) -> tuple[int, str | None]:
    """Run jobs in one fork; return how many it finished, and the problem of the next one."""
    try:
        return _fork_and_wait(jobs, seconds, total, compiles)
    except (OSError, MemoryError) as error:
        return 0, MachineText(f"no process can be started: {type(error).__name__}: {error}")


def _fork_and_wait(jobs: Sequence[Job], seconds: float, total: float, compiles: bool) -> tuple[int, str | None]:
    longest = min(seconds * len(jobs), total)
    prepare = prepare_compiler if compiles else prepare_runner
    confine = prepare(longest, MEMORY, keep=(1, 2))
    processor_seconds = max(math.ceil(longest), 1)
    messages, writer = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)  # output beyond the capacity of the pipe is dropped
    try:
        with mmap.mmap(-1, _COUNT.size) as progress:
            process = os.fork()
            if process == 0:
                _run_in_fork(jobs, progress, writer, confine)
            end = _wait(process, progress, min(seconds, total), total, len(jobs))
            done = min(max(_COUNT.unpack_from(progress)[0], 0), len(jobs))
    finally:
        os.close(writer)
        output = _read_messages(messages)
        os.close(messages)
    if end is not None and end.status == 0 and done == len(jobs):
        return done, None
    done = min(done, len(jobs) - 1)
    if end is None:
        return done, f"{SLOW} more than {seconds:.0f} s" if seconds < total else f"{SLOW} more than {total:g} s in all launches"
    if os.WIFSIGNALED(end.status) and os.WTERMSIG(end.status) == signal.SIGKILL and end.seconds < processor_seconds:
        return done, MachineText("a process that ran the pair's code was killed (SIGKILL)")
    return done, _problem(end.status, output)


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


class _End(NamedTuple):
    """How a fork ended: its status, and the processor time that it used."""

    status: int
    seconds: float


def _wait(process: int, progress: mmap.mmap, seconds: float, total: float, jobs: int) -> _End | None:
    """Return how a process ended, or None if it was killed because one job, or all of them, took too long."""
    try:
        process_end = framing.ProcessEnd(process)
    except OSError:
        framing.kill(process)
        raise
    with process_end:
        finished, started, since, used = -1, time.monotonic(), time.monotonic(), 0.0
        wait = seconds
        while not process_end.wait(wait):
            done, now, processor = _COUNT.unpack_from(progress)[0], time.monotonic(), _processor_seconds(process)
            if finished < done < jobs:  # the fork can write any number, but the loop still ends
                finished, since, used = done, now, processor
            wait = min(seconds - (processor - used), since + PATIENCE * seconds - now)
            left = min(total - processor, started + PATIENCE * total - now)
            wait = min(wait, left)
            if wait <= (1.0 - ENOUGH) * seconds:
                framing.kill(process)
                return None
        _, status, usage = os.wait4(process, 0)
        return _End(status, usage.ru_utime + usage.ru_stime)


def _processor_seconds(process: int) -> float:
    """Return the processor time that a child has used."""
    return time.clock_gettime(~process << 3 | _PROCESS_CLOCK)


def _read_messages(reader: int) -> str:
    try:
        return os.read(reader, 4096).decode(errors="replace")
    except BlockingIOError:
        return ""


def _problem(status: int, output: str) -> str:
    assertion = next((line for line in output.splitlines() if line.startswith("Assertion failed")), None)
    if assertion is not None:
        return f"Warp's check of an index or a value failed: {assertion.removeprefix('Assertion failed: ').strip()}"
    code = os.waitstatus_to_exitcode(status)
    if code == -signal.SIGSYS:
        return "it asked the system for something that kernels do not need (SIGSYS)"
    if code == -signal.SIGXCPU:
        return f"{SLOW} too long (SIGXCPU)"
    return f"it {framing.describe_end(code)}{': ' + output.splitlines()[-1][:200] if code >= 0 and output else ''}"
