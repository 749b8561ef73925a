"""Run a command where the system lacks something: ``python without_calls.py MISSING COMMAND [ARGUMENT...]``.

MISSING is the name of a system call, which then fails with ENOSYS in the command and its children; ``proc``, for a system whose
/proc is empty; or ``root``, for a user without privileges. COMMAND is the name of an entry point of warpsmith.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
from importlib.metadata import entry_points

from warpsmith.validation.confinement.system_call_numbers import numbers

NOT_PERMITTED = 77
"""The exit code if this system does not permit the preparation."""

libc = ctypes.CDLL(None, use_errno=True)


class Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def forbid_call(number: int) -> None:
    """Let a call fail with ENOSYS, with a filter that is made without the code under test."""
    load, equals, answer = 0x20, 0x15, 0x06
    steps = [(load, 0, 0, 0), (equals, 0, 1, number), (answer, 0, 0, 0x00050000 | errno.ENOSYS), (answer, 0, 0, 0x7FFF0000)]
    code = b"".join(struct.pack("=HBBI", *step) for step in steps)
    no_new_privileges, set_seccomp, filter_mode = 38, 22, 2
    libc.prctl(no_new_privileges, 1, 0, 0, 0)
    permitted(libc.prctl(set_seccomp, filter_mode, ctypes.byref(Program(len(steps), code)), 0, 0))


def empty_proc() -> None:
    new_mounts, private, recursive = 0x20000, 1 << 18, 1 << 14
    permitted(libc.unshare(new_mounts))
    permitted(libc.mount(b"none", b"/", None, private | recursive, None))
    permitted(libc.mount(b"tmpfs", b"/proc", b"tmpfs", 0, None))


def permitted(result: int) -> None:
    if result != 0:
        sys.exit(NOT_PERMITTED)


def main(missing: str, command: str, *arguments: str) -> None:
    (entry,) = entry_points(group="console_scripts", name=command)
    function = entry.load()
    if missing == "proc":
        empty_proc()
    elif missing == "root":
        if os.getuid() != 0:
            sys.exit(NOT_PERMITTED)
        os.setgroups([])
        os.setresgid(65534, 65534, 65534)
        os.setresuid(65534, 65534, 65534)
    else:
        forbid_call(numbers()[missing])
    sys.argv = [command, *arguments]
    function()


if __name__ == "__main__":
    main(*sys.argv[1:])
