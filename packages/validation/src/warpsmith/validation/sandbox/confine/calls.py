"""seccomp: which system calls a process may make, decided by the process itself and for good; what it starts inherits it.

A filter is a program of the kernel's packet filter (BPF) over the number of the call, the architecture, and its arguments as
far as they are numbers. Calls of another architecture than the process's own, i386 or x32 on x86_64, mean other things by the
same numbers, and kill.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import struct
from collections.abc import Callable
from dataclasses import dataclass

from warpsmith.validation.sandbox.confine.kernel import audit_architecture, numbers, prepared, renouncing_privileges


@dataclass(frozen=True, slots=True)
class Calls:
    """What a process may ask of the kernel.

    Attributes:
        refused: calls that fail with EPERM.
        refused_bits: calls that fail so only if an argument has some of these bits: (name, which argument, bits).
        allowed: the only other calls there are, any further one kills the process with SIGSYS; None allows all others.
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

By paragraph: no programs; hands off other processes, but for plain signals, which `confine_files` scopes; no network; no way
out of the process group that the parent kills; nothing that outlives the process; what Landlock does not see of files; no
rights and no other view of the system; nothing that changes the machine. Limits (``prlimit64``) it sets for itself only.
"""

RUNNING = Calls(
    refused=("ioctl", "newfstatat"),  # what printf of the C library asks before it writes; it does without
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
"""For a fork that runs loaded machine code, writes down what came out and leaves by ``os._exit``; fibers need memory only.

Python goes on to work in it, as long as it imports nothing, sleeps not, and reads no source to print a traceback.
"""

_KILL, _ALLOW, _ERROR = 0x80000000, 0x7FFF0000, 0x00050000
_LOAD, _IS, _IS_AT_LEAST, _HAS_BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_X32 = 0x40000000
"""Set in the numbers of the x32 interface, which has the architecture of x86_64."""


def filter_calls(calls: Calls) -> bool:
    """Let this process, with all its threads, make no other system calls than ``calls`` allows.

    Returns:
        Whether that is so now; False where the kernel has no seccomp, or no table of numbers is at hand.
    """
    return renouncing_privileges()() == 0 and filtering_calls(calls)() == 0


@functools.cache
def filtering_calls(calls: Calls) -> Callable[[], int]:
    """Return the call that does what `filter_calls` does, for processes that have renounced privileges."""
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
    """The C library goes back to ``clone``, whose flags a filter can see, where the kernel seems not to have ``clone3``."""
    return _ERROR | (errno.ENOSYS if name == "clone3" else errno.EPERM)
