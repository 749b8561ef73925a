"""What makes the gradient of a launch wrong beside its own adjoint: what else uses its arrays, and their gradients."""

from __future__ import annotations

import numpy as np

from warpsmith.core.records.tape_recording import Access, Adjoint, Event
from warpsmith.validation.tapes.flat_memory import extent
from warpsmith.validation.tapes.tangent_chain import TangentChain


class Causes:
    """The causes in a recording.

    Args:
        chain: the derivatives of the recording.
    """

    def __init__(self, chain: TangentChain) -> None:
        self._chain, self._tape, self._events = chain, chain.tape, chain.tape.recording.events

    def set_by_program(self, number: int) -> str:
        """Return what is wrong where the program sets contents that an event reads, or a copy writes."""
        event, step = self._events[number], self._chain.steps[number]
        slots = step.moved.slots if step.moved is not None else np.zeros(0, np.int64)
        names = [
            access.leaf for access in self._tape.floats(event) if np.isin(self._tape.slots(access), slots).any()
        ]  # fmt: skip
        if event.name == "wp.copy":
            return "sets `dest`, which an earlier launch wrote: the gradient of the new contents goes to that launch"
        return (
            f"reads {', '.join(f'`{name}`' for name in names)}, which the program has set since an earlier launch wrote it: "
            "the gradient of the new contents goes to the launch that wrote the old ones"
        )

    def shared(self, event: Event) -> str | None:
        """Return which arrays have one gradient array, although they are different ones."""
        shared = self._tape.shared
        names: dict[str, str] = {}
        for access in self._tape.floats(event):
            if access.gradient is not None and shared & set(self._tape.gradients.slots(access.gradient).ravel().tolist()):
                names[access.leaf] = access.leaf
        if not names:
            return None
        return f"uses {', '.join(f'`{name}`' for name in names)}, whose gradient array belongs to another array, too"

    def overwritten(self, number: int, event: Event, adjoint: Adjoint) -> tuple[str, bool] | None:
        """Return what overwrites an array before the adjoint, and whether a function that the tape recorded stands for it."""
        for access, content in zip(event.accesses, adjoint.contents, strict=True):
            if content == access.after:
                continue
            culprit = self._writer(number, access)
            if culprit is None:
                name, is_covered = "the program", any(position > number for position in self._tape.recording.functions)
            else:
                writer = self._events[culprit]
                name, is_covered = f"{writer.name} at {writer.place}", culprit in self._chain.covered
            text = f"uses `{access.leaf}`, which {name} overwrites before the backward pass: the adjoint reads the new contents"
            return text, is_covered
        return None

    def _writer(self, number: int, access: Access) -> int | None:
        """Return the number of the first event after ``number`` that writes an array; None if the program itself does."""
        for follower in range(number + 1, len(self._events)):
            roles = self._chain.roles(self._events[follower])
            for other in self._events[follower].accesses:
                changes = other.before != other.after or roles.get(other.leaf, "input") != "input"
                if changes and _overlap(other, access):
                    return follower
        return None


def _overlap(a: Access, b: Access) -> bool:
    """Return whether the memory of two arrays overlaps."""
    if not a.memory.nbytes or not b.memory.nbytes:
        return False
    (first_a, end_a), (first_b, end_b) = extent(a.memory), extent(b.memory)
    return first_a < end_b and first_b < end_a
