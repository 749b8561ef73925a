"""The promise: what a process gave away it does not have any more; everything is tried, with the fence and without.

`confine_deeds` is what tries, always in processes of their own.
"""

from __future__ import annotations

import contextlib
import os
import platform
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from warpsmith.validation.sandbox.confine import CHECKING, RUNNING, confine_files, landlock_version
from warpsmith.validation.sandbox.confine import kernel as kernel_module
from warpsmith.validation.sandbox.confine.kernel import numbers

DEEDS = Path(__file__).with_name("confine_deeds.py")
SECCOMP = Path("/proc/sys/kernel/seccomp/actions_avail").exists() and bool(numbers())
VERSION = landlock_version()


def landlock(version: int) -> pytest.MarkDecorator:
    return pytest.mark.skipif(version > VERSION, reason=f"needs version {version} of Landlock, this kernel has {VERSION}")


seccomp = pytest.mark.skipif(not SECCOMP, reason="needs seccomp on x86_64 or aarch64")
intel = pytest.mark.skipif(platform.machine() != "x86_64", reason="other interfaces of x86_64")

Attempt = Callable[..., str]


@pytest.fixture
def attempt(tmp_path: Path) -> Attempt:
    """Try a deed within a fence and return what came of it: a result, an error, a signal."""

    def run(fence: str, deed: str, argument: object = "") -> str:
        scratch = tempfile.mkdtemp(prefix="scratch ", dir=tmp_path)
        done = subprocess.run(
            [sys.executable, DEEDS, fence, deed, scratch, str(argument)],
            capture_output=True,
            text=True,
            check=False,
            timeout=30,
        )
        if done.returncode < 0:
            return signal.Signals(-done.returncode).name
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    return run


@pytest.fixture
def target(tmp_path: Path) -> Callable[[], Path]:
    """A new file each time, outside of every scratch folder."""
    folder = tmp_path / "outside"
    folder.mkdir()
    count = iter(range(100))

    def make() -> Path:
        path = folder / f"file {next(count)}"
        path.write_text("precious")
        return path

    return make


# ------------------------------------------------------------------------------------------------------------------- files


@pytest.mark.parametrize(
    ("deed", "outcomes"),
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
def test_files_outside_stay_as_they_are(attempt: Attempt, target: Callable[[], Path], deed: str, outcomes: set[str]) -> None:
    free, kept = target(), target()
    assert attempt("none", deed, free) in {"done", "7"}
    assert attempt("files", deed, kept) in outcomes
    assert kept.read_text() == "precious"
    assert [path for path in kept.parent.iterdir() if path.name.startswith(f"{kept.name} ")] == []


@landlock(1)
def test_started_programs_are_confined_too(attempt: Attempt, tmp_path: Path) -> None:
    assert attempt("none", "write by a program", tmp_path / "free") == "0"
    assert attempt("files", "write by a program", tmp_path / "kept") == "1"
    assert not (tmp_path / "kept").exists()


@landlock(2)
@pytest.mark.parametrize("deed", ["write in scratch", "rename inside", "read", "list", "write to /dev/null", "kill own child"])
def test_accesses_that_stay_allowed(attempt: Attempt, target: Callable[[], Path], deed: str) -> None:
    path = target()
    assert attempt("files", deed, path) == attempt("none", deed, path)


@landlock(1)
@pytest.mark.parametrize("deed", ["read", "list", "write", "write in scratch", "write to /dev/null"])
def test_no_file_is_opened_without_files(attempt: Attempt, target: Callable[[], Path], deed: str) -> None:
    path = target()
    assert attempt("none", deed, path) in {"precious", "1", "7", "0"}
    assert attempt("no files", deed, path) == "EACCES"


@landlock(4)
def test_no_tcp(attempt: Attempt) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert attempt("none", "connect by tcp", port) == "done"
        assert attempt("files", "connect by tcp", port) == "EACCES"
    assert attempt("none", "bind by tcp") == "done"
    assert attempt("no files", "bind by tcp") == "EACCES"


@landlock(6)
def test_nothing_leaves_the_family(attempt: Attempt) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        name = f"warpsmith-{os.getpid()}"
        server.bind("\0" + name)
        server.listen()
        assert attempt("none", "connect to an abstract socket", name) == "done"
        assert attempt("files", "connect to an abstract socket", name) == "EPERM"
    assert attempt("none", "signal parent") == "done"
    assert attempt("files", "signal parent") == "EPERM"


@landlock(1)
def test_threads_that_are_there_already_are_told_of(attempt: Attempt, target: Callable[[], Path]) -> None:
    assert attempt("none", "write, from a thread", target()) == "True done"
    assert attempt("files", "write, from a thread", target()) == ("True EACCES" if VERSION >= 8 else "False done")


@landlock(1)
def test_a_path_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):  # before anything is given away
        confine_files([tmp_path / "nowhere"])
    (tmp_path / "file").write_text("")  # and so it was


# ------------------------------------------------------------------------------------------------------------------- calls


