"""What the compiler reports about the PTX of a pair."""

from __future__ import annotations

from dataclasses import dataclass


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
    """

    instructions: int
    registers: int | None = None
    stack: int | None = None
    shared: int | None = None
    spill_stores: int | None = None
    spill_loads: int | None = None


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
