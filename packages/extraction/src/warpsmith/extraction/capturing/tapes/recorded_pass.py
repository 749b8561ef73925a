"""What is kept of a backward pass that is over; it does not hold the arrays of the program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from warpsmith.core.records.tape_recording import Access, Adjoint, Event, GradientState
from warpsmith.extraction.capturing.tapes.drafts import BackwardDraft, EventDraft
from warpsmith.extraction.capturing.tapes.kept_contents import Contents
from warpsmith.extraction.warp.tapes import Call


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """An event of a backward pass that is over: what is kept does not hold the program's arrays.

    Attributes:
        kernel: the kernel; None for a copy.
        dim: the dimensions.
        block_dim: the size of a block that the program requested, or None.
        form: see `EventDraft`.
        event: the event without its pair and launch; its contents have the numbers of the recorder.
        has_other_tape: whether another tape recorded it.
    """

    kernel: Any
    dim: tuple[int, ...]
    block_dim: int | None
    form: Any
    event: Event
    has_other_tape: bool


@dataclass(frozen=True, slots=True)
class RecordedPass:
    """A backward pass that is over.

    Attributes:
        call: the call of ``backward``.
        contents: the contents by number.
        events: the events.
        adjoints: the adjoint launches.
        gradients: the gradient arrays.
        functions: see `warpsmith.core.records.tape_recording.Recording`.
        reason: why it is incomplete; empty if it is not.
    """

    call: Call
    contents: Contents
    events: tuple[RecordedEvent, ...] = ()
    adjoints: tuple[Adjoint, ...] = ()
    gradients: tuple[GradientState, ...] = ()
    functions: tuple[int, ...] = ()
    reason: str = ""


def recorded_pass(draft: BackwardDraft) -> RecordedPass:
    """Return what is kept of a backward pass that is over."""
    numbers = {id(event): number for number, event in enumerate(draft.events)}
    return RecordedPass(
        call=draft.call,
        contents=draft.contents,
        events=tuple(_recorded_event(event, draft) for event in draft.events),
        adjoints=tuple(
            Adjoint(
                event=numbers[id(adjoint.event)],
                contents=tuple(adjoint.contents),
                before=tuple(adjoint.before),
                after=tuple(adjoint.after),
            )
            for adjoint in draft.adjoints
        ),
        gradients=tuple(
            GradientState(
                memory=state.gradient.memory,
                name=state.leaf.name,
                start=state.start,
                seed=state.seed,
                end=state.end,
                earlier=state.earlier,
            )
            for state in draft.gradients
        ),
        functions=tuple(draft.functions),
        reason=draft.reason,
    )


def _recorded_event(event: EventDraft, draft: BackwardDraft) -> RecordedEvent:
    accesses = []
    for access in event.accesses:
        gradient = access.leaf.gradient(draft.given)
        accesses.append(
            Access(
                leaf=access.leaf.name,
                memory=access.memory,
                gradient=None if gradient is None else gradient.memory,
                before=access.before,
                after=access.after,
                fresh=access.fresh,
            )
        )
    described = Event(
        place=event.place,
        name=event.name,
        pair=-1,
        launch=-1,
        on_tape=event.is_on(draft.tape),
        accesses=tuple(accesses),
        values=event.values,
        reason=event.reason,
    )
    has_other_tape = event.position >= 0 and not event.is_on(draft.tape)
    return RecordedEvent(event.kernel, event.dim, event.block_dim, event.form, described, has_other_tape)
