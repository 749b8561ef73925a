"""Landlock rules deny files, TCP and other processes that an unconfined process can use.

Each action runs in a new process, once confined and once unconfined.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from confinement import VERSION, Attempt, landlock
from warpsmith.validation.confinement import confine_files


@pytest.mark.sampled(8)
@pytest.mark.parametrize(
    ("action", "outcomes"),
    [
        pytest.param("write", {"EACCES"}, marks=landlock(1)),
        pytest.param("write in a thread", {"EACCES"}, marks=landlock(1)),
        pytest.param("write through a link", {"EACCES"}, marks=landlock(1)),
        pytest.param("truncate", {"EACCES"}, marks=landlock(3)),
        pytest.param("remove", {"EACCES"}, marks=landlock(1)),
        pytest.param("make a folder", {"EACCES"}, marks=landlock(1)),
        pytest.param("make a link", {"EACCES"}, marks=landlock(1)),
        pytest.param("make a pipe", {"EACCES"}, marks=landlock(1)),
        pytest.param("rename out", {"EACCES", "EXDEV"}, marks=landlock(1)),
        pytest.param("rename in", {"EACCES", "EXDEV"}, marks=landlock(1)),
        pytest.param("hard link in", {"EACCES", "EXDEV"}, marks=landlock(1)),
    ],
)
def test_files_outside_are_not_changed(attempt: Attempt, target: Callable[[], Path], action: str, outcomes: set[str]) -> None:
    free, kept = target(), target()
    assert attempt("none", action, free) in {"done", "7"}
    assert attempt("files", action, kept) in outcomes
    assert kept.read_text() == "precious"
    assert [path for path in kept.parent.iterdir() if path.name.startswith(f"{kept.name} ")] == []


@landlock(1)
def test_started_programs_are_confined_too(attempt: Attempt, tmp_path: Path) -> None:
    assert attempt("none", "write by a program", tmp_path / "free") == "0"
    assert attempt("files", "write by a program", tmp_path / "kept") == "1"
    assert not (tmp_path / "kept").exists()


@landlock(2)
@pytest.mark.parametrize(
    "action", ["write in scratch", "rename inside", "read", "list", "write to /dev/null", "kill own child"]
)
def test_accesses_that_stay_allowed(attempt: Attempt, target: Callable[[], Path], action: str) -> None:
    path = target()
    assert attempt("files", action, path) == attempt("none", action, path)


@landlock(1)
@pytest.mark.parametrize("action", ["read", "list", "write", "write in scratch", "write to /dev/null"])
def test_no_file_is_opened_without_files(attempt: Attempt, target: Callable[[], Path], action: str) -> None:
    path = target()
    assert attempt("none", action, path) in {"precious", "1", "7", "0"}
    assert attempt("no files", action, path) == "EACCES"


@landlock(4)
def test_no_tcp(attempt: Attempt) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert attempt("none", "connect by tcp", port) == "done"
        assert attempt("files", "connect by tcp", port) == "EACCES"
    assert attempt("none", "bind by tcp") == "done"
    assert attempt("no files", "bind by tcp") == "EACCES"


@landlock(6)
def test_no_contact_with_processes_outside(attempt: Attempt) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        name = f"warpsmith-{os.getpid()}"
        server.bind("\0" + name)
        server.listen()
        assert attempt("none", "connect to an abstract socket", name) == "done"
        assert attempt("files", "connect to an abstract socket", name) == "EPERM"
    assert attempt("none", "signal parent") == "done"
    assert attempt("files", "signal parent") == "EPERM"


@landlock(1)
def test_confinement_reports_threads_that_it_does_not_cover(attempt: Attempt, target: Callable[[], Path]) -> None:
    assert attempt("none", "write, from a thread", target()) == "True done"
    assert attempt("files", "write, from a thread", target()) == ("True EACCES" if VERSION >= 8 else "False done")


@landlock(1)
def test_a_missing_path_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):  # raised before the process is confined
        confine_files([tmp_path / "nowhere"])
    (tmp_path / "file").write_text("")  # this process is still unconfined
