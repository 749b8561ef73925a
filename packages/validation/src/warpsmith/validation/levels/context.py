"""The workbench of a child: what the levels hand on to each other while they judge one batch."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from warpsmith.core.records.jsonl import Line
from warpsmith.validation.running.memory import Arena

if TYPE_CHECKING:
    from warpsmith.core.inputs.values import Values
    from warpsmith.core.records.ir import Code
    from warpsmith.core.records.launch import Launch
    from warpsmith.core.records.pair import Pair
    from warpsmith.validation.compiling.clang import Library
    from warpsmith.validation.compiling.unit import Part
    from warpsmith.validation.running.launches import Results

Place = tuple[Path, int]


@dataclass(frozen=True, slots=True)
class LaunchResult:
    """One launch of a kernel, the values it was given, and what it left."""

    how: Launch
    values: dict[str, Values]
    left: Results


@dataclass(slots=True)
class BatchContext:
    """One batch on its way up the ladder; `clear` before the next.

    Attributes:
        scratch: the folder to write in.
        arena: shared memory for arguments.
        drawn: what `execute` found a kernel to leave, by the line's place: its own launch first, then those of `launch_variants`.
        reference: C++ code of pairs that come without, by the line's place; `regenerate` knows it.
    """

    scratch: Path
    arena: Arena = field(default_factory=Arena)
    drawn: dict[Place, list[LaunchResult]] = field(default_factory=dict)
    reference: dict[Place, Code] = field(default_factory=dict)
    _numbers: dict[Place, int] = field(default_factory=dict)
    _parts: dict[tuple[Place, str], Part] = field(default_factory=dict)
    _libraries: dict[str, list[tuple[set[str], Library]]] = field(default_factory=dict)

    def clear(self) -> None:
        """Forget the batch and unload its code."""
        for libraries in self._libraries.values():
            for _, library in libraries:
                library.close()
        self._libraries.clear()
        self.drawn.clear()
        self.reference.clear()
        self._numbers.clear()
        self._parts.clear()
        self.arena.clear()

    def part(self, line: Line, target: str) -> Part | None:
        """The code of a line's pair for ``target``, the judge's own for ``"cpu"`` where the pair has none; or None."""
        key = place(line), target
        if key not in self._parts and line.pair is not None:
            code = _code(line.pair, target) or (self.reference.get(place(line)) if target == "cpu" else None)
            if code is not None:
                self._parts[key] = self._made(line, line.pair, target, code)
        return self._parts.get(key)

    def _made(self, line: Line, pair: Pair, target: str, code: Code) -> Part:
        from warpsmith.validation.compiling.shared import same_statements
        from warpsmith.validation.compiling.unit import Part

        number = self._numbers.setdefault(place(line), len(self._numbers))
        options = tuple(sorted(pair.metadata.module_options.items()))
        cuda = _code(pair, "cuda") if target == "cpu" else None
        return Part(f"K{number}", target, code, options, gridded=cuda is not None and same_statements(code, cuda))

    def library(self, kind: str, parts: Iterable[Part]) -> dict[str, Library]:
        """Machine code of ``parts`` by key, compiled as units of ``kind`` unless it is there from a level before.

        A library that has no code for a part has its error.
        """
        from warpsmith.validation.compiling.clang import Library

        known = self._libraries.setdefault(kind, [])
        wanted = {part.key: part for part in parts}
        missing = [part for key, part in wanted.items() if not any(key in keys for keys, _ in known)]
        if missing:
            known.append(({part.key for part in missing}, Library(kind, missing, self.scratch)))
        return {key: library for key in wanted for keys, library in known if key in keys}


def _code(pair: Pair, target: str) -> Code | None:
    """The code that a pair itself has for ``target``."""
    from warpsmith.core.records.ir import Code

    forward, backward = pair.code(target)
    return Code(pair.metadata.kernel_name, forward, backward) if forward is not None else None


def place(line: Line) -> Place:
    """Where a line stands: what tells it from others, even of the same id."""
    return line.path, line.number


def standing(lines: Sequence[Line], context: BatchContext, target: str) -> list[tuple[Line, Part]]:
    """The lines that have code for ``target``, with it."""
    return [(line, part) for line in lines if (part := context.part(line, target)) is not None]
