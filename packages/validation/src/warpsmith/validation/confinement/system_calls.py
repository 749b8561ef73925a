"""seccomp: the system calls that a process may make. The process sets the filter itself, permanently; its children inherit it.

A filter is a program of the kernel's packet filter (BPF) over the number of the call, the architecture, and its numeric
arguments. The same numbers denote other calls on other architectures (i386 or x32 on x86_64), so that such calls kill the
process.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import struct
from collections.abc import Callable
from dataclasses import dataclass, replace

from warpsmith.validation.confinement.system_call_numbers import audit_architecture, numbers, prepared, renouncing_privileges


@dataclass(frozen=True, slots=True)
class Calls:
    """A policy for system calls.

    Attributes:
        refused: calls that fail with EPERM.
        refused_bits: calls that fail with EPERM only if an argument has some of these bits: (name, argument number, bits).
        allowed: the other calls that the process may make, any further one kills it with SIGSYS; None allows all others.
    """

    refused: tuple[str, ...]
    refused_bits: tuple[tuple[str, int, int], ...] = ()
    allowed: tuple[str, ...] | None = None


_NEW_NAMESPACES = 0x7E020000

CHECKING = Calls(
    refused=tuple(
        """
        execve execveat

        ptrace process_vm_readv process_vm_writev process_madvise process_mrelease kcmp move_pages migrate_pages
        pidfd_getfd pidfd_send_signal rt_sigqueueinfo rt_tgsigqueueinfo
        setpriority ioprio_set sched_setaffinity sched_setattr sched_setparam sched_setscheduler

        socket socketpair io_uring_setup io_uring_enter io_uring_register

        setsid setpgid

        shmget shmat shmctl semget semctl semop semtimedop msgget msgctl msgsnd msgrcv mq_open mq_unlink

        chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat utime utimes futimesat utimensat file_setattr
        setxattr lsetxattr fsetxattr setxattrat removexattr lremovexattr fremovexattr removexattrat

        setuid setgid setreuid setregid setresuid setresgid setfsuid setfsgid setgroups capset
        clone3 unshare setns chroot pivot_root mount umount2 mount_setattr move_mount open_tree open_tree_attr
        fsopen fsconfig fsmount fspick open_by_handle_at fanotify_init
        add_key keyctl request_key bpf perf_event_open userfaultfd

        init_module finit_module delete_module kexec_load kexec_file_load reboot
        settimeofday clock_settime clock_adjtime adjtimex sethostname setdomainname swapon swapoff acct
        quotactl quotactl_fd syslog vhangup iopl ioperm personality
        """.split()
    ),
    refused_bits=(("clone", 0, _NEW_NAMESPACES), ("prlimit64", 0, 0xFFFFFFFF)),
)
"""For a process that loads Python, compiles, and forks runners.

The paragraphs refuse, in order: programs; access to other processes, except plain signals, which `confine_files` restricts;
the network; leaving the process group that the client kills; objects that outlive the process; changes of files that Landlock
does not restrict; privileges and other views of the system; changes of the machine. A process may set limits (``prlimit64``)
for itself only.
"""

_CONNECTIONLESS = 0b10
"""A bit of the types of sockets that send without a connection: SOCK_DGRAM, SOCK_RAW and SOCK_PACKET, not SOCK_STREAM."""

_NOT_UNIX = 0xFFFFFFFE
"""The bits of socket families other than AF_UNIX."""

_SOCKETS = ("socket", "socketpair")

DRIVING = replace(
    CHECKING,
    refused=(*(name for name in CHECKING.refused if name not in _SOCKETS), "connect"),
    refused_bits=(
        *CHECKING.refused_bits,
        *((name, 0, _NOT_UNIX) for name in _SOCKETS),
        *((name, 1, _CONNECTIONLESS) for name in _SOCKETS),
    ),
)
"""For a process that drives a CUDA device: `CHECKING`, and local sockets that cannot be connected.

CUDA opens an abstract Unix socket for other processes when it starts. It cannot connect to others, such as CUDA's MPS server.
"""

RUNNING = Calls(
    refused=("ioctl", "newfstatat"),  # printf of the C library tries these first, and works without them
    allowed=tuple(
        """
        read write writev lseek close fstat
        mmap munmap mremap mprotect madvise brk
        futex sched_yield sched_getaffinity getpid gettid
        rt_sigaction rt_sigprocmask rt_sigreturn sigaltstack restart_syscall
        clock_gettime clock_getres gettimeofday time getrusage getrandom
        exit exit_group
        """.split()
    ),
)
"""For a fork that runs loaded machine code, writes results to memory and ends with ``os._exit``; fibers need only memory.

Python works in such a process as long as it does not import, sleep, or read source files for a traceback.
"""

LOADING = replace(CHECKING, refused=(*CHECKING.refused, *"clone fork vfork kill tkill tgkill prctl".split()))
"""For a fork that loads the Python of one pair: `CHECKING`, without new processes, threads and signals."""

_KILL, _ALLOW, _ERROR = 0x80000000, 0x7FFF0000, 0x00050000
_LOAD, _IS, _IS_AT_LEAST, _HAS_BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_X32 = 0x40000000
"""Set in the numbers of the x32 interface, which has the architecture of x86_64."""


def filter_calls(calls: Calls) -> bool:
    """Let this process, with all its threads, make no other system calls than ``calls`` allows.

    Returns:
        Whether the filter is set; False if the kernel has no seccomp or this machine has no table of numbers.
    """
    return renouncing_privileges()() == 0 and filtering_calls(calls)() == 0


@functools.cache
def filtering_calls(calls: Calls) -> Callable[[], int]:
    """Return a call with the effect of `filter_calls`, for processes that have renounced privileges."""
    if not numbers():
        return lambda: -1
    program = _program(calls)
    set_filter, every_thread = 1, 1
    return prepared("seccomp", set_filter, every_thread, ctypes.byref(_Program(len(program) // 8, program)))


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def _program(calls: Calls) -> bytes:
    table = numbers()
    steps = [(_LOAD, 0, 0, _ARCHITECTURE), (_IS, 1, 0, audit_architecture()), (_RETURN, 0, 0, _KILL)]
    steps += [(_LOAD, 0, 0, _NUMBER), (_IS_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _KILL)]
    for name, argument, bits in calls.refused_bits:
        low_half = _ARGUMENTS + 8 * argument
        steps += [(_IS, 0, 4, table[name]), (_LOAD, 0, 0, low_half), (_HAS_BITS, 0, 1, bits), (_RETURN, 0, 0, _error(name))]
        steps += [(_LOAD, 0, 0, _NUMBER)]
    for name in calls.refused:
        if name in table:
            steps += [(_IS, 0, 1, table[name]), (_RETURN, 0, 0, _error(name))]
    for name in calls.allowed or ():
        if name in table:
            steps += [(_IS, 0, 1, table[name]), (_RETURN, 0, 0, _ALLOW)]
    steps.append((_RETURN, 0, 0, _ALLOW if calls.allowed is None else _KILL))
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


def _error(name: str) -> int:
    """Return the error of a refused call.

    Without ``clone3`` the C library uses ``clone``, whose flags a filter can check; ENOSYS makes it do so.
    """
    return _ERROR | (errno.ENOSYS if name == "clone3" else errno.EPERM)
