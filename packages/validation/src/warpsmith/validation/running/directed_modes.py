"""The modes of rounding of the processor, upwards and downwards, in which launches and interpretations run."""

from __future__ import annotations

import ctypes
import platform
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from warpsmith.validation.running.entry_calls import Call

_CONSTANTS = {"x86_64": (0x800, 0x400), "aarch64": (0x400000, 0x800000)}
"""``FE_UPWARD`` and ``FE_DOWNWARD`` of C by processor."""

DIRECTED = _CONSTANTS.get(platform.machine(), ())
"""The directed modes; none where their constants are unknown."""

_NEAREST = 0


@contextmanager
def rounding(mode: int) -> Iterator[None]:
    """Let this thread round in a mode, and to the nearest number afterwards."""
    set_mode = ctypes.CDLL(None).fesetround
    set_mode(mode)
    try:
        yield
    finally:
        set_mode(_NEAREST)


def in_mode(mode: int, calls: Sequence[Call]) -> Call:
    """Return a call that makes ``calls`` in a mode of rounding."""

    def run() -> None:
        with rounding(mode):
            for call in calls:
                call()

    return run
