"""Launches of compiled texts in forks: answers with the same launches use the same memory in turn, references run together.

A fork that runs an answer has the inputs of its launches, and nothing that earlier answers left: these results are copied to
memory that no fork has, and the inputs are written anew.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Launch
from warpsmith.scoring.judging.rounded_launches import DIRECTIONS, rounded
from warpsmith.scoring.judging.time_budget import SPENT, TimeBudget
from warpsmith.scoring.judging.trials import Trial
from warpsmith.scoring.judging.wire import array_names, from_outputs
from warpsmith.scoring.judging.worker_messages import Run, Runs
from warpsmith.validation.compiling.clang import Library
from warpsmith.validation.compiling.part import UnitPart
from warpsmith.validation.running.entry_calls import GridShape, in_order, on_fibers, out_of_order
from warpsmith.validation.running.fork_runner import MachineText, run_forked
from warpsmith.validation.running.outputs import LaunchOutputs
from warpsmith.validation.running.prepared_launch import EntryPoints, PreparedLaunch, prepare_launch
from warpsmith.validation.running.shared_arguments import promoted
from warpsmith.validation.running.shared_memory import Arena, Image


@dataclass(frozen=True, slots=True)
class Launching:
    """How a text is launched; texts for which this is the same can use the same memory in turn.

    Attributes:
        trials: the launches, as indices into the list of all.
        dimensions: how many coordinates ``wp.tid()`` returns; None if the text does not say.
        strides: whether threads continue with further elements.
        block: the threads of a block that wait for each other; 0 if none do.
        backward: whether the backward pass runs.
        in_double: whether floats are double.
    """

    trials: tuple[int, ...]
    dimensions: int | None
    strides: bool
    block: int
    backward: bool
    in_double: bool = False


@dataclass(slots=True)
class Compiled:
    """A compiled text, and after its launches what they left.

    Attributes:
        part: the text.
        launching: how it is launched.
        problems: the problem of each launch, or None.
        image: the memory after the launches, if other texts have used it since.
    """

    part: UnitPart
    launching: Launching
    problems: Sequence[str | None] = ()
    image: Image | None = None

    @property
    def machine_problem(self) -> MachineText | None:
        """What the machine lacked for a launch, or None."""
        return next((problem for problem in self.problems if isinstance(problem, MachineText)), None)


class Launches:
    """The launches of texts, with their arguments in place.

    Args:
        launching: how the texts are launched.
        trials: the launches of the request.
    """

    def __init__(self, launching: Launching, trials: Sequence[Trial]) -> None:
        self._launching = launching
        self._arena = Arena()
        self._entries = EntryPoints(0, 0, launching.dimensions, takes_grid=True, backward_rewrites_arrays=True)
        shapes = [(trials[number], shape) for number in launching.trials for shape in _shapes(trials[number], launching)]
        self._prepared = [(trial, self._prepare(trial, shape), shape) for trial, shape in shapes]

    def jobs(self, library: Library, part: UnitPart) -> list[Sequence[Any]]:
        """Return the launches of a text, which may run until this is called for another text."""
        addresses = {direction: library.address(part, direction, "_grid") for direction in part.directions}
        self._entries.forward, self._entries.backward = addresses["forward"], addresses.get("backward", 0)
        return [rounded(launch.calls, number) for _, launch, number in self._prepared]

    def run_in_turn(self, library: Library, texts: Iterable[Compiled], budget: TimeBudget) -> None:
        """Run each text in a fork without the memory of the texts before it; a launch that stops is the text's last one."""
        before = self._arena.image()
        for text in texts:
            jobs = self.jobs(library, text.part)
            if budget.is_spent:
                text.problems = [MachineText(SPENT)] * len(jobs)
                continue
            text.problems = run_forked(jobs, budget.answer, stop=True, total=budget.answer)
            text.image = self._arena.image()
            self._arena.put_back(before)
        self._arena.hide()

    def outcome(self, text: Compiled) -> Runs:
        """Return what a text has left."""
        if text.image is not None:
            self._arena.put_back(text.image)
        launched = zip(self._prepared, text.problems, strict=True)
        grouped = itertools.groupby(launched, key=lambda launch: id(launch[0][0]))
        return [[_run(launch, problem, trial) for (trial, launch, _), problem in group] for _, group in grouped]

    def _prepare(self, trial: Trial, number: int) -> PreparedLaunch:
        launching = self._launching
        values = {name: promoted(value) for name, value in trial.values.items()} if launching.in_double else trial.values
        shape = _shape(trial.launch, launching, number)
        prepared = prepare_launch(self._entries, trial.launch, values, self._arena, backward=launching.backward, shape=shape)
        for name, gradient in prepared.arguments.adjoints.items():
            if name in trial.gradients:
                gradient[...] = trial.gradients[name]
        return prepared


def run_together(library: Library, texts: Sequence[Compiled], trials: Sequence[Trial]) -> list[Runs]:
    """Run references, as far as possible in one fork, and return what they left; launches that stop do not suit them."""
    launches = [Launches(text.launching, trials) for text in texts]
    jobs = [prepared.jobs(library, text.part) for prepared, text in zip(launches, texts, strict=True)]
    problems = iter(run_forked([job for text_jobs in jobs for job in text_jobs]))
    for text, text_jobs in zip(texts, jobs, strict=True):
        text.problems = list(itertools.islice(problems, len(text_jobs)))
    return [prepared.outcome(text) for prepared, text in zip(launches, texts, strict=True)]


def _shapes(trial: Trial, launching: Launching) -> tuple[int, ...]:
    return trial.shapes[:1] if launching.in_double else trial.shapes


def _shape(launch: Launch, launching: Launching, number: int) -> GridShape:
    number = 0 if number in DIRECTIONS else number
    if launching.block:
        return on_fibers(launch, launching.block, last_first=number > 2)
    return [*in_order(launch, launching.strides), *out_of_order(launch, launching.strides)][number]


def _run(prepared: PreparedLaunch, problem: str | None, trial: Trial) -> Run:
    if problem is not None:
        return Run(problem=problem)
    outputs = prepared.outputs()
    names = set(array_names(trial.launch))
    gradients = {name: value for name, value in outputs.gradients.items() if name in trial.gradients}
    selected = LaunchOutputs(_selected(outputs.arrays, names), gradients, _selected(outputs.rewritten, names))
    return Run(from_outputs(selected))


def _selected(arrays: Mapping[str, Values], names: set[str]) -> dict[str, Values]:
    return {name: np.asarray(array) for name, array in arrays.items() if name in names}
