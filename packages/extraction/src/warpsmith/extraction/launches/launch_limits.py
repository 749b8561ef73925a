"""How much of a program's launches is kept."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """The bounds of a capture.

    Attributes:
        launches: how many different launches of a kernel are kept.
        launch_bytes: the most bytes of one launch's arguments; the arguments of larger launches are not copied.
        total_bytes: the most bytes of copied arguments that are held at a time.
    """

    launches: int = 3
    launch_bytes: int = 32 << 20
    total_bytes: int = 1 << 30


DEFAULT_LIMITS = Limits()
