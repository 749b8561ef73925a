"""Actions of a process that has confined itself: ``python confined_actions.py CONFINEMENT ACTION SCRATCH [ARGUMENT]``.

The script prints the result of the action or its error. A fatal signal shows in the exit status.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import mmap
import os
import resource
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from warpsmith.validation.confinement import CHECKING, confine_files, filter_calls, forbid_files, prepare_runner
from warpsmith.validation.confinement.system_call_numbers import call, numbers

libc = ctypes.CDLL(None, use_errno=True)


def checked(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), "the system call failed")
    return result


# ------------------------------------------------------------------------------------------------------------------- files


def link_and_write(scratch: Path, target: str) -> None:
    (scratch / "link").symlink_to(target)
    (scratch / "link").write_text("changed")


def rename_inside(scratch: Path, _: str) -> None:
    (scratch / "a").mkdir()
    (scratch / "a/file").write_text("")
    (scratch / "a/file").rename(scratch / "moved")


def write_and_rename(scratch: Path, target: str) -> None:
    (scratch / "file").write_text("changed")
    (scratch / "file").rename(target)


def in_thread(action: Callable[[], object]) -> None:
    errors: list[OSError] = []

    def run() -> None:
        try:
            action()
        except OSError as error:
            errors.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if errors:
        raise errors[0]


def touch_by_program(_: Path, target: str) -> str:
    return str(subprocess.run(["touch", target], check=False, stderr=subprocess.DEVNULL).returncode)


# --------------------------------------------------------------------------------------------------------- other processes


def kill_own_child(_: Path, __: str) -> None:
    child = os.fork()
    if child == 0:
        time.sleep(60)
    ended = os.pidfd_open(child)
    os.kill(child, signal.SIGKILL)
    select.select([ended], [], [], 10.0)
    os.close(ended)
    os.waitpid(child, 0)


def leave_the_group(_: Path, __: str) -> None:
    """Print the process id of a grandchild that tries to start a session, and wait."""
    if os.fork() == 0:
        if os.fork() == 0:
            with contextlib.suppress(OSError):
                os.setsid()
            print(os.getpid(), flush=True)
        time.sleep(60)
    time.sleep(60)


def new_namespace(_: Path, __: str) -> None:
    new_user = 0x10000000
    if checked(call("clone", new_user | signal.SIGCHLD, 0, 0, 0, 0)) == 0:
        os._exit(0)
    os.wait()


# -------------------------------------------------------------------------------------------------- processor and memory


def machine_code(code: bytes) -> Callable[[], int]:
    memory = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    memory.write(code)
    function = ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(memory)))
    function.memory = memory
    return function


def burn(seconds: float) -> None:
    while time.process_time() < seconds:
        pass


def burn_with_sigxcpu_ignored(_: Path, __: str) -> None:
    signal.signal(signal.SIGXCPU, signal.SIG_IGN)
    burn(2.5)


def work(_: Path, __: str) -> str:
    """Do what a harmless runner does, in Python and in the C library."""
    values = {number: str(number) * 100 for number in range(10_000)}
    large = bytearray(50 << 20)
    shared = mmap.mmap(-1, 1 << 20)
    shared[:5] = b"hello"
    with contextlib.suppress(ZeroDivisionError):
        _ = 1 / 0
    lock = threading.Lock()
    with lock:
        libc.printf(b"%d\n", len(values))
        libc.fflush(None)
    return f"{len(large)} {os.getpid() > 1} {len(os.urandom(8))} {time.perf_counter() > 0}"


def socket_of(family: socket.AddressFamily, kind: socket.SocketKind) -> None:
    socket.socket(family, kind).close()


def connect(family: socket.AddressFamily, address: object) -> None:
    with socket.socket(family, socket.SOCK_STREAM) as connection:
        connection.connect(address)  # type: ignore[arg-type]


ACTIONS: dict[str, Callable[[Path, str], object]] = {
    "write": lambda _, target: Path(target).write_text("changed"),
    "write in scratch": lambda scratch, _: (scratch / "file").write_text("changed"),
    "write in a thread": lambda _, target: in_thread(lambda: Path(target).write_text("changed")),
    "write by a program": touch_by_program,
    "truncate": lambda _, target: os.truncate(target, 0),
    "remove": lambda _, target: Path(target).unlink(),
    "make a folder": lambda _, target: Path(target + " folder").mkdir(),
    "make a link": lambda _, target: Path(target + " link").symlink_to("anything"),
    "make a pipe": lambda _, target: os.mkfifo(target + " pipe"),
    "rename out": write_and_rename,
    "rename in": lambda scratch, target: os.rename(target, scratch / "stolen"),  # noqa: PTH104 - os.rename returns None
    "hard link in": lambda scratch, target: (scratch / "hard").hardlink_to(target),
    "write through a link": link_and_write,
    "rename inside": rename_inside,
    "read": lambda _, target: Path(target).read_text(),
    "list": lambda _, target: len(list(Path(target).parent.iterdir())),
    "write to /dev/null": lambda _, __: Path(os.devnull).write_text(""),
    "chmod": lambda _, target: Path(target).chmod(0o777),
    "set times": lambda _, target: os.utime(target, (0, 0)),
    "connect by tcp": lambda _, port: connect(socket.AF_INET, ("127.0.0.1", int(port))),
    "bind by tcp": lambda _, __: socket.create_server(("127.0.0.1", 0)).close(),
    "connect to an abstract socket": lambda _, name: connect(socket.AF_UNIX, "\0" + name),
    "connect to a socket": lambda _, path: connect(socket.AF_UNIX, path),
    "open udp": lambda _, __: socket_of(socket.AF_INET, socket.SOCK_DGRAM),
    "open socketpair": lambda _, __: [end.close() for end in socket.socketpair()],
    "signal parent": lambda _, __: os.kill(os.getppid(), 0),
    "kill own child": kill_own_child,
    "limit parent": lambda _, __: len(resource.prlimit(os.getppid(), resource.RLIMIT_CPU)),
    "limit self": lambda _, __: len(resource.prlimit(0, resource.RLIMIT_CPU)),
    "system": lambda _, __: os.waitstatus_to_exitcode(os.system("exit 7")),  # noqa: S605 - the action itself
    "run a program": lambda _, __: subprocess.run(["true"], check=True).returncode,
    "become a program": lambda _, __: os.execvp("true", ["true"]),  # noqa: S606 - the action itself
    "leave the session": lambda _, __: os.setsid(),
    "lead a group": lambda _, __: os.setpgid(0, 0),
    "leave the group": leave_the_group,
    "unshare": lambda _, __: checked(libc.unshare(0x200)),
    "new namespace": new_namespace,
    "be traced": lambda _, __: checked(libc.ptrace(0, 0, 0, 0)),
    "shared memory": lambda _, __: checked(call("shmctl", checked(call("shmget", 0, 4096, 0o600)), 0, 0)),
    "clone3": lambda _, __: checked(call("clone3", None, 0)),
    "fork": lambda _, __: os._exit(0) if (child := os.fork()) == 0 else os.waitpid(child, 0)[1],
    "start a thread": lambda _, __: in_thread(os.getpid),
    "sleep": lambda _, __: time.sleep(0.01),
    "kill": lambda _, __: os.kill(os.getpid(), 0),
    "burn": lambda _, __: burn(2.5),
    "burn, SIGXCPU ignored": burn_with_sigxcpu_ignored,
    "hoard": lambda _, __: len(bytearray(300 << 20)),
    "open": lambda _, __: os.close(os.open("/", os.O_RDONLY)),
    "write to another descriptor": lambda _, number: os.write(int(number), b"forged\n"),
    "work": work,
    "i386": lambda _, __: machine_code(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")() == os.getpid(),  # mov eax, getpid; int 0x80
    "x32": lambda _, __: libc.syscall(ctypes.c_long(0x40000000 | 39)) in (-1, os.getpid()),
    "every refused call": lambda _, __: [name for name in CHECKING.refused if name in numbers() and not refused(name)],
    "fault": lambda _, __: ctypes.string_at(0),
}


def refused(name: str) -> bool:
    """Return whether a call is refused before the kernel checks its arguments, which are invalid."""
    expected = errno.ENOSYS if name == "clone3" else errno.EPERM
    return call(name, *6 * [-1]) < 0 and ctypes.get_errno() == expected


def outcome(name: str, scratch: Path, argument: str) -> str:
    try:
        result = ACTIONS[name](scratch, argument)
    except OSError as error:
        return errno.errorcode[error.errno or 0]
    except MemoryError:
        return "MemoryError"
    return "done" if result is None else str(result)


def in_runner(confined: bool, name: str, scratch: Path, argument: str) -> None:
    """Run an action in a fork, print the outcome, and end with the exit status or signal of the fork."""
    reading, writing = os.pipe()
    confine = prepare_runner(1.0, 128 << 20, [writing])
    child = os.fork()
    if child == 0:
        if confined and not confine():
            os._exit(1)
        os.write(writing, outcome(name, scratch, argument).encode())
        os._exit(0)
    os.close(writing)
    print(os.read(reading, 1000).decode(), flush=True)
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.kill(os.getpid(), os.WTERMSIG(status))
    sys.exit(os.waitstatus_to_exitcode(status))


CONFINEMENTS: dict[str, Callable[[Path], bool]] = {
    "none": lambda _: True,
    "files": lambda scratch: confine_files([scratch, Path(os.devnull)]),
    "no files": lambda _: forbid_files(),
    "checking": lambda _: filter_calls(CHECKING),
}


def from_earlier_thread(confine: Callable[[], bool], action: Callable[[], object]) -> tuple[bool, str]:
    """Run an action in a thread that started before the confinement."""
    ready, outcomes = threading.Event(), []

    def run() -> None:
        ready.wait()
        try:
            action()
            outcomes.append("done")
        except OSError as error:
            outcomes.append(errno.errorcode[error.errno or 0])

    thread = threading.Thread(target=run)
    thread.start()
    confined = confine()
    ready.set()
    thread.join()
    return confined, outcomes[0]


def main(confinement: str, name: str, scratch: str, argument: str = "") -> None:
    folder = Path(scratch)
    if confinement.endswith("runner"):
        in_runner(confinement == "runner", name, folder, argument)
    elif name.endswith("from a thread"):
        action = ACTIONS[name.removesuffix(", from a thread")]
        print(*from_earlier_thread(lambda: CONFINEMENTS[confinement](folder), lambda: action(folder, argument)))
    elif CONFINEMENTS[confinement](folder):
        print(outcome(name, folder, argument), flush=True)
    else:
        sys.exit("this system does not support the confinement")


if __name__ == "__main__":
    main(*sys.argv[1:])
