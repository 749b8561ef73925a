"""The errors that warpsmith raises on purpose, with the exit codes of commands.

Every message is one line and names a solution, because users see it without a traceback.
"""

from __future__ import annotations

import signal

EXIT_DONE = 0
EXIT_FAILED = 1
EXIT_BAD_INPUT = 2
EXIT_NO_DEVICE = 3
EXIT_INTERNAL = 70
"""A fault of the program, see `commands.options.run`."""


class WarpsmithError(Exception):
    """Base of all errors that warpsmith raises on purpose; ``exit_code`` is the exit code of a command that fails with it."""

    exit_code = EXIT_BAD_INPUT


class UnsupportedWarpError(WarpsmithError):
    """The installed Warp is outside the range of supported releases."""


class RecordError(WarpsmithError):
    """A line of a dataset is not a valid record."""


class TargetError(WarpsmithError):
    """A file, folder or module that the user named cannot be found, imported or written."""


class SandboxError(WarpsmithError):
    """A sandboxed process cannot work on this machine, or its sandbox is incomplete."""


class DeviceError(WarpsmithError):
    """The requested device does not exist on this machine."""

    exit_code = EXIT_NO_DEVICE


class KernelRejected(WarpsmithError):
    """A kernel that cannot become a pair.

    Attributes:
        stage: the stage that failed: ``"load"``, ``"source"``, ``"codegen"``, ``"ptx"`` or ``"build"``.
        reason: one line; for ``"codegen"`` it is Warp's own message.
    """

    exit_code = EXIT_FAILED

    def __init__(self, stage: str, reason: str) -> None:
        self.stage = stage
        self.reason = single_line(reason)
        super().__init__(f"{stage}: {self.reason}")

    def __reduce__(self) -> tuple[type[KernelRejected], tuple[str, str]]:
        return KernelRejected, (self.stage, self.reason)  # pickle would pass the message instead


def single_line(text: str, limit: int = 500) -> str:
    r"""Return ``text`` as a single line of at most ``limit`` characters.

    Examples:
        >>> single_line("a\n  b")
        'a b'
    """
    folded = " ".join(text.split())
    return folded if len(folded) <= limit else folded[: limit - 1] + "…"


def signal_name(number: int) -> str:
    """Return the name of a signal, such as ``SIGKILL``."""
    return signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"


def describe(error: BaseException) -> str:
    """Return the type and the message of an exception in one line."""
    message = single_line(str(error))
    return f"{type(error).__name__}: {message}" if message else type(error).__name__
