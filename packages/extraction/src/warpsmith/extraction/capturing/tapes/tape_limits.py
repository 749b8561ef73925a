"""The bounds of recordings of tapes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TapeLimits:
    """The bounds of recordings.

    Attributes:
        recordings: how many backward passes of one place of a program are recorded.
        events: the most launches and copies of a recording.
        nbytes: the most bytes of contents of a recording.
        total_bytes: the most bytes of contents of all recordings.
    """

    recordings: int = 2
    events: int = 2000
    nbytes: int = 32 << 20
    total_bytes: int = 512 << 20

    def excess(self, events: int, nbytes: int, kept: int) -> str:
        """Return the bound that does not allow a further event, or an empty text.

        Args:
            events: the number of events of the recording.
            nbytes: the bytes of its contents.
            kept: the bytes of the contents of all recordings before.
        """
        if events >= self.events:
            return f"more than {self.events} launches"
        if nbytes > self.nbytes:
            return f"more than {self.nbytes >> 20} MiB of contents"
        if kept + nbytes > self.total_bytes:
            return f"more than {self.total_bytes >> 20} MiB of contents of all recordings"
        return ""
