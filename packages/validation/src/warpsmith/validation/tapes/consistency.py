"""Whether the numbers in a recording refer to what it contains; recordings come from files."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.records.tape_recording import MAX_BYTES, Event, Memory, Recording

MAX_DIMENSIONS = 16
"""More dimensions than an array of Warp and its elements have."""


def require_consistent(recording: Recording) -> None:
    """Check the references and sizes of a recording.

    Raises:
        WarpsmithError: if the recording refers to what it does not contain, or sizes do not fit.
    """
    check = _Check(recording)
    check.contents()
    check.events()
    check.adjoints()
    check.gradients()


@dataclass(frozen=True, slots=True)
class _Check:
    recording: Recording

    def contents(self) -> None:
        """Check that contents are numbers and not too large."""
        total = 0
        for content in self.recording.contents:
            _require(_is_number(content.dtype) and min(content.shape, default=0) >= 0, "contents that are no numbers")
            total += math.prod(content.shape) * np.dtype(content.dtype).itemsize
        _require(total <= MAX_BYTES, f"more than {MAX_BYTES >> 20} MiB of contents")

    def events(self) -> None:
        """Check the launches and copies."""
        recording = self.recording
        for number, event in enumerate(recording.events):
            what = f"event {number}"
            _require(-1 <= event.pair < len(recording.kernels), f"{what} has pair {event.pair}")
            _require(-1 <= event.launch < len(recording.launches), f"{what} has launch {event.launch}")
            for access in event.accesses:
                self._memories([access.memory, *([access.gradient] if access.gradient is not None else [])], what)
                self._sizes([access.before, access.after], access.memory, what)
            _require(all(0 <= value < len(recording.contents) for value in event.values.values()), f"{what} lacks contents")
        _require(all(0 <= number <= len(recording.events) for number in recording.functions), "a function at no event")

    def adjoints(self) -> None:
        """Check the adjoint launches."""
        events, found = self.recording.events, [adjoint.event for adjoint in self.recording.adjoints]
        _require(all(0 <= event < len(events) for event in found), "an adjoint of no event")
        _require(len(set(found)) == len(found), "two adjoints of one event")
        for adjoint in self.recording.adjoints:
            self._adjoint(events[adjoint.event], adjoint.contents, adjoint.before, adjoint.after)

    def _adjoint(self, event: Event, contents: Sequence[int], before: Sequence[int], after: Sequence[int]) -> None:
        what = f"an adjoint of {event.name}"
        _require(len(contents) == len(before) == len(after) == len(event.accesses), f"{what} has other arrays than its launch")
        for number, access in enumerate(event.accesses):
            self._sizes([contents[number]], access.memory, what)
            gradients = [content for content in (before[number], after[number]) if content != -1]
            if access.gradient is not None:
                self._sizes(gradients, access.gradient, what)

    def gradients(self) -> None:
        """Check the gradient arrays."""
        for state in self.recording.gradients:
            what = f"the gradient of {state.name}"
            self._memories([state.memory], what)
            self._sizes([state.start, state.end, *([state.seed] if state.seed != -1 else [])], state.memory, what)

    def _memories(self, memories: Iterable[Memory], what: str) -> None:
        for memory in memories:
            fits = len(memory.shape) == len(memory.strides) <= MAX_DIMENSIONS and min(memory.shape, default=0) >= 0
            _require(fits and _is_number(memory.dtype), f"{what} has an array that is none")
            extent = sum((length - 1) * abs(stride) for length, stride in zip(memory.shape, memory.strides, strict=True))
            _require(0 <= memory.address < 1 << 62 and extent <= MAX_BYTES, f"{what} has an array that is too large")

    def _sizes(self, contents: Iterable[int], memory: Memory, what: str) -> None:
        found = self.recording.contents
        for number in contents:
            _require(0 <= number < len(found), f"{what} lacks contents")
            _require(math.prod(found[number].shape) == math.prod(memory.shape), f"{what} has contents of another size")


def _is_number(dtype: str) -> bool:
    try:
        return np.dtype(dtype).kind in "fiub"
    except TypeError:
        return False


def _require(condition: bool, problem: str) -> None:
    if not condition:
        raise WarpsmithError(f"an inconsistent recording: {problem}")
