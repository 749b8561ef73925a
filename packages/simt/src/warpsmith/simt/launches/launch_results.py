"""Results of a launch: arrays, findings with their places, counts, and what was printed."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from warpsmith.simt.lowering.instruction_encoding import WORK
from warpsmith.simt.machine.layout import RawCounts

KINDS = (
    "out_of_bounds", "misaligned", "shared_race", "global_race", "unwritten_shared", "unwritten_local", "divergent_barrier",
    "absent_lane", "divided_by_zero", "trap", "assertion", "step_limit", "deadlock", "stack_overflow", "invalid",
)  # fmt: skip
"""Kinds of findings, in the order of ``enum FindingKind`` of the machine."""


@dataclass(frozen=True, slots=True)
class Thread:
    """A thread of a launch and the line that it executes.

    Attributes:
        block: the coordinates of its block.
        thread: its coordinates in the block.
        line: the line in the CUDA source; 0 if the PTX has no line information.
        ptx_line: the line in the PTX.
    """

    block: tuple[int, int, int]
    thread: tuple[int, int, int]
    line: int
    ptx_line: int


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault of a kernel.

    Attributes:
        kind: one of `KINDS`.
        message: what happened, in one sentence.
        file: the CUDA source file; ``""`` if the PTX has no line information.
        line: the line in it; for code of a header, the line that calls it. 0 if unknown.
        ptx_line: the line in the PTX.
        block: the coordinates of the block of the first thread that was found.
        thread: the coordinates of this thread in its block.
        argument: the index of the argument whose array is accessed, or -1.
        element: the index of the element in it, or -1.
        other: the second thread of a race, or None.
        count: how often the finding occurred at these lines.
        place: file and line of the code itself, which may be in a header.
    """

    kind: str
    message: str
    file: str
    line: int
    ptx_line: int
    block: tuple[int, int, int]
    thread: tuple[int, int, int]
    argument: int = -1
    element: int = -1
    other: Thread | None = None
    count: int = 1
    place: str = ""


@dataclass(frozen=True, slots=True)
class Counts:
    """Counts of a launch.

    Attributes:
        instructions: instructions of warps by class, see `warpsmith.simt.lowering.instruction_encoding.WORK`.
        thread_instructions: instructions of threads by class.
        steps: instructions of warps.
        longest_warp: instructions of the warp that executes the most.
        branches: branches of warps.
        divergent_branches: branches at which the threads of a warp part.
        barriers: completed barriers of blocks.
        global_requests: loads, stores and atomic operations of warps on global memory.
        global_sectors: sectors of 32 bytes that these touch.
        shared_requests: the same for shared memory.
        shared_passes: passes over the 32 banks of shared memory; more than requests if banks conflict.
        local_requests: accesses of warps to local memory.
        atomic_requests: atomic operations of warps.
        atomic_conflicts: threads whose atomic operation on global memory meets the address of another one in the same warp.
        shared_conflicts: the same for shared memory.
        global_footprint: different sectors of global memory that all threads touch together.
    """

    instructions: dict[str, int]
    thread_instructions: dict[str, int]
    steps: int
    longest_warp: int
    branches: int
    divergent_branches: int
    barriers: int
    global_requests: int
    global_sectors: int
    shared_requests: int
    shared_passes: int
    local_requests: int
    atomic_requests: int
    atomic_conflicts: int
    shared_conflicts: int
    global_footprint: int

    @property
    def warp_efficiency(self) -> float:
        """The share of a warp's 32 threads that execute an instruction, on average; 1.0 if nothing ran."""
        warps = sum(self.instructions.values())
        return sum(self.thread_instructions.values()) / (32 * warps) if warps else 1.0

    def extrapolated(self, larger: Counts, distance: float) -> Counts:
        """Return the counts of a larger launch if every count grows in proportion to the size.

        Args:
            larger: the counts of a launch that is larger than this one.
            distance: how far the size is from that of this launch, in differences of the two sizes.

        Examples:
            >>> small, large = (Counts({}, {}, steps, *[0] * 13) for steps in (100, 200))
            >>> small.extrapolated(large, 3.0).steps
            400
        """

        def line(first: int, second: int) -> int:
            return max(round(first + distance * (second - first)), 0)

        def value(first: Any, second: Any) -> Any:
            return {name: line(first[name], second[name]) for name in first} if isinstance(first, dict) else line(first, second)

        return Counts(*(value(getattr(self, field.name), getattr(larger, field.name)) for field in fields(Counts)))

    @classmethod
    def from_raw(cls, raw: RawCounts) -> Counts:
        """Return the counts of the machine's structure."""
        warps, threads = (dict(zip(WORK, map(int, counts), strict=True)) for counts in (raw.warp, raw.thread))
        names = [name for name, *_ in RawCounts._fields_ if name not in ("warp", "thread")]
        numbers: dict[str, int] = {name: int(getattr(raw, name)) for name in names}
        return cls(instructions=warps, thread_instructions=threads, **numbers)


@dataclass(frozen=True, slots=True)
class Run:
    """The result of a launch.

    Attributes:
        arrays: for each argument the array after the launch, or None for scalars.
        findings: faults, in the order in which they were met.
        counts: what was executed.
        printed: the output of ``printf``.
        completed: whether all threads ran to their end.
        unchecked: checks that this launch was too large for.
    """

    arrays: list[Any]
    findings: tuple[Finding, ...]
    counts: Counts
    printed: str
    completed: bool
    unchecked: tuple[str, ...] = field(default=())
