"""A runner has no access to files, processes, signals and inherited descriptors, and its time and memory are limited."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from confinement import Attempt, alive, landlock, seccomp


@pytest.mark.sampled(8)
@seccomp
@landlock(1)
@pytest.mark.parametrize(
    ("action", "free", "kept"),
    [
        ("fork", "0", "SIGSYS"),
        ("start a thread", "done", "SIGSYS"),
        ("become a program", "", "SIGSYS"),
        ("system", "7", "SIGSYS"),
        ("open", "done", "SIGSYS"),
        ("open udp", "done", "SIGSYS"),
        ("sleep", "done", "SIGSYS"),
        ("kill", "done", "SIGSYS"),
        ("signal parent", "done", "SIGSYS"),
        ("leave the session", "done", "SIGSYS"),
        ("be traced", "0", "SIGSYS"),
        ("hoard", str(300 << 20), "MemoryError"),
        ("burn", "done", "SIGXCPU"),
        ("burn, SIGXCPU ignored", "done", "SIGKILL"),
        ("fault", "SIGSEGV", "SIGSEGV"),
    ],
)
def test_a_runner_cannot_do_harm(attempt: Attempt, action: str, free: str, kept: str) -> None:
    assert attempt("free runner", action) == free
    assert attempt("runner", action) == kept


@seccomp
@landlock(1)
def test_a_runner_can_compute(attempt: Attempt) -> None:
    assert attempt("runner", "work") == f"{50 << 20} True 8 True"
    assert attempt("free runner", "work").endswith(f"{50 << 20} True 8 True")  # the C library's output comes first


@seccomp
@landlock(1)
@pytest.mark.parametrize("number", [1, 2])
def test_a_runner_has_no_inherited_descriptor(attempt: Attempt, number: int) -> None:
    assert attempt("free runner", "write to another descriptor", number).endswith("7")
    assert attempt("runner", "write to another descriptor", number) == "EBADF"


def test_a_runner_ends_with_its_parent_process() -> None:
    code = (
        "import os, time\nfrom warpsmith.validation.confinement import prepare_runner\n"
        "reading, writing = os.pipe()\nconfine = prepare_runner(60.0, 1 << 28, [writing])\n"
        "if (child := os.fork()) == 0:\n    confine(); os.write(writing, b'.')\n    while True: pass\n"
        "os.read(reading, 1); print(child, flush=True); time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        assert alive(child)
        process.kill()
    deadline = time.monotonic() + 5.0
    while alive(child) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not alive(child)
