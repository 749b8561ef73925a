"""The receiver of what happens to the gradients of a program: launches, copies, and backward passes of tapes."""

from __future__ import annotations

import threading
import weakref
from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import warp as wp

from warpsmith.core.errors import describe
from warpsmith.extraction.capturing.tapes.drafts import AccessDraft, AdjointDraft, BackwardDraft, EventDraft, GradientDraft
from warpsmith.extraction.capturing.tapes.fresh_memory import FreshMemory
from warpsmith.extraction.capturing.tapes.kept_contents import Contents, Digest, digest
from warpsmith.extraction.capturing.tapes.live_leaves import LiveLeaf, array_leaves, snapshot_leaves
from warpsmith.extraction.capturing.tapes.recorded_pass import RecordedPass, recorded_pass
from warpsmith.extraction.capturing.tapes.tape_entries import copied_part, functions, matched
from warpsmith.extraction.capturing.tapes.tape_limits import CALLERS, TapeLimits
from warpsmith.extraction.launches.launch_forms import form_of
from warpsmith.extraction.launches.live_objects import LiveObjects
from warpsmith.extraction.launches.snapshot import Copier, NotExpressible, Snapshot
from warpsmith.extraction.warp import live_arguments, tapes


@dataclass(slots=True)
class TapeRecorder:
    """Keeps what a recording needs.

    Attributes:
        objects: the objects behind handles.
        limits: how much is recorded.
        forms: copies of the arguments of a launch of each form.
        finished: the backward passes that are recorded.
        fresh: the memory that nothing has written.
        by_hand: the kernels whose adjoint the program launches itself, outside of a backward pass.
        faults: errors of the recorder itself.
    """

    objects: LiveObjects
    limits: TapeLimits = field(default_factory=TapeLimits)
    finished: list[RecordedPass] = field(default_factory=list)
    fresh: FreshMemory = field(default_factory=FreshMemory)
    by_hand: set[int] = field(default_factory=set)
    faults: list[str] = field(default_factory=list)
    _contents: Contents = field(default_factory=Contents)
    forms: dict[Hashable, tuple[Snapshot, ...]] = field(default_factory=dict)
    _events: list[EventDraft] = field(default_factory=list)
    _open: weakref.WeakSet[Any] = field(default_factory=weakref.WeakSet)
    _ended: weakref.WeakSet[Any] = field(default_factory=weakref.WeakSet)
    _places: Counter[str] = field(default_factory=Counter)
    _place_of: weakref.WeakKeyDictionary[Any, str] = field(default_factory=weakref.WeakKeyDictionary)
    _running: BackwardDraft | None = None
    _depth: int = 0
    _held: int = 0
    _reached: dict[int, tuple[Digest, Digest]] = field(default_factory=dict)
    _full: str = ""
    _lock: Any = field(default_factory=threading.RLock)

    def launched(self, kernel: Any, dim: tuple[int, ...], values: list[Any], block_dim: int | None) -> EventDraft | None:
        """Receive a launch before it runs."""
        if not self._records():
            self.fresh.launched_with(values)
            return None
        with self._lock:
            event = self._begun(EventDraft(live_arguments.overload_for(kernel, values), dim, block_dim, "", values))
            if event is not None:
                self._copy_arguments(event)
            return event

    def copied(self, dest: Any, src: Any, dest_offset: int, src_offset: int, count: int) -> EventDraft | None:
        """Receive a copy before it runs."""
        self.fresh.exposed(dest)
        if not self._records() or type(dest) is not wp.array or type(src) is not wp.array or dest.grad is None:
            return None
        with self._lock:
            event = self._begun(EventDraft(None, (), None, "", [dest, src]))
            if event is None:
                return None
            ends = copied_part(dest, dest_offset, count or src.size), copied_part(src, src_offset, count or src.size)
            if None in ends:
                event.reason = "a copy of a part of an array that is not contiguous"
            for name, array in zip(("dest", "src"), ends, strict=True):
                if array is not None and not event.reason:
                    leaf = LiveLeaf(name, array, array.dtype)
                    event.accesses.append(AccessDraft(leaf, leaf.memory, self._contents.add(leaf.read())))
            return event

    def completed(self, event: EventDraft) -> None:
        """Receive a launch or copy after it ran."""
        with self._lock:
            if tapes.length(tape := event.tape and event.tape()) > event.start:
                event.position = event.start
                self._open.add(tape)
            for access in event.accesses:
                access.after = self._contents.add(access.leaf.read())

    def _records(self) -> bool:
        return not self._depth and (bool(self._open) or tapes.active_tape() is not None)

    def dropped(self, event: EventDraft) -> None:
        """Receive a launch that Warp refused."""
        with self._lock:
            self._events = [kept for kept in self._events if kept is not event]

    def _begun(self, event: EventDraft) -> EventDraft | None:
        if self._full or self._is_known():
            return None
        self._full = self.limits.exceeded_by(len(self._events), self._contents.nbytes)
        if self._full:
            self._events.clear()
            self._contents = Contents()
            return None
        event.place = tapes.call_of_program().place
        active = tapes.active_tape()
        if active is not None:
            event.tape, event.start = weakref.ref(active), tapes.length(active)
        self._events.append(event)
        return event

    def _is_known(self) -> bool:
        """Return whether the place of the tape that records now has enough recordings."""
        active = tapes.active_tape()
        if self._held > self.limits.total_bytes:
            return True
        return active is not None and self._places[self._place_of.get(active, "")] > self.limits.recordings

    def _copy_arguments(self, event: EventDraft) -> None:
        parameters = live_arguments.parameters_of(event.kernel)
        try:
            snapshots = Copier(self.objects, self.limits.nbytes).copy(parameters, event.arguments)
            leaves = list(array_leaves(parameters, event.arguments))
        except (NotExpressible, ValueError) as error:
            event.reason = str(error)
            return
        shapes = form_of(event.dim, event.block_dim, event.arguments)[0]
        event.form = event.kernel, shapes, tuple(snapshot.kind for snapshot in snapshots)
        self.forms.setdefault(event.form, snapshots)
        numbers = dict(snapshot_leaves(snapshots))
        for leaf in leaves:
            memory, before = leaf.memory, self._contents.add(numbers.pop(leaf.name))
            event.accesses.append(AccessDraft(leaf, memory, before, fresh=self.fresh.has(leaf.array)))
        event.values = {name: self._contents.add(values) for name, values in numbers.items()}
        self.fresh.launched_with([leaf.array for leaf in leaves])

    def entered(self, tape: Any) -> None:
        """Receive a tape that records from now on."""
        if not self._open:  # events of tapes that are gone
            self._events.clear()
            self._contents = Contents()
        if tape not in self._place_of or tape in self._ended:
            self._ended.discard(tape)
            self._place_of[tape] = place = tapes.places_of_calls(CALLERS)
            self._places[place] += 1

    def backward_started(self, tape: Any, loss: Any, grads: Any) -> BackwardDraft | None:
        """Receive a backward pass before it runs."""
        with self._lock:
            self._depth += 1
            self._events = [event for event in self._events if all(access.after >= 0 for access in event.accesses)]
            recorded = self._events_of(tape)
            self._ended.add(tape)
            if self._full and self._running is None:
                self.finished.append(RecordedPass(tapes.call_of_program(), Contents(), reason=self._full))
                self._full = ""
            if not recorded or self._running is not None:
                return None
            given = {id(array): gradient for array, gradient in (grads or {}).items()}
            draft = BackwardDraft(tape, tapes.call_of_program(), self._contents, recorded, functions(tape, recorded), given)
            draft.launches = {id(entry.inputs): event for entry, event in matched(tape, recorded) if entry.inputs is not None}
            draft.gradients = self._gradients(draft)
            for state in draft.gradients:
                array, start = state.leaf.array, self._contents.arrays[state.start]
                if id(array) in given and not state.leaf.members:
                    gradient = LiveLeaf("", given[id(array)], given[id(array)].dtype)
                    state.seed = self._contents.add(gradient.read())
                elif array is loss:
                    state.seed = self._contents.add(np.ones(start.shape, start.dtype))
                elif np.any(start) and not self._is_left(state):
                    state.seed = state.start
            self._running = draft
            return draft

    def backward_finished(self, draft: BackwardDraft | None) -> None:
        """Receive a backward pass after it ran; its events are not needed any more."""
        with self._lock:
            self._depth -= 1
            if draft is None:
                return
            self._finish_adjoint(draft)
            self._running = None
            for state in draft.gradients:
                state.end = self._contents.add(state.gradient.read())
                self._reached[state.gradient.memory.address] = digest(state.leaf.read()), digest(state.gradient.read())
            self.finished.append(recorded_pass(draft))
            self._held += draft.contents.nbytes
            if self._held > self.limits.total_bytes:
                self.finished.append(RecordedPass(draft.call, Contents(), reason=self.limits.reason_of_all))
            self._open.discard(draft.tape)
            self._events = [event for event in self._events if self._is_needed(event)]
            if not self._events:
                self._contents, self._full = Contents(), ""

    def _is_needed(self, event: EventDraft) -> bool:
        """Return whether the backward pass of a tape to come may need an event."""
        return bool(self._open) and (event.position < 0 or (event.tape is not None and event.tape() in self._open))

    def _events_of(self, tape: Any) -> list[EventDraft]:
        """Return the events from the first one while the tape recorded; none if nothing of them is on the tape."""
        first = next((number for number, event in enumerate(self._events) if event.is_within(tape)), len(self._events))
        events = self._events[first:]
        return events if any(event.is_on(tape) for event in events) else []

    def _is_left(self, state: GradientDraft) -> bool:
        """Return whether a gradient array contains what the last backward pass left; otherwise the program has set it."""
        reached = self._reached.get(state.gradient.memory.address)
        return reached is not None and reached[1] == digest(self._contents.arrays[state.start])

    def adjoint_launched(self, inputs: Any, kernel: Any) -> AdjointDraft | None:
        """Receive an adjoint launch before it runs."""
        with self._lock:
            draft = self._running
            if draft is None:
                if not self._depth:
                    self.by_hand.add(id(kernel))
                return None
            self._finish_adjoint(draft)
            event = draft.launches.get(id(inputs))
            if event is None and draft.functions:
                return None  # such a function may launch adjoints
            if event is None:
                draft.reason = (
                    "the tape has launches from before its last backward pass, or from before the recording: "
                    "call tape.reset(), or make a new tape"
                )
                return None
            return self._begun_adjoint(event, draft)

    def adjoint_copied(self, adj_dest: Any, adj_src: Any) -> AdjointDraft | None:
        """Receive the adjoint of a copy before it runs."""
        with self._lock:
            draft = self._running
            if draft is None:
                return None
            self._finish_adjoint(draft)
            done = {id(adjoint.event) for adjoint in draft.adjoints}
            for event in reversed(draft.events):
                if event.kernel is None and event.is_on(draft.tape) and id(event) not in done:
                    dest, src = event.arguments
                    if dest.grad is not None and (dest.grad.ptr, src.grad.ptr) == (adj_dest.ptr, adj_src.ptr):
                        return self._begun_adjoint(event, draft)
            return None

    def _begun_adjoint(self, event: EventDraft, draft: BackwardDraft) -> AdjointDraft:
        contents = [self._contents.add(access.leaf.read()) for access in event.accesses]
        draft.pending = AdjointDraft(event, contents, self._gradients_of(event, draft))
        return draft.pending

    def _finish_adjoint(self, draft: BackwardDraft) -> None:
        if draft.pending is not None:
            draft.pending.after = self._gradients_of(draft.pending.event, draft)
            draft.adjoints.append(draft.pending)
            draft.pending = None

    def adjoint_completed(self, adjoint: AdjointDraft) -> None:
        """Receive an adjoint launch after it ran."""
        with self._lock:
            if self._running is not None and self._running.pending is adjoint:
                self._finish_adjoint(self._running)

    def _gradients_of(self, event: EventDraft, draft: BackwardDraft) -> list[int]:
        found = []
        for access in event.accesses:
            gradient = access.leaf.gradient(draft.given)
            found.append(-1 if gradient is None else self._contents.add(gradient.read()))
        return found

    def _gradients(self, draft: BackwardDraft) -> list[GradientDraft]:
        found: dict[Any, GradientDraft] = {}
        for event in draft.events:
            for access in event.accesses:
                gradient = access.leaf.gradient(draft.given)
                if gradient is None or not access.memory.is_float:
                    continue
                key = gradient.memory, access.memory
                if key not in found:
                    state = GradientDraft(access.leaf, gradient, self._contents.add(gradient.read()))
                    reached = self._reached.get(gradient.memory.address)
                    state.earlier = reached is not None and reached[0] != digest(access.leaf.read())
                    found[key] = state
        return list(found.values())

    def note(self, error: Exception) -> None:
        """Remember an error of the recorder itself."""
        if len(self.faults) < 100:
            self.faults.append(f"tapes: {describe(error)}")
