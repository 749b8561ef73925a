"""Landlock: the files that a process may access. The process sets the rules itself, permanently; its children inherit them.

Open files stay open. Landlock does not restrict changes of owner, mode, times and extended attributes: `system_calls.CHECKING`
refuses the system calls for them.
"""

from __future__ import annotations

import ctypes
import functools
import os
import stat
from collections.abc import Callable, Sequence
from pathlib import Path

from warpsmith.validation.confinement.system_call_numbers import call, prepared, renouncing_privileges, single_threaded

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REMOVE_AND_MAKE = sum(1 << bit for bit in range(4, 13))  # directories, files, links, devices, sockets, pipes
_REFER, _TRUNCATE, _IOCTL_DEV = 1 << 13, 1 << 14, 1 << 15
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
"""The rights that a rule about a single file may name."""

_WRITING_SINCE = ((1, _WRITE_FILE | _REMOVE_AND_MAKE), (2, _REFER), (3, _TRUNCATE), (5, _IOCTL_DEV))
"""The version of the interface that introduced each right; older kernels refuse unknown rights."""

_BIND_AND_CONNECT_TCP = 0b11
_ABSTRACT_SOCKETS_AND_SIGNALS = 0b11


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("net", ctypes.c_uint64), ("scoped", ctypes.c_uint64))


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("allowed", ctypes.c_uint64), ("parent", ctypes.c_int32))


def landlock_version() -> int:
    """Return the version of Landlock's interface, 0 if the kernel has none."""
    return max(call("landlock_create_ruleset", None, 0, 1), 0)


def confine_files(writable: Sequence[Path], readable: Sequence[Path] | None = None) -> bool:
    """Let this process write, create, remove, rename and truncate only below ``writable``.

    Truncating is forbidden from Linux 6.2 on, TCP from 6.7, signals and abstract Unix sockets to processes that are not
    descendants from 6.12. Before Linux 7.0, threads that already run keep their rights: call this function before starting any.

    Args:
        writable: existing folders, and single files such as devices; renames between them are allowed from Linux 5.19 on.
        readable: what else the process may read and list, existing folders and files; None for everything.

    Returns:
        Whether files are confined for every thread of the process.
    """
    reading = 0 if readable is None else _READ_FILE | _READ_DIR
    rights = _writing() | reading
    ruleset = _ruleset(rights | (_EXECUTE if reading else 0))
    try:
        if ruleset >= 0:
            for path in writable:
                _allow(ruleset, path, rights)
            for path in readable or ():
                _allow(ruleset, path, reading)
        return _restrict(ruleset)
    finally:
        if ruleset >= 0:
            os.close(ruleset)


def forbid_files() -> bool:
    """Forbid this process to open any file, for reading or writing; otherwise the same as `confine_files`."""
    return _restrict(_without_files())


def forbidding_files() -> Callable[[], int]:
    """Return a call with the effect of `forbid_files`, for single-threaded processes that have renounced privileges."""
    return prepared("landlock_restrict_self", _without_files(), 0)


def forbidding_writes() -> Callable[[], int]:
    """Return a call that forbids all changes of files; reading stays as it is. For the same processes as `forbidding_files`."""
    return prepared("landlock_restrict_self", _without_writing(), 0)


@functools.cache
def _without_files() -> int:
    return _ruleset(_writing() | _EXECUTE | _READ_FILE | _READ_DIR)


@functools.cache
def _without_writing() -> int:
    return _ruleset(_writing())


def _writing() -> int:
    version = landlock_version()
    return sum(rights for since, rights in _WRITING_SINCE if since <= version)


def _ruleset(rights: int) -> int:
    """Return a descriptor of rules that remove ``rights`` everywhere, or -1 if the kernel has no Landlock."""
    version = landlock_version()
    attributes = _Ruleset(
        rights, _BIND_AND_CONNECT_TCP if version >= 4 else 0, _ABSTRACT_SOCKETS_AND_SIGNALS if version >= 6 else 0
    )
    return call("landlock_create_ruleset", ctypes.byref(attributes), ctypes.sizeof(attributes), 0)


def _restrict(ruleset: int) -> bool:
    if ruleset < 0 or renouncing_privileges()() < 0:
        return False
    every_thread = 1 << 3
    if landlock_version() >= 8 and call("landlock_restrict_self", ruleset, every_thread) == 0:
        return True
    alone = single_threaded()
    return call("landlock_restrict_self", ruleset, 0) == 0 and alone


def _allow(ruleset: int, path: Path, rights: int) -> None:
    below_path = 1
    parent = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        if not stat.S_ISDIR(os.fstat(parent).st_mode):
            rights &= _OF_FILES
        rule = _PathBeneath(rights, parent)
        if call("landlock_add_rule", ruleset, below_path, ctypes.byref(rule), 0) < 0:
            raise OSError(ctypes.get_errno(), "Landlock accepts no rule about this path", str(path))
    finally:
        os.close(parent)
