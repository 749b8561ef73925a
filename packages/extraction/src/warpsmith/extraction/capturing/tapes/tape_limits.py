"""How much of a program's tapes is recorded."""

from __future__ import annotations

from dataclasses import dataclass

CALLERS = 4
"""How many calls tell two uses of a tape apart."""


@dataclass(frozen=True, slots=True)
class TapeLimits:
    """The bounds of recordings.

    Attributes:
        recordings: how many backward passes are recorded of tapes that the program makes at one place, called from the same
            `CALLERS` places.
        events: the most launches and copies of a recording.
        nbytes: the most bytes of contents of a recording.
        total_bytes: the bytes of contents of all recordings after which there are no more.
    """

    recordings: int = 2
    events: int = 2000
    nbytes: int = 32 << 20
    total_bytes: int = 512 << 20

    @property
    def reason_of_all(self) -> str:
        """Why there are no further recordings after `total_bytes`."""
        return f"this and later passes are not recorded: all recordings have more than {self.total_bytes >> 20} MiB of contents"

    def exceeded_by(self, events: int, nbytes: int) -> str:
        """Return why a recording with so many events and bytes of contents cannot go on; empty if it can."""
        if events >= self.events:
            return f"more than {self.events} launches"
        return f"more than {self.nbytes >> 20} MiB of contents" if nbytes > self.nbytes else ""
