"""Recordings of the backward passes of a program, with the pairs of the kernels in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from warpsmith.core.errors import KernelRejected
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.tape_recording import (
    Access,
    Adjoint,
    Content,
    Event,
    GradientState,
    RecordedProgram,
    Recording,
    encode_content,
)
from warpsmith.extraction.capturing.captured_pairs import pair_of
from warpsmith.extraction.capturing.tapes.drafts import AccessDraft, BackwardDraft, EventDraft, GradientDraft
from warpsmith.extraction.capturing.tapes.tape_recorder import TapeRecorder
from warpsmith.extraction.launches.pair_launch import launch_from
from warpsmith.extraction.launches.snapshot import NotExpressible
from warpsmith.extraction.targets.importing import package_version
from warpsmith.extraction.targets.origin import identity_of, module_of, origin_of, project_file


def recorded_programs(recorder: TapeRecorder, main: str) -> Iterator[RecordedProgram]:
    """Yield the recordings of a program.

    Args:
        recorder: what was observed.
        main: the name of the program.
    """
    pairs: dict[tuple[int, int | None], Pair | str] = {}
    numbers: Counter[str] = Counter()
    for draft in recorder.finished:
        program = _Builder(recorder, draft, main, pairs).program()
        identity = program.recording.id
        numbers[identity] += 1
        if numbers[identity] > 1:
            program = replace(program, recording=replace(program.recording, id=f"{identity}#{numbers[identity]}"))
        yield program


@dataclass(slots=True)
class _Builder:
    """One recording under construction."""

    recorder: TapeRecorder
    draft: BackwardDraft
    main: str
    made: dict[tuple[int, int | None], Pair | str]
    kernels: list[Pair] = field(default_factory=list)
    modules: list[str] = field(default_factory=list)
    launches: list[Launch] = field(default_factory=list)
    contents: list[Content] = field(default_factory=list)
    _numbers: dict[int, int] = field(default_factory=dict)
    _pairs: dict[int, int] = field(default_factory=dict)
    _forms: dict[Any, int | str] = field(default_factory=dict)

    def program(self) -> RecordedProgram:
        """Return the recording and its pairs."""
        draft = self.draft
        events = tuple(map(self._event, draft.events))
        numbers = {id(event): number for number, event in enumerate(draft.events)}
        adjoints = tuple(
            Adjoint(
                event=numbers[id(adjoint.event)],
                contents=self._all(adjoint.contents),
                before=self._all(adjoint.before),
                after=self._all(adjoint.after),
            )
            for adjoint in draft.adjoints
        )
        recording = Recording(
            id=f"{self.main}-{_place(draft.place)}",
            place=_place(draft.place),
            kernels=tuple(pair.id for pair in self.kernels),
            modules=tuple(self.modules),
            launches=tuple(self.launches),
            events=events,
            adjoints=adjoints,
            gradients=tuple(map(self._gradient, draft.gradients)),
            contents=tuple(self.contents),
            functions=tuple(draft.functions),
            reason=draft.reason,
        )
        return RecordedProgram(recording, tuple(self.kernels))

    def _event(self, event: EventDraft) -> Event:
        reason, pair, launch = event.reason, -1, -1
        if event.kernel is not None and not reason:
            found = self._pair(event)
            if isinstance(found, str):
                reason = found
            else:
                pair = self._pair_number(event, found)
                described = self._launch(event, found)
                reason, launch = (described, -1) if isinstance(described, str) else ("", described)
        return Event(
            place=_place(event.place),
            name=event.name,
            pair=pair,
            launch=launch,
            on_tape=event.is_on(self.draft.tape),
            other=id(event.kernel) in self.recorder.by_hand if event.position < 0 else event.tape != self.draft.tape,
            accesses=tuple(map(self._access, event.accesses)),
            values={name: self._content(number) for name, number in event.values.items()},
            reason=reason,
        )

    def _access(self, access: AccessDraft) -> Access:
        return Access(
            leaf=access.leaf.name,
            memory=access.memory,
            gradient=access.gradient,
            before=self._content(access.before),
            after=self._content(access.after),
            fresh=access.fresh,
        )

    def _gradient(self, state: GradientDraft) -> GradientState:
        return GradientState(
            memory=state.memory,
            name=state.leaf.name,
            start=self._content(state.start),
            seed=self._content(state.seed),
            end=self._content(state.end),
            earlier=state.earlier,
        )

    def _pair(self, event: EventDraft) -> Pair | str:
        key = id(event.kernel), event.block_dim
        if key not in self.made:
            module = module_of(event.kernel)
            module = self.main if module == "__main__" else module
            package = module.partition(".")[0]
            identity = identity_of(event.kernel, package, package_version(package), module)
            try:
                pair = pair_of(event.kernel, event.block_dim, identity, "both", True)
                self.made[key] = replace(pair, metadata=replace(pair.metadata, origin=origin_of(event.kernel, module)))
            except KernelRejected as error:
                self.made[key] = f"no pair: {error.reason}"
        return self.made[key]

    def _pair_number(self, event: EventDraft, pair: Pair) -> int:
        if id(pair) not in self._pairs:
            self._pairs[id(pair)] = len(self.kernels)
            self.kernels.append(pair)
            module = module_of(event.kernel)
            self.modules.append(self.main if module == "__main__" else module)
        return self._pairs[id(pair)]

    def _launch(self, event: EventDraft, pair: Pair) -> int | str:
        if event.form not in self._forms:
            try:
                launch = replace(launch_from(pair, event.dim, self.recorder.forms[event.form]), stored={})
            except NotExpressible as error:
                self._forms[event.form] = str(error)
            else:
                self._forms[event.form] = len(self.launches)
                self.launches.append(launch)
        return self._forms[event.form]

    def _all(self, numbers: Sequence[int]) -> tuple[int, ...]:
        return tuple(map(self._content, numbers))

    def _content(self, number: int) -> int:
        """Return the number that contents have in the recording."""
        if number < 0:
            return -1
        if number not in self._numbers:
            self._numbers[number] = len(self.contents)
            self.contents.append(encode_content(self.draft.contents.arrays[number]))
        return self._numbers[number]


def _place(place: str) -> str:
    """Return file and line of a call, with the file as `project_file` names it."""
    file, _, line = place.rpartition(":")
    return f"{project_file(Path(file))}:{line}" if file else place
