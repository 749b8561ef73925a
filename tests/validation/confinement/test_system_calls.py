"""Seccomp filters refuse system calls that checks do not need."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from confinement import ACTIONS, Attempt, alive, intel, seccomp


@seccomp
@pytest.mark.parametrize(
    ("action", "free", "kept"),
    [
        ("system", "7", "127"),
        ("run a program", "0", "EPERM"),
        ("become a program", "", "EPERM"),
        ("leave the session", "done", "EPERM"),
        ("lead a group", "done", "EPERM"),
        ("open udp", "done", "EPERM"),
        ("open socketpair", "[None, None]", "EPERM"),
        ("limit parent", "2", "EPERM"),
        ("unshare", "0", "EPERM"),
        ("be traced", "0", "EPERM"),
        ("shared memory", "0", "EPERM"),
        ("clone3", "EINVAL", "ENOSYS"),
    ],
)
def test_calls_that_checks_do_not_need_are_refused(attempt: Attempt, action: str, free: str, kept: str) -> None:
    assert attempt("none", action) == free
    assert attempt("checking", action) == kept


@seccomp
@pytest.mark.parametrize("action", ["chmod", "set times"])
def test_file_changes_that_landlock_does_not_restrict_are_refused(
    attempt: Attempt, target: Callable[[], Path], action: str
) -> None:
    free, kept = target(), target()
    assert attempt("none", action, free) == "done"
    before = kept.stat()
    assert attempt("checking", action, kept) == "EPERM"
    assert kept.stat() == before
    assert free.stat()[:1] != before[:1] or free.stat().st_mtime != before.st_mtime


@seccomp
def test_no_socket_with_a_path(attempt: Attempt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # paths of sockets are limited to 108 characters
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        server.listen()
        assert attempt("none", "connect to a socket", "socket") == "done"
        assert attempt("checking", "connect to a socket", "socket") == "EPERM"


@seccomp
def test_no_namespace_by_clone(attempt: Attempt) -> None:
    if attempt("none", "new namespace") != "done":
        pytest.skip("this system does not allow user namespaces")
    assert attempt("checking", "new namespace") == "EPERM"


@seccomp
@pytest.mark.parametrize("action", ["fork", "start a thread", "kill own child", "limit self", "work", "sleep", "hoard"])
def test_calls_that_checks_need_are_allowed(attempt: Attempt, action: str) -> None:
    assert attempt("checking", action) == attempt("none", action)


@seccomp
def test_every_call_of_the_table_is_refused(attempt: Attempt) -> None:
    assert attempt("checking", "leave the session") == "EPERM"  # without the filter, the next call would do harm
    assert attempt("checking", "every refused call") == "[]"


@seccomp
def test_existing_threads_are_filtered(attempt: Attempt) -> None:
    assert attempt("none", "leave the session, from a thread") == "True done"
    assert attempt("checking", "leave the session, from a thread") == "True EPERM"


@seccomp
@intel
@pytest.mark.parametrize("interface", ["i386", "x32"])
def test_no_other_architecture(attempt: Attempt, interface: str) -> None:
    if attempt("none", interface) != "True":
        pytest.skip(f"this kernel has no {interface}")
    assert attempt("checking", interface) == "SIGSYS"
    assert attempt("runner", interface) == "SIGSYS"


@seccomp
@pytest.mark.parametrize(("confinement", "lives"), [("none", True), ("checking", False)])
def test_killing_the_group_kills_all_processes(tmp_path: Path, confinement: str, lives: bool) -> None:
    with subprocess.Popen(
        [sys.executable, ACTIONS, confinement, "leave the group", tmp_path],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        grandchild = int(process.stdout.readline())
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        deadline = time.monotonic() + (0.2 if lives else 5.0)
        while alive(grandchild) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert alive(grandchild) == lives
        with contextlib.suppress(ProcessLookupError):
            os.kill(grandchild, signal.SIGKILL)
