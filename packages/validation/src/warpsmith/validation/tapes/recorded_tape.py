"""A recording with its contents decoded, and which gradient belongs to which number of the program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

import numpy as np

from warpsmith.core.inputs.values import Values
from warpsmith.core.records.tape_recording import Access, Event, Memory, Recording, decode_content
from warpsmith.validation.tapes.consistency import require_consistent
from warpsmith.validation.tapes.flat_memory import FlatMemory, Slots


class RecordedTape:
    """A recording for the checks.

    Attributes:
        recording: the recording.
        data: the memory of the arrays of floats.
        gradients: the memory of their gradients.
        numbers: for each pair of a number and its gradient the slot of the number.
        grads: the slot of the gradient, likewise.
        has_gradient: whether a number has a gradient, by slot.

    Raises:
        WarpsmithError: if contents are damaged or too large, or references and sizes do not fit.
    """

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        require_consistent(recording)
        self._contents = [decode_content(content) for content in recording.contents]
        accesses = [access for event in recording.events for access in event.accesses if access.memory.is_float]
        self.data = FlatMemory(access.memory for access in accesses)
        self.gradients = FlatMemory(
            [access.gradient for access in accesses if access.gradient is not None]
            + [state.memory for state in recording.gradients]
        )
        bound = {(access.memory, access.gradient) for access in accesses if access.gradient is not None}
        self.numbers, self.grads = self._bound(bound)
        self.has_gradient = np.zeros(self.data.size, bool)
        self.has_gradient[self.numbers] = True

    def _bound(self, bound: Iterable[tuple[Memory, Memory]]) -> tuple[Slots, Slots]:
        """Return the different pairs of a number and its gradient. Nearly all numbers have one."""
        first = np.full(self.data.size, -1, np.int64)
        further = [np.zeros((2, 0), np.int64)]
        for memory, gradient in bound:
            if memory.shape != gradient.shape:
                continue
            numbers, grads = self.data.slots(memory).ravel(), self.gradients.slots(gradient).ravel()
            free = first[numbers] < 0
            first[numbers[free]] = grads[free]
            other = first[numbers] != grads
            further.append(np.stack([numbers[other], grads[other]]))
        self._first, self._further = first, np.unique(np.concatenate(further, axis=1), axis=1)
        numbers = np.flatnonzero(first >= 0)
        return np.concatenate([numbers, self._further[0]]), np.concatenate([first[numbers], self._further[1]])

    def pairs_of(self, numbers: Slots) -> tuple[Slots, Slots]:
        """Return the pairs of some numbers and their gradients, and all pairs of numbers with several gradients."""
        bound = numbers[self._first[numbers] >= 0]
        return np.concatenate([bound, self._further[0]]), np.concatenate([self._first[bound], self._further[1]])

    def content(self, number: int) -> Values:
        """Return contents by number."""
        return self._contents[number]

    def floats(self, event: Event) -> Iterator[Access]:
        """Yield the arrays of floats of an event."""
        return (access for access in event.accesses if access.memory.is_float)

    def values(self, event: Event) -> dict[str, Values]:
        """Return the contents of all leaves of a launch before it."""
        before = {access.leaf: self.content(access.before) for access in event.accesses}
        return before | {name: self.content(number) for name, number in event.values.items()}

    def slots(self, access: Access) -> Slots:
        """Return the slots of an array of floats."""
        return self.data.slots(access.memory)

    @property
    def has_several(self) -> bool:
        """Whether a number has several gradients."""
        return bool(self._further.size)

    @cached_property
    def shared(self) -> frozenset[int]:
        """The slots of gradients that several numbers share."""
        counts = np.bincount(self.grads, minlength=self.gradients.size)
        return frozenset(np.flatnonzero(counts > 1).tolist())

    def product(self, gradient: Values, tangents: Values) -> Any:
        """Return the product of the gradients of all memory with each row of tangents."""
        return tangents[:, self.numbers] @ gradient[self.grads]
