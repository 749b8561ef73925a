"""What a worker answers about a program; the client that reads it imports nothing that the worker runs."""

from __future__ import annotations

from dataclasses import dataclass

from warpsmith.validation.tapes.tape_answer import TapeAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramAnswer:
    """What a check says.

    Attributes:
        failed: what is wrong with the program or its record; empty if nothing is.
        unchecked: why the program is not checked; empty if it is. A ``problem`` would be one of the sandbox.
        launches: how many launches the program made.
        compared: how many of them were compared with the interpreter.
        unknown: why others were not, each reason once, with the name of a kernel.
        wrong: launches whose results differ, with the number and the kernel.
        tapes: what level `program` says of each backward pass that was recorded.
    """

    failed: str = ""
    unchecked: str = ""
    launches: int = 0
    compared: int = 0
    unknown: tuple[str, ...] = ()
    wrong: tuple[str, ...] = ()
    tapes: tuple[TapeAnswer, ...] = ()
