"""A job that does harm fails alone, and results come back in shared memory."""

from __future__ import annotations

import ctypes
import faulthandler
import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from processes import children_of
from warpsmith.validation.running.fork_runner import run_forked
from warpsmith.validation.running.shared_memory import Arena

pytestmark = pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")


def crash() -> None:
    ctypes.string_at(0)


def loop_without_end() -> object:
    while True:
        pass


def fail_a_check() -> None:
    os.write(2, b"Assertion failed: 'i >= 0' file.h:12\n")
    os.abort()


def hoard_memory() -> None:
    hoard = [bytearray(3 << 30)]
    hoard.append(bytearray(1))


def recurse() -> None:
    recurse()


ATTACKS: dict[str, tuple[Callable[[], object], str]] = {
    "crash": (crash, "SIGSEGV"),
    "endless loop": (loop_without_end, "more than 1 s"),
    "exit 0": (lambda: os._exit(0), "exit code 0"),
    "exit 7": (lambda: os._exit(7), "exit code 7"),
    "assertion": (fail_a_check, "Warp's check of an index or a value failed: 'i >= 0'"),
    "abort": (os.abort, "SIG"),
    "memory": (hoard_memory, "MemoryError"),
    "exception": (lambda: 1 // 0, "ZeroDivisionError"),
    "exit of Python": (lambda: sys.exit(3), "SystemExit"),
    "recursion": (recurse, "RecursionError"),
    "sleep": (lambda: time.sleep(600), "SIGSYS"),
    "endless loop, signals blocked": (
        lambda: (signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals()), loop_without_end()),
        "more than 1 s",
    ),
    "a file": (lambda: Path("/proc/self/status").read_text(), "SIGSYS"),
    "a process": (os.fork, "SIGSYS"),
    "a program": (lambda: os.execv("/bin/true", ["true"]), "SIGSYS"),  # noqa: S606 - the call is refused
    "a signal to the parent process": (lambda: os.kill(os.getppid(), signal.SIGKILL), "SIGSYS"),
    "noise": (lambda: (os.write(2, 100_000 * b"noise\n"), os._exit(9)), "exit code"),
}


SLOW = ("endless loop, signals blocked",)
"""Attacks that take seconds, and end like the endless loop."""


@pytest.fixture
def no_fault_handler() -> Iterator[None]:
    """Disable the handler of pytest, which catches a signal and raises it again by a system call that is refused."""
    faulthandler.disable()
    yield
    faulthandler.enable(sys.__stderr__ or 2)


@pytest.mark.sampled(5)
@pytest.mark.usefixtures("no_fault_handler")
@pytest.mark.parametrize("name", [pytest.param(name, marks=[pytest.mark.exhaustive] * (name in SLOW)) for name in ATTACKS])
def test_only_harmful_jobs_have_problems(name: str, arena: Arena) -> None:
    attack, reason = ATTACKS[name]
    done = arena.zeros(np.zeros(6, dtype=np.int64))

    def write(index: int, number: int) -> Callable[[], object]:
        return lambda: done.__setitem__(index, number)

    jobs = [[write(index, index + 1)] for index in range(6)]
    jobs[2] = [write(2, -1), attack, write(2, -2)]
    jobs[5] = [attack]
    start = time.monotonic()
    problems = run_forked(jobs, seconds=1.0)
    assert time.monotonic() - start < 10.0
    assert [problem is None for problem in problems] == [True, True, False, True, True, False]
    assert reason in (problems[2] or "")
    assert "\n" not in (problems[2] or "")
    assert done.tolist() == [1, 2, -1, 4, 5, 0]


def test_endless_jobs_take_no_more_than_their_limits() -> None:
    start = time.monotonic()
    problems = run_forked([[loop_without_end] if index % 2 else [lambda: None] for index in range(5)], seconds=0.4)
    assert [problem is None for problem in problems] == [index % 2 == 0 for index in range(5)]
    assert 0.8 <= time.monotonic() - start < 12.0


def test_the_time_limit_applies_to_each_job() -> None:
    assert run_forked(6 * [[lambda: busy(0.1), lambda: busy(0.2)]], seconds=1.0) == 6 * [None]


def test_a_job_has_its_limit_in_processor_time() -> None:
    """Somebody else stops the process for longer than the limit."""

    def interrupt() -> None:
        while not (children := children_of([os.getpid()]) - before):
            time.sleep(0.01)
        for number, pause in ((signal.SIGSTOP, 0.8), (signal.SIGCONT, 0.0)):
            for child in children:
                os.kill(child, number)
            time.sleep(pause)

    before = children_of([os.getpid()])
    thread = threading.Thread(target=interrupt)
    thread.start()
    assert run_forked([[lambda: busy_processor(0.1)]], seconds=0.6) == [None]
    thread.join()


def busy_processor(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def busy(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass


def test_jobs_may_have_a_limit_together() -> None:
    started = time.monotonic()
    problems = run_forked([[lambda: busy_processor(0.4)]] * 20, 2.0, stop=True, total=2.0)
    assert time.monotonic() - started < 7.0
    done = problems.count(None)
    assert 2 <= done <= 5, "each job alone is short enough"
    # The system may stop the process by its own limit of processor time before the client does.
    assert set(problems[done:]) <= {"it ran for more than 2 s in all launches", "it ran for too long (SIGXCPU)"}
    assert run_forked([[lambda: busy_processor(0.1)]] * 3, 2.0, stop=True, total=2.0) == [None] * 3


def test_nothing_to_do() -> None:
    assert run_forked([]) == []
    assert run_forked([[], []]) == [None, None]


def test_results_come_back_in_shared_memory_only(arena: Arena) -> None:
    shared, own = arena.zeros(np.zeros((3, 4))), np.zeros((3, 4))
    left_open = os.pipe()

    def write() -> None:
        shared[...] = math.pi
        own[...] = math.pi
        for descriptor in left_open:
            try:
                os.write(descriptor, b"written")
            except OSError:
                shared[0, 0] += 1.0

    assert run_forked([[write]]) == [None]
    assert shared.tolist() == [[math.pi + 2.0, *3 * [math.pi]], *2 * [4 * [math.pi]]]
    assert not own.any()
    for descriptor in left_open:
        os.close(descriptor)


def test_no_process_is_left() -> None:
    before = children_of([os.getpid()])
    assert None in run_forked([[loop_without_end], [crash], [lambda: None]], seconds=0.2)
    assert children_of([os.getpid()]) == before
