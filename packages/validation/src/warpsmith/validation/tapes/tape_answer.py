"""What a worker answers about a recording; the client that reads it imports nothing that the worker runs.

Numbers that are not finite become None on the way, because JSON has none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

WITHOUT_CONTENTS = "memory without contents"
"""The kind of a fault of the forward pass."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TapeFault:
    """A launch at which a tape goes wrong, or may go wrong.

    Attributes:
        kind: the kind of fault.
        place: file and line of the call in the program.
        kernel: the name of the kernel.
        text: what is wrong, in one sentence without its subject.
        status: ``fail`` if opinions agree, else ``inconclusive``.
        got: the derivative of the loss by the tape, at this launch.
        expected: the derivative by the launches.
    """

    kind: str
    place: str
    kernel: str
    text: str
    status: Literal["fail", "inconclusive"]
    got: float | None = 0.0
    expected: float | None = 0.0

    @property
    def is_wrong(self) -> bool:
        """Whether a gradient is wrong; memory without contents makes the loss itself wrong."""
        return self.status == "fail" and self.kind != WITHOUT_CONTENTS

    @property
    def explained(self) -> str:
        """What is wrong."""
        return f"{self.kernel} {self.text}"

    def __str__(self) -> str:
        return f"{self.place}: {self.explained}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TapeAnswer:
    """What a check says.

    Attributes:
        unchecked: why the recording is not checked; empty if it is. A ``problem`` would be one of the sandbox.
        faults: what is wrong, in the order of the backward pass.
        compared: how many launches were compared.
        unknown: the numbers of the launches that were not, with the reasons.
        expected: the derivative of the loss along one direction by the launches.
        got: the same by the gradients of the tape.
        replayed: the same by a replay of all launches; None without a fault, or if a launch cannot be repeated.
    """

    unchecked: str = ""
    faults: tuple[TapeFault, ...] = ()
    compared: int = 0
    unknown: tuple[tuple[int, str], ...] = ()
    expected: float | None = 0.0
    got: float | None = 0.0
    replayed: float | None = None