@seccomp
@pytest.mark.parametrize(
    ("deed", "free", "kept"),
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
def test_calls_that_checking_does_without(attempt: Attempt, deed: str, free: str, kept: str) -> None:
    assert attempt("none", deed) == free
    assert attempt("checking", deed) == kept


@seccomp
@pytest.mark.parametrize("deed", ["chmod", "set times"])
def test_changes_of_files_that_landlock_does_not_restrict(attempt: Attempt, target: Callable[[], Path], deed: str) -> None:
    free, kept = target(), target()
    assert attempt("none", deed, free) == "done"
    before = kept.stat()
    assert attempt("checking", deed, kept) == "EPERM"
    assert kept.stat() == before
    assert free.stat()[:1] != before[:1] or free.stat().st_mtime != before.st_mtime


@seccomp
def test_no_socket_of_a_path(attempt: Attempt, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # such paths are short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        server.listen()
        assert attempt("none", "connect to a socket", "socket") == "done"
        assert attempt("checking", "connect to a socket", "socket") == "EPERM"


@seccomp
def test_no_namespace_by_clone(attempt: Attempt) -> None:
    if attempt("none", "new namespace") != "done":
        pytest.skip("this system gives user namespaces to nobody in any case")
    assert attempt("checking", "new namespace") == "EPERM"


@seccomp
@pytest.mark.parametrize("deed", ["fork", "start a thread", "kill own child", "limit self", "work", "sleep", "hoard"])
def test_calls_that_checks_need_are_allowed(attempt: Attempt, deed: str) -> None:
    assert attempt("checking", deed) == attempt("none", deed)


@seccomp
def test_every_call_of_the_table_is_refused(attempt: Attempt) -> None:
    assert attempt("checking", "leave the session") == "EPERM"  # otherwise what follows would not be wise
    assert attempt("checking", "every refused call") == "[]"


@seccomp
def test_threads_that_are_there_already_are_filtered(attempt: Attempt) -> None:
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
@pytest.mark.parametrize(("fence", "lives"), [("none", True), ("checking", False)])
def test_killing_the_group_kills_all_processes(tmp_path: Path, fence: str, lives: bool) -> None:
    with subprocess.Popen(
        [sys.executable, DEEDS, fence, "leave the group", tmp_path], stdout=subprocess.PIPE, text=True, start_new_session=True
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


def alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


# ------------------------------------------------------------------------------------------------------------------ runner


@seccomp
@landlock(1)
@pytest.mark.parametrize(
    ("deed", "free", "kept"),
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
        ("burn, deaf to SIGXCPU", "done", "SIGKILL"),
        ("fault", "SIGSEGV", "SIGSEGV"),
    ],
)
def test_a_runner_has_nothing(attempt: Attempt, deed: str, free: str, kept: str) -> None:
    assert attempt("free runner", deed) == free
    assert attempt("runner", deed) == kept


@seccomp
@landlock(1)
def test_a_runner_works(attempt: Attempt) -> None:
    assert attempt("runner", "work") == f"{50 << 20} True 8 True"
    assert attempt("free runner", "work").endswith(f"{50 << 20} True 8 True")  # after what it prints


@seccomp
@landlock(1)
@pytest.mark.parametrize("number", [1, 2])
def test_a_runner_has_no_other_descriptor(attempt: Attempt, number: int) -> None:
    assert attempt("free runner", "write to another descriptor", number).endswith("7")
    assert attempt("runner", "write to another descriptor", number) == "EBADF"


def test_a_runner_dies_with_its_parent() -> None:
    code = (
        "import os, time\nfrom warpsmith.validation.sandbox.confine import prepare_runner\n"
        "said, says = os.pipe()\nconfine = prepare_runner(60.0, 1 << 28, [says])\n"
        "if (child := os.fork()) == 0:\n    confine(); os.write(says, b'.')\n    while True: pass\n"
        "os.read(said, 1); print(child, flush=True); time.sleep(60)\n"
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


# ----------------------------------------------------------------------------------------------------- tables, old systems

HEADERS = {"x86_64": "asm/unistd_64.h", "aarch64": "asm-generic/unistd.h"}


@pytest.mark.parametrize("machine", HEADERS)
def test_numbers_are_those_of_the_headers(monkeypatch: pytest.MonkeyPatch, machine: str) -> None:
    found = [folder / HEADERS[machine] for folder in (Path("/usr/include"), Path("/usr/include/x86_64-linux-gnu"))]
    if not (headers := [path for path in found if path.exists()]):
        pytest.skip("the kernel's headers are not installed")
    text = headers[0].read_text()
    theirs = {name: int(number) for name, number in re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", text)}
    theirs["newfstatat"] = theirs.get("newfstatat", theirs.get("fstatat", -1))
    monkeypatch.setattr(kernel_module, "architecture", lambda: machine)
    ours = numbers.__wrapped__()
    newest = max(theirs.values())
    assert len(ours) > 140
    assert {name: number for name, number in ours.items() if number <= newest and theirs.get(name) != number} == {}


def test_every_name_has_a_number() -> None:
    if not numbers():
        pytest.skip("no table for this machine")
    known = {entry.split()[0] for entry in kernel_module._NUMBERS.replace("\n", "|").split("|") if entry.strip()}
    named = {*CHECKING.refused, *(name for name, _, _ in CHECKING.refused_bits), *RUNNING.refused, *(RUNNING.allowed or ())}
    assert named <= known


def test_a_machine_without_all_this(tmp_path: Path) -> None:
    code = (
        "from pathlib import Path\nfrom warpsmith.validation.sandbox.confine import *\n"
        "from warpsmith.validation.sandbox.confine import kernel\nkernel.numbers = lambda: {}\n"
        "from warpsmith.validation.sandbox.confine import calls\ncalls.numbers = kernel.numbers\n"
        "assert not confine_files([Path('.')]) and not forbid_files() and not filter_calls(CHECKING)\n"
        "assert landlock_version() == 0\nconfine = prepare_runner(1.0, 1 << 28, [1])\nassert not confine()\n"
        "import resource; print(resource.getrlimit(resource.RLIMIT_CPU))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "(1, 2)\n"
