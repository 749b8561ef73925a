"""The state of a worker while it checks one batch: results of levels, compiled code, and memory for arguments."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from warpsmith.core.records.ir import Code
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.pair import Pair
from warpsmith.validation.compiling import shared
from warpsmith.validation.compiling.part import UnitPart
from warpsmith.validation.levels.level_results import REFERENCE, LineKey, ResultKey, line_key
from warpsmith.validation.levels.registry import Level
from warpsmith.validation.running.fork_runner import LAUNCH_SECONDS
from warpsmith.validation.running.shared_memory import Arena

if TYPE_CHECKING:  # importing `clang` loads Warp, see `BatchContext.library`
    from warpsmith.validation.calls.cuda_statements import CudaStatements
    from warpsmith.validation.calls.program_runner import Runner
    from warpsmith.validation.compiling.clang import Library

T = TypeVar("T")

OPTIMIZED = 250
"""The lines of a first batch from which compiled statements are optimized, which takes seconds and saves 8 ms a pair."""


class UndeclaredNeed(Exception):
    """A level reads results of a level that its ``needs`` do not name."""


@dataclass(slots=True)
class BatchContext:
    """The state that the levels share while they check one batch; call `clear` before the next batch.

    Attributes:
        scratch: the folder to write in.
        launch_seconds: the time limit for the launches of one pair at one level.
        arena: shared memory for arguments.
        calls: whether texts may run as programs, see `warpsmith.validation.calls`.
    """

    scratch: Path
    launch_seconds: float = LAUNCH_SECONDS
    arena: Arena = field(default_factory=Arena)
    calls: bool = True
    _level: Level | None = None
    _lines: tuple[Line, ...] = ()
    _results: dict[ResultKey[Any], dict[LineKey, Any]] = field(default_factory=dict)
    _numbers: dict[LineKey, int] = field(default_factory=dict)
    _parts: dict[tuple[LineKey, str], UnitPart] = field(default_factory=dict)
    _libraries: dict[str, list[tuple[set[str], Library]]] = field(default_factory=dict)
    _runner: Runner | None = None
    _cuda_statements: CudaStatements | None = None

    def clear(self) -> None:
        """Drop all results of the batch and unload its code."""
        for libraries in self._libraries.values():
            for _, library in libraries:
                library.close()
        self._libraries.clear()
        if self._runner is not None:
            self._runner.clear_if_large()
        self._results.clear()
        self._numbers.clear()
        self._parts.clear()
        self._level = None
        self.arena.clear()

    def begin(self, level: Level, lines: Sequence[Line] = ()) -> None:
        """Set the level that runs now, and its lines; `results` then returns only results that this level may read."""
        self._level = level
        self._lines = tuple(lines)

    @property
    def seconds(self) -> float:
        """The time limit of the level that runs now, for one line."""
        return self._level.seconds if self._level is not None else math.inf

    def lines_from(self, line: Line, count: int) -> list[Line]:
        """Return ``line`` and the lines that the level that runs now checks next, at most ``count`` in all."""
        start = next((number for number, other in enumerate(self._lines) if other is line), None)
        return [line] if start is None else list(self._lines[start : start + count])

    def results(self, key: ResultKey[T]) -> dict[LineKey, T]:
        """Return the results for ``key`` by line. The level that produces them adds entries; later levels read them.

        Raises:
            UndeclaredNeed: if the level that runs now neither produces these results nor declares that it needs them.
        """
        if self._level is not None and key.level not in (self._level.name, *self._level.needs):
            raise UndeclaredNeed(f"level {self._level.name} reads results of {key.level} without needs=")
        return self._results.setdefault(key, {})

    def unit_part(self, line: Line, target: str) -> UnitPart | None:
        """Return the code of a line's pair for ``target``, or None if there is none.

        For ``"cpu"`` that is the code which `regenerate` obtained from Warp if the pair contains CUDA code only.
        """
        key = line_key(line), target
        if key not in self._parts and line.pair is not None:
            code = _code(line.pair, target) or (self.results(REFERENCE).get(line_key(line)) if target == "cpu" else None)
            if code is not None:
                self._parts[key] = self._new_part(line, line.pair, target, code)
        return self._parts.get(key)

    def _new_part(self, line: Line, pair: Pair, target: str, code: Code) -> UnitPart:
        number = self._numbers.setdefault(line_key(line), len(self._numbers))
        options = tuple(sorted(pair.metadata.module_options.items()))
        cuda = _code(pair, "cuda") if target == "cpu" else None
        has_grid_entry = cuda is not None and shared.same_statements(code, cuda)
        return UnitPart(f"K{number}", target, code, options, has_grid_entry, keeps_shapes=pair.metadata.origin is not None)

    @property
    def runner(self) -> Runner | None:
        """What makes programs of texts; None if all texts are compiled."""
        from warpsmith.validation.calls.program_runner import Runner
        from warpsmith.validation.compiling.clang import EMULATION, STATEMENTS, compile_text

        if self.calls and self._runner is None:
            headers = STATEMENTS if len(self._lines) >= OPTIMIZED else EMULATION
            self._runner = Runner(lambda text, result: compile_text(text, result, self.scratch, headers=headers), self.scratch)
        return self._runner

    @property
    def cuda_statements(self) -> CudaStatements:
        """The statements that NVRTC accepts."""
        from warpsmith.validation.calls.cuda_statements import CudaStatements
        from warpsmith.validation.compiling.nvrtc import compile_unit_text
        from warpsmith.validation.compiling.translation_unit import opening

        if self._cuda_statements is None:
            self._cuda_statements = CudaStatements(opening("cuda"), lambda text: compile_unit_text(text, self.scratch))
        return self._cuda_statements

    def library(self, unit_type: str, parts: Iterable[UnitPart]) -> dict[str, Library]:
        """Return the machine code of ``parts`` by key; parts that an earlier level compiled are not compiled again.

        Args:
            unit_type: one of `compiling.clang.UNIT_TYPES`.
            parts: the texts. A library without code for a part has the part's error.
        """
        from warpsmith.validation.compiling.clang import Library

        compiled = self._libraries.setdefault(unit_type, [])
        requested = {part.key: part for part in parts}
        missing = [part for key, part in requested.items() if not any(key in keys for keys, _ in compiled)]
        if missing:
            compiled.append(({part.key for part in missing}, Library(unit_type, missing, self.scratch, self.runner)))
        return {key: library for key in requested for keys, library in compiled if key in keys}


def _code(pair: Pair, target: str) -> Code | None:
    """Return the code that the pair itself contains for ``target``."""
    forward, backward = pair.code(target)
    return Code(pair.metadata.kernel_name, forward, backward) if forward is not None else None
