"""Problems of the machine, as opposed to those of a pair: a full disk, no memory, no descriptors, no processes.

A pair must not fail because of its surroundings. Code in a worker that meets such a problem raises `MachineProblem`, from which
no verdict on the pair follows.
"""

from __future__ import annotations

import errno
import re

from warpsmith.core.errors import describe

_ERRNOS = frozenset(
    getattr(errno, name) for name in "ENOSPC EDQUOT EFBIG EMFILE ENFILE ENOMEM EAGAIN EIO EROFS EBADF EPIPE".split()
)
"""Errors of system calls that say that the machine or the process lacks something."""


_WORDS = re.compile(
    r"no space left on device|disk quota exceeded|too many open files|cannot allocate memory|out of memory|file too large"
    r"|input/output error|read-only file system|resource temporarily unavailable|unable to open output file",
    re.IGNORECASE,
)
"""Parts of the messages of compilers that say that the machine lacks something."""


class MachineProblem(Exception):
    """The machine could not do what a check needs; the message is one line."""


def machine_problem(error: BaseException) -> str | None:
    """Return how the machine failed, in one line, if ``error`` says that it did; otherwise None.

    Examples:
        >>> machine_problem(OSError(28, "No space left on device"))
        'OSError: [Errno 28] No space left on device'
        >>> machine_problem(ValueError("of a pair")) is None
        True
    """
    if isinstance(error, MachineProblem):
        return str(error)
    if isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno in _ERRNOS):
        return describe(error)
    return None


def machine_problem_behind(error: BaseException) -> str | None:
    """Return how the machine failed, in one line, if ``error`` or an exception that led to it says so; otherwise None.

    Examples:
        >>> try:
        ...     raise ValueError("while parsing") from OSError(9, "Bad file descriptor")
        ... except ValueError as error:
        ...     machine_problem_behind(error)
        'OSError: [Errno 9] Bad file descriptor'
    """
    step: BaseException | None = error
    while step is not None:
        if isinstance(step, (OSError, MachineProblem)) and (problem := machine_problem(step)) is not None:
            return problem
        step = step.__cause__ or step.__context__
    return None


def machine_words(log: str) -> str | None:
    """Return the first line of a compiler's log that reports a problem of the machine, or None if there is none.

    Examples:
        >>> machine_words("fatal error: error in backend: IO failure on output stream: No space left on device")
        'fatal error: error in backend: IO failure on output stream: No space left on device'
        >>> machine_words("unit.cpp:3:1: error: unknown type name 'flaot'") is None
        True
    """
    return next((line.strip()[:300] for line in log.split("\n") if _WORDS.search(line)), None)
