"""One pair in 64 runs twice, as a program of compiled statements and as compiled text: the results must agree bit for bit.

See `warpsmith.validation.calls`. Variables without a value start empty in both: otherwise a text that reads one may give
anything when it is compiled. A difference is an error of this package, not of the pair: no verdict is written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from warpsmith.core.inputs.values import Values
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Launch
from warpsmith.validation.calls.kernel_text import with_empty_variables
from warpsmith.validation.compiling.clang import Library
from warpsmith.validation.compiling.part import UnitPart
from warpsmith.validation.confinement.machine_problems import MachineProblem
from warpsmith.validation.levels.common import entry_points, launch_of
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.sampling import is_sampled
from warpsmith.validation.running.fork_runner import run_forked
from warpsmith.validation.running.prepared_launch import prepare_launch
from warpsmith.validation.running.shared_arguments import Arguments

SHARE = 64
"""One of this many pairs is checked, by its id."""


class Candidate(NamedTuple):
    """A launch of a pair whose text runs as a program.

    Attributes:
        identity: the pair's id.
        part: the text.
        launch: the launch.
        values: contents of its arguments, in the precision of the text.
        backward: whether there is a backward pass.
    """

    identity: str
    part: UnitPart
    launch: Launch
    values: Mapping[str, Values]
    backward: bool

    @classmethod
    def of(cls, line: Line, part: UnitPart, values: Mapping[str, Values]) -> Candidate:
        """Return the launch of a pair."""
        launch, backward = launch_of(line)
        return cls(line.identity, part, launch, values, backward)


def check_programs(
    unit_type: str, candidates: Sequence[Candidate], built: Mapping[str, Library], context: BatchContext
) -> None:
    """Run the sampled pairs of ``candidates`` both ways.

    Args:
        unit_type: how the texts are read, one of `compiling.clang.UNIT_TYPES`.
        candidates: the launches.
        built: the libraries of all texts by key.
        context: the state of the batch.

    Raises:
        MachineProblem: if the results of a pair differ.
    """
    sampled = [
        candidate._replace(part=replace(candidate.part, code=with_empty_variables(candidate.part.code)))
        for candidate in candidates
        if is_sampled(candidate.identity, SHARE, "programs")
        and built[candidate.part.key].runner(candidate.part, takes_grid=False)
    ]
    if not sampled:
        return
    parts = [candidate.part for candidate in sampled]
    with (
        closing(Library(unit_type, parts, context.scratch, context.runner)) as programs,
        closing(Library(unit_type, parts, context.scratch)) as compiled,
    ):
        chosen = [candidate for candidate in sampled if programs.runner(candidate.part, takes_grid=False)]
        for candidate in chosen:
            if candidate.part.key in compiled.errors:
                raise MachineProblem(f"{candidate.identity} runs as a program and does not compile: please report it")
        results = [_results(chosen, library, context) for library in (compiled, programs)]
        for candidate, text, program in zip(chosen, *results, strict=True):
            if text != program:
                raise MachineProblem(
                    f"{candidate.identity} gives other results as a program than as compiled code: please report it"
                )


Results = list[bytes] | None
"""Everything that a launch may have changed, or None if it stops."""


def _results(candidates: Sequence[Candidate], library: Library, context: BatchContext) -> list[Results]:
    context.arena.clear()
    launches = []
    for candidate in candidates:
        kernel = entry_points(library, candidate.part, takes_grid=False)
        launches.append(prepare_launch(kernel, candidate.launch, candidate.values, context.arena, backward=candidate.backward))
    problems = run_forked([launch.calls for launch in launches], context.launch_seconds)
    return [
        None if problem is not None else _contents(launch.arguments) for launch, problem in zip(launches, problems, strict=True)
    ]


def _contents(arguments: Arguments) -> list[bytes]:
    parts = (arguments.arrays, arguments.kept, arguments.adjoints, arguments.value_adjoints)
    return [_bits(array) for arrays in parts for array in arrays.values()]


def _bits(array: Values) -> bytes:
    """Return the bytes of an array, with one NaN for all: C++ leaves its bits open, and an optimizer swaps factors."""
    return (np.where(np.isnan(array), np.nan, array).astype(array.dtype) if array.dtype.kind == "f" else array).tobytes()
