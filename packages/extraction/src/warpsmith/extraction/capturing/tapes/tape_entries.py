"""What a tape has recorded and the events that belong to it, and the arrays of copies and gradients."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import warp as wp

from warpsmith.extraction.capturing.tapes.drafts import EventDraft
from warpsmith.extraction.warp import tapes


def matched(tape: Any, events: Sequence[EventDraft]) -> Iterator[tuple[tapes.Entry, EventDraft]]:
    """Yield what a tape has recorded, with its event."""
    by_position = {event.position: event for event in events if event.is_on(tape)}
    for position, entry in enumerate(tapes.entries(tape)):
        if position in by_position:
            yield entry, by_position[position]


def functions(tape: Any, events: Sequence[EventDraft]) -> list[int]:
    """Return the numbers of the events before which a tape has functions of the program; copies are events themselves."""
    known = {event.position: number for number, event in enumerate(events) if event.is_on(tape)}
    found, following = [], len(events)
    for position, entry in reversed(list(enumerate(tapes.entries(tape)))):
        if position in known:
            following = known[position]
        elif entry.inputs is None:
            found.append(following)
    return found


def copied_part(array: wp.array[Any], offset: int, count: int) -> wp.array[Any] | None:
    """Return the elements of an array that a copy reads or writes, as an array of one dimension, or the whole array."""
    if not offset and count == array.size:
        return array if array.is_contiguous else None
    if not array.is_contiguous:
        return None
    flat = array.flatten()
    part: wp.array[Any] = flat[offset : offset + count]
    return part
