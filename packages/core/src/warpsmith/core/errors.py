"""What can go wrong, each with the exit code that a command ends with.

Every message is one line and names the way out, because a user reads it without a traceback.
"""

from __future__ import annotations

EXIT_DONE = 0
EXIT_SOME_FAILED = 1
EXIT_BAD_INPUT = 2
EXIT_NO_DEVICE = 3


class WarpsmithError(Exception):
    """Base of all errors that warpsmith raises on purpose; ``exit_code`` is what a command returns for it."""

    exit_code = EXIT_BAD_INPUT


class UnsupportedWarpError(WarpsmithError):
    """The installed Warp is outside the range whose code generation was checked."""


class RecordError(WarpsmithError):
    """A line of a dataset is not a valid record."""


class TargetError(WarpsmithError):
    """What was named on the command line cannot be found, imported or written."""


class DeviceError(WarpsmithError):
    """A device was asked for that this machine does not have."""

    exit_code = EXIT_NO_DEVICE


class KernelRejected(WarpsmithError):
    """A kernel that no pair can be made of.

    Attributes:
        stage: where it failed: ``"load"``, ``"source"``, ``"codegen"`` or ``"build"``.
        reason: why, in one line; for ``"codegen"`` it is Warp's own message.
    """

    exit_code = EXIT_SOME_FAILED

    def __init__(self, stage: str, reason: str) -> None:
        self.stage = stage
        self.reason = one_line(reason)
        super().__init__(f"{stage}: {self.reason}")

    def __reduce__(self) -> tuple[type[KernelRejected], tuple[str, str]]:
        return KernelRejected, (self.stage, self.reason)  # its message is not its arguments, which pickling would assume


def one_line(text: str, limit: int = 500) -> str:
    """Fold ``text`` to a single line of at most ``limit`` characters."""
    folded = " ".join(text.split())
    return folded if len(folded) <= limit else folded[: limit - 1] + "…"


def describe(error: BaseException) -> str:
    """Name an exception and its message in one line."""
    message = one_line(str(error))
    return f"{type(error).__name__}: {message}" if message else type(error).__name__
