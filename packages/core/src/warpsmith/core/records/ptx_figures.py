"""What the compiler and the SIMT machine report about the PTX of a pair."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class LaunchCounts:
    """Counts of one pass of the pair's own launch on the SIMT machine; `warpsmith.simt.Counts` explains them.

    Attributes:
        instructions: instructions of warps by class; classes without any are absent.
        thread_instructions: instructions of threads by class.
        longest_warp: instructions of the warp that executes the most.
        branches: branches of warps.
        divergent_branches: branches at which the threads of a warp part.
        barriers: completed barriers of blocks.
        global_requests: loads, stores and atomic operations of warps on global memory.
        global_sectors: sectors of 32 bytes that these touch.
        shared_requests: the same for shared memory.
        shared_passes: passes over the 32 banks of shared memory.
        local_requests: accesses of warps to local memory.
        atomic_requests: atomic operations of warps.
        atomic_conflicts: threads whose atomic operation on global memory meets the address of another one in the same warp.
        global_footprint: different sectors of global memory that all threads touch together.
    """

    instructions: dict[str, int]
    thread_instructions: dict[str, int]
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
    global_footprint: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelFigures:
    """The figures of one kernel of PTX.

    Attributes:
        instructions: instructions of the PTX, without declarations and labels.
        registers: registers of a thread, as the assembler allocates them; None, as the next four, for a kernel that it does not
            assemble alone, because it calls functions of libmathdx.
        stack: bytes of local memory of a thread, spills included.
        shared: bytes of shared memory whose size the text contains.
        spill_stores: bytes that a thread stores because registers do not suffice.
        spill_loads: bytes that a thread loads for the same reason.
        counts: counts of the pair's own launch; None where the SIMT machine does not run it.
    """

    instructions: int
    registers: int | None = None
    stack: int | None = None
    shared: int | None = None
    spill_stores: int | None = None
    spill_loads: int | None = None
    counts: LaunchCounts | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PtxFigures:
    """The figures of the PTX of a pair.

    Attributes:
        arch: the architecture that the PTX is for, such as ``"sm_80"``.
        forward: the kernel of ``ptx_forward``.
        backward: the kernel of ``ptx_backward``, None without an adjoint.
    """

    arch: str
    forward: KernelFigures
    backward: KernelFigures | None
