"""The messages about the speed of plain CUDA: texts whose launches are counted, and texts that are compiled for a device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from warpsmith.scoring.judging.worker_messages import Nonsense, PlainTextToRun, Rejection, WorkerTask, converted, rejection
from warpsmith.scoring.plain.plain_signature import Signature
from warpsmith.simt.compilers.resource_usage import ResourceUsage
from warpsmith.simt.launches.launch_results import Counts


@dataclass(frozen=True, slots=True)
class BinaryText:
    """A plain CUDA text that the policy has accepted, and the architecture of the device that it is compiled for."""

    text: str
    signature: Signature
    arch: int


@dataclass(frozen=True, slots=True)
class Costed:
    """What the launches of a text cost.

    Attributes:
        counts: the counts of each launch.
        usage: what the kernel needs of a multiprocessor.
        shared: bytes of dynamic shared memory.
        outputs: what the last launch left, see `wire.from_outputs`.
    """

    counts: list[Counts]
    usage: ResourceUsage
    shared: int
    outputs: str


@dataclass(frozen=True, slots=True)
class CompiledBinary:
    """The machine code of a text in Base64, and the mangled name of its kernel."""

    binary: str
    name: str


class SpeedReply(TypedDict):
    """All that a worker sends back: an answer on each text of the request."""

    texts: Sequence[CompiledBinary | Costed | Rejection]


def to_costed(answer: Mapping[str, object]) -> Costed | Rejection | Nonsense:
    """Return a worker's answer on a text to count; whether there are counts for each launch is not checked."""
    return rejection(answer) if "counts" not in answer else converted(answer, Costed)


def to_compiled(answer: Mapping[str, object]) -> CompiledBinary | Rejection | Nonsense:
    """Return a worker's answer on a text to compile for a device."""
    return rejection(answer) if "binary" not in answer else converted(answer, CompiledBinary)


COST_PLAIN: WorkerTask[PlainTextToRun, Costed | Rejection | Nonsense] = WorkerTask(
    "warpsmith.scoring.judging.plain.plain_costs:cost_plain", "compile", to_costed, launches=True, seconds_per_text=30.0
)
COMPILE_PLAIN: WorkerTask[BinaryText, CompiledBinary | Rejection | Nonsense] = WorkerTask(
    "warpsmith.scoring.judging.plain.plain_binaries:compile_plain", "compile", to_compiled, seconds_per_text=30.0
)
"""The tasks: to count what launches of plain CUDA cost, and to compile it for a device."""
