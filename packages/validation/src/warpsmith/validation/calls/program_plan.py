"""A program before its statements are compiled: instructions, with places in the frame instead of addresses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from warpsmith.validation.calls.statement_table import Signature
from warpsmith.validation.calls.steps import Kernel

RUN, GO, IF, UNLESS, COPY, END = range(6)
"""The kinds of instructions, as in ``machine.cpp``."""

IMAGE = "image"
"""The type of a place in what the frame contains when a thread starts, instead of in the frame."""


class Place(NamedTuple):
    """Where a variable is.

    Attributes:
        type: its type, with ``const`` for a constant.
        offset: its place in the frame, or in the structure of adjoints if it is ``linked``.
        linked: whether it is an adjoint of a plain argument, which stays in the structure that the caller passes.
    """

    type: str
    offset: int
    linked: bool = False


@dataclass(slots=True)
class Instruction:
    """A step with places instead of addresses.

    Attributes:
        kind: `RUN` for a call of a statement, `GO`, `IF` and `UNLESS` for jumps, `COPY`, or `END`.
        signature: the statement.
        places: its variables; the condition of a jump; target and source of a copy.
        label: the target of a jump.
        size: the bytes of a copy.
    """

    kind: int
    signature: Signature | None = None
    places: tuple[Place, ...] = ()
    label: str = ""
    size: int = 0


@dataclass(slots=True)
class Plan:
    """A program before its statements are compiled.

    Attributes:
        kernel: what it runs.
        instructions: its steps.
        labels: the numbers of the steps that jumps go to.
        images: what the frame from ``local`` on contains when a thread starts, for each pattern of variables without a value.
        local: where the frame's variables start that are neither arguments nor bounds.
        arguments_size: the bytes of the structure of arguments.
        adjoint_start: where the frame has the structure of adjoints; 0 if there is none.
        adjoint_size: its bytes.
        bounds: the place of the bounds of the launch.
        bounds_size: their bytes.
        index: the place of the number of the thread.
        called: the helper functions that it calls, some of them through others.
    """

    kernel: Kernel
    instructions: list[Instruction]
    labels: dict[str, int]
    images: tuple[bytearray, ...]
    local: int
    arguments_size: int
    adjoint_start: int
    adjoint_size: int
    bounds: Place
    bounds_size: int
    index: Place
    called: frozenset[str]

    @property
    def signatures(self) -> Iterator[Signature]:
        """The statements that the program calls."""
        for instruction in self.instructions:
            if instruction.signature is not None:
                yield instruction.signature
