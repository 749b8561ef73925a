"""What is kept of a program's launches and copies until the backward pass over them."""

from __future__ import annotations

import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from warpsmith.core.records.tape_recording import Memory
from warpsmith.extraction.capturing.tapes.kept_contents import Contents
from warpsmith.extraction.capturing.tapes.live_leaves import LiveLeaf
from warpsmith.extraction.warp.tapes import Call


@dataclass(slots=True)
class AccessDraft:
    """A leaf of an array; see `warpsmith.core.records.tape_recording.Access`."""

    leaf: LiveLeaf
    memory: Memory
    before: int
    after: int = -1
    fresh: bool = False


@dataclass(slots=True)
class EventDraft:
    """A launch or a copy.

    Attributes:
        kernel: the kernel; None for a copy.
        dim: the dimensions.
        block_dim: the size of a block that the program requested, or None.
        place: file and line of the call.
        arguments: the arguments of the launch, which keep their memory alive.
        form: the kernel, and what else two launches with one description have in common.
        accesses: the arrays.
        values: the contents of other leaves.
        tape: refers to the tape that records while it runs, or None.
        start: how many entries that tape has before.
        position: the number of its entry on that tape; -1 if the tape does not record it.
        reason: why it cannot be repeated.
    """

    kernel: Any
    dim: tuple[int, ...]
    block_dim: int | None
    place: str
    arguments: list[Any]
    form: Any = None
    accesses: list[AccessDraft] = field(default_factory=list)
    values: dict[str, int] = field(default_factory=dict)
    tape: weakref.ref[Any] | None = None
    start: int = 0
    position: int = -1
    reason: str = ""

    def is_within(self, tape: Any) -> bool:
        """Return whether it ran while a tape recorded."""
        return self.tape is not None and self.tape() is tape

    def is_on(self, tape: Any) -> bool:
        """Return whether a tape recorded it."""
        return self.position >= 0 and self.is_within(tape)

    @property
    def name(self) -> str:
        """The name of the kernel, or of the copy."""
        return "wp.copy" if self.kernel is None else str(self.kernel.key)


@dataclass(slots=True)
class AdjointDraft:
    """An adjoint launch of the backward pass; see `warpsmith.core.records.tape_recording.Adjoint`."""

    event: EventDraft
    contents: list[int]
    before: list[int]
    after: list[int] = field(default_factory=list)


@dataclass(slots=True)
class GradientDraft:
    """A gradient array of the events; see `warpsmith.core.records.tape_recording.GradientState`."""

    leaf: LiveLeaf
    gradient: LiveLeaf
    start: int
    seed: int = -1
    end: int = -1
    earlier: bool = False


@dataclass(slots=True)
class BackwardDraft:
    """A backward pass that runs, and the events that it is about."""

    tape: Any
    call: Call
    contents: Contents
    events: list[EventDraft]
    functions: list[int]
    given: Mapping[int, Any]
    gradients: list[GradientDraft] = field(default_factory=list)
    launches: dict[int, EventDraft] = field(default_factory=dict)
    adjoints: list[AdjointDraft] = field(default_factory=list)
    pending: AdjointDraft | None = None
    reason: str = ""
