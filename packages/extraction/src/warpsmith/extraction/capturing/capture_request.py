"""What the command and the process of the captured program exchange; this module loads neither Warp nor NumPy."""

from __future__ import annotations

from dataclasses import dataclass, field

from warpsmith.core.records.ir import Device
from warpsmith.extraction.launches.launch_limits import Limits


@dataclass(frozen=True, slots=True)
class Program:
    """A program and its arguments.

    Attributes:
        kind: ``"script"``, ``"module"`` or ``"command"``.
        target: the path of the script, or the name of the module or command.
        arguments: the arguments.
    """

    kind: str
    target: str
    arguments: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name that replaces ``__main__`` in ids of pairs."""
        file = self.target.replace("\\", "/").rpartition("/")[2]
        return file.removesuffix(".py") if self.kind == "script" else self.target


@dataclass(frozen=True, slots=True)
class CaptureRequest:
    """What to run, and what to write.

    Attributes:
        program: the program.
        device: the device of the pairs.
        include_backward: whether pairs have adjoints.
        accelerate: whether Warp's code generation is cached.
        only: packages or modules whose kernels become pairs; empty for all.
        names: names of kernels that become pairs; empty for all.
        limits: how many launches are kept.
        pairs: the file for the pairs.
        rejects: the file for the rejects.
        summary: the file for the `CaptureSummary`, which is written last.
        tapes: the file for recordings of tapes; empty if they are not recorded.
    """

    program: Program
    device: Device
    include_backward: bool
    accelerate: bool
    only: tuple[str, ...]
    names: tuple[str, ...]
    limits: Limits
    pairs: str
    rejects: str
    summary: str
    tapes: str = ""


@dataclass(slots=True)
class CaptureSummary:
    """What became of the launches of a program.

    Attributes:
        launches: how many launches there were.
        kernels: how many kernels were launched.
        kernels_with_launch: how many kernels became pairs with a launch.
        kernels_without_launch: how many kernels became pairs, but none with a launch.
        kernels_rejected: how many kernels did not become pairs.
        kernels_repeated: how many kernels left nothing: their pairs or their reject are those of a kernel before.
        pairs: how many pairs there are.
        pairs_with_launch: how many of them have a launch.
        without_launch: the reason of each pair without a launch, by id.
        without_backward: names of kernels whose pairs have no adjoint.
        tapes: how many backward passes were recorded.
        faults: errors of the capture itself.
    """

    launches: int = 0
    kernels: int = 0
    kernels_with_launch: int = 0
    kernels_without_launch: int = 0
    kernels_rejected: int = 0
    kernels_repeated: int = 0
    pairs: int = 0
    pairs_with_launch: int = 0
    without_launch: dict[str, str] = field(default_factory=dict)
    without_backward: list[str] = field(default_factory=list)
    tapes: int = 0
    faults: list[str] = field(default_factory=list)
