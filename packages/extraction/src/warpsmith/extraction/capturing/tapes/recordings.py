"""Recordings of the backward passes of a program, with the pairs of the kernels in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from warpsmith.core.errors import KernelRejected
from warpsmith.core.records.launch import Launch
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.tape_recording import Content, Event, RecordedProgram, Recording, encode_content
from warpsmith.extraction.capturing.captured_pairs import pair_of
from warpsmith.extraction.capturing.tapes.recorded_pass import RecordedEvent, RecordedPass
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
    draft: RecordedPass
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
        draft, number = self.draft, self._content
        events = tuple(map(self._event, draft.events))
        adjoints = tuple(
            replace(
                adjoint,
                contents=tuple(map(number, adjoint.contents)),
                before=tuple(map(number, adjoint.before)),
                after=tuple(map(number, adjoint.after)),
            )
            for adjoint in draft.adjoints
        )
        gradients = tuple(
            replace(state, start=number(state.start), seed=number(state.seed), end=number(state.end))
            for state in draft.gradients
        )
        file = project_file(Path(draft.call.file))
        recording = Recording(
            id=f"{file}::{draft.call.function}",
            place=f"{file}:{draft.call.line}",
            kernels=tuple(pair.id for pair in self.kernels),
            modules=tuple(self.modules),
            launches=tuple(self.launches),
            events=events,
            adjoints=adjoints,
            gradients=gradients,
            contents=tuple(self.contents),
            functions=draft.functions,
            reason=draft.reason,
        )
        return RecordedProgram(recording, tuple(self.kernels))

    def _event(self, recorded: RecordedEvent) -> Event:
        event = recorded.event
        reason, pair, launch = event.reason, -1, -1
        if recorded.kernel is not None and not reason:
            found = self._pair(recorded)
            if isinstance(found, str):
                reason = found
            else:
                pair = self._pair_number(recorded, found)
                described = self._launch(recorded, found)
                reason, launch = (described, -1) if isinstance(described, str) else ("", described)
        return replace(
            event,
            place=_place(event.place),
            pair=pair,
            launch=launch,
            other=recorded.has_other_tape or (not event.on_tape and id(recorded.kernel) in self.recorder.by_hand),
            accesses=tuple(
                replace(access, before=self._content(access.before), after=self._content(access.after))
                for access in event.accesses
            ),
            values={name: self._content(number) for name, number in event.values.items()},
            reason=reason,
        )

    def _pair(self, event: RecordedEvent) -> Pair | str:
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

    def _pair_number(self, event: RecordedEvent, pair: Pair) -> int:
        if id(pair) not in self._pairs:
            self._pairs[id(pair)] = len(self.kernels)
            self.kernels.append(pair)
            module = module_of(event.kernel)
            self.modules.append(self.main if module == "__main__" else module)
        return self._pairs[id(pair)]

    def _launch(self, event: RecordedEvent, pair: Pair) -> int | str:
        if event.form not in self._forms:
            try:
                launch = replace(launch_from(pair, event.dim, self.recorder.forms[event.form]), stored={})
            except NotExpressible as error:
                self._forms[event.form] = str(error)
            else:
                self._forms[event.form] = len(self.launches)
                self.launches.append(launch)
        return self._forms[event.form]

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
