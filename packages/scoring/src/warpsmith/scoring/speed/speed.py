"""`Speed`: what a right answer costs, beside a straightforward kernel and a serial one."""

from __future__ import annotations

from dataclasses import dataclass

LAUNCH_MICROSECONDS = 3.5
"""The time between two events around a kernel that does next to nothing, as an H200 measures it."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a launch costs by the counts of the SIMT machine.

    Attributes:
        microseconds: the estimate of the time on an H100, without the launch.
        limit: the part of the estimate that takes the longest, such as ``"memory"`` or ``"latency"``.
        instructions: instructions of all warps; ``longest_warp`` is the number of the warp that executes the most.
        global_requests: loads, stores and atomic operations of warps on global memory.
        global_sectors: sectors of 32 bytes that these touch.
        shared_passes: passes over the banks of shared memory.
        atomic_conflicts: threads whose atomic operation meets the address of another one in the same warp.
        divergent_branches: branches at which the threads of a warp part.
    """

    microseconds: float
    limit: str
    instructions: int
    longest_warp: int
    global_requests: int
    global_sectors: int
    shared_passes: int
    atomic_conflicts: int
    divergent_branches: int


@dataclass(frozen=True, slots=True)
class Speed:
    """The cost of an answer, and of two kernels for the same task.

    Attributes:
        threads: how many threads the launch has.
        answer: the cost of the answer.
        reference: the cost of the reference of the task: one thread computes one element.
        serial: the cost of a kernel whose first thread computes all elements; None if it takes too long.
    """

    threads: int
    answer: Cost
    reference: Cost
    serial: Cost | None = None

    @property
    def ratio(self) -> float:
        """The time of the reference as a multiple of the answer's, with the launch: more than 1 if the answer is faster."""
        reference, answer = (cost.microseconds + LAUNCH_MICROSECONDS for cost in (self.reference, self.answer))
        return reference / answer

    def to_json(self) -> dict[str, object]:
        """Return the figures as JSON values, with the ratio."""
        return {"ratio": round(self.ratio, 3), "threads": self.threads, "answer": self.answer, "reference": self.reference,
                "serial": self.serial}  # fmt: skip
