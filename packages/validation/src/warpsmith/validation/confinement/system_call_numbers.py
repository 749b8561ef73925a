"""System calls by name, for calls that Python has no function for: their numbers on two architectures, and `prepared`.

The calls go through the C library, by ctypes. libseccomp is not used, because not every machine has it; the table below
replaces it.
"""

from __future__ import annotations

import ctypes
import functools
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

_AUDIT_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

_NUMBERS = """
acct 163 89 | add_key 248 217 | adjtimex 159 171 | bpf 321 280 | brk 12 214 | capset 126 91 | chmod 90 - | chown 92 -
chroot 161 51 | clock_adjtime 305 266 | clock_getres 229 114 | clock_gettime 228 113 | clock_settime 227 112
clone 56 220 | clone3 435 435 | close 3 57 | close_range 436 436 | connect 42 203 | delete_module 176 106 | execve 59 221
execveat 322 281 | exit 60 93 | exit_group 231 94 | fanotify_init 300 262 | fchmod 91 52 | fchmodat 268 53
fchmodat2 452 452 | fchown 93 55 | fchownat 260 54 | file_setattr 469 469 | finit_module 313 273 | fremovexattr 199 16
fsconfig 431 431 | fsetxattr 190 7 | fsmount 432 432 | fsopen 430 430 | fspick 433 433 | fstat 5 80 | futex 202 98
futimesat 261 - | getpid 39 172 | getrandom 318 278 | getrusage 98 165 | gettid 186 178 | gettimeofday 96 169
init_module 175 105 | io_uring_enter 426 426 | io_uring_register 427 427 | io_uring_setup 425 425 | ioctl 16 29
ioperm 173 - | iopl 172 - | ioprio_set 251 30 | kcmp 312 272 | kexec_file_load 320 294 | kexec_load 246 104
keyctl 250 219 | landlock_add_rule 445 445 | landlock_create_ruleset 444 444 | landlock_restrict_self 446 446
lchown 94 - | lremovexattr 198 15 | lseek 8 62 | lsetxattr 189 6 | madvise 28 233 | migrate_pages 256 238 | mmap 9 222
mount 165 40 | mount_setattr 442 442 | move_mount 429 429 | move_pages 279 239 | mprotect 10 226 | mq_open 240 180
mq_unlink 241 181 | mremap 25 216 | msgctl 71 187 | msgget 68 186 | msgrcv 70 188 | msgsnd 69 189 | munmap 11 215
newfstatat 262 79 | open_by_handle_at 304 265 | open_tree 428 428 | open_tree_attr 467 467 | perf_event_open 298 241
personality 135 92 | pidfd_getfd 438 438 | pidfd_send_signal 424 424 | pivot_root 155 41
fork 57 - | kill 62 129 | tgkill 234 131 | tkill 200 130 | vfork 58 -
prctl 157 167 | prlimit64 302 261 | process_madvise 440 440 | process_mrelease 448 448 | process_vm_readv 310 270
process_vm_writev 311 271 | ptrace 101 117 | quotactl 179 60 | quotactl_fd 443 443 | read 0 63 | reboot 169 142
removexattr 197 14 | removexattrat 466 466 | request_key 249 218 | restart_syscall 219 128 | rt_sigaction 13 134
rt_sigprocmask 14 135 | rt_sigqueueinfo 129 138 | rt_sigreturn 15 139 | rt_tgsigqueueinfo 297 240
sched_getaffinity 204 123 | sched_setaffinity 203 122 | sched_setattr 314 274 | sched_setparam 142 118
sched_setscheduler 144 119 | sched_yield 24 124 | seccomp 317 277 | semctl 66 191 | semget 64 190 | semop 65 193
semtimedop 220 192 | setdomainname 171 162 | setfsgid 123 152 | setfsuid 122 151 | setgid 106 144 | setgroups 116 159
sethostname 170 161 | setns 308 268 | setpgid 109 154 | setpriority 141 140 | setregid 114 143 | setresgid 119 149
setresuid 117 147 | setreuid 113 145 | setsid 112 157 | settimeofday 164 170 | setuid 105 146 | setxattr 188 5
setxattrat 463 463 | shmat 30 196 | shmctl 31 195 | shmget 29 194 | sigaltstack 131 132 | socket 41 198
socketpair 53 199 | swapoff 168 225 | swapon 167 224 | syslog 103 116 | time 201 - | umount2 166 39 | unshare 272 97
userfaultfd 323 282 | utime 132 - | utimensat 280 88 | utimes 235 - | vhangup 153 58 | write 1 64 | writev 20 66
"""
"""Name, number on x86_64, number on aarch64; ``-`` if the architecture does not have the call."""


@functools.cache
def architecture() -> str | None:
    """Return ``"x86_64"`` or ``"aarch64"`` for a 64-bit process on Linux on one of these; otherwise None."""
    if sys.platform != "linux" or sys.maxsize < 1 << 32:
        return None
    machine = os.uname().machine
    return machine if machine in _AUDIT_ARCHITECTURE else None


def audit_architecture() -> int:
    """Return the architecture that a seccomp filter reads for calls of this process."""
    return _AUDIT_ARCHITECTURE[architecture() or ""]


@functools.cache
def numbers() -> dict[str, int]:
    """Return the numbers of this machine by name; empty if there is no table for this machine."""
    column = {"x86_64": 1, "aarch64": 2}.get(architecture() or "")
    if column is None:
        return {}
    rows = [entry.split() for entry in _NUMBERS.replace("\n", "|").split("|") if entry.strip()]
    return {row[0]: int(row[column]) for row in rows if row[column] != "-"}


@functools.cache
def _libc() -> Any:
    return ctypes.CDLL(None, use_errno=True)


def prepared(name: str, *arguments: Any) -> Callable[[], int]:
    """Return a prepared system call; its result is -1 for an error, and if this machine does not have the call.

    A fork pays for each page of Python that it touches, so that its calls are prepared in the parent.
    """
    number = numbers().get(name)
    if number is None:
        return lambda: -1
    numeric = [ctypes.c_long(argument) if isinstance(argument, int) else argument for argument in arguments]
    return functools.partial(_libc().syscall, ctypes.c_long(number), *numeric)


def call(name: str, *arguments: Any) -> int:
    """Make a system call now, see `prepared`."""
    return prepared(name, *arguments)()


def renouncing_privileges() -> Callable[[], int]:
    """Return the call that prevents programs of this process from gaining privileges; Landlock and seccomp require it."""
    set_no_new_privileges = 38
    return prepared("prctl", set_no_new_privileges, 1, 0, 0, 0)


def dying_with_parent() -> Callable[[], int]:
    """Return the call that makes the kernel kill this process when the thread that forked it ends."""
    set_death_signal = 1
    return prepared("prctl", set_death_signal, int(signal.SIGKILL), 0, 0, 0)


def single_threaded() -> bool:
    """Return whether this process has one thread only."""
    try:
        return sum(1 for _ in Path("/proc/self/task").iterdir()) == 1
    except OSError:  # without /proc: the kernel accepts this request, which changes nothing, from single threads only
        clone_thread = 0x10000
        return call("unshare", clone_thread) == 0
