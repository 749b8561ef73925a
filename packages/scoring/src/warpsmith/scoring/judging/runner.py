"""The part of the scorer inside a sandboxed worker that compiles texts and launches them in forks.

A fork runs one text. It holds the inputs of the request's launches, and neither what is expected of them nor other texts'
results: these stay in memory that later forks do not have until all texts have run. The request's other texts and their code
are in the memory of a fork, which the policy gives no text a way to read.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from warpsmith.core.errors import KernelRejected, one_line
from warpsmith.core.inputs.values import Values
from warpsmith.core.records.ir import Code
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Launch
from warpsmith.scoring.judging.trials import Trial
from warpsmith.scoring.judging.wire import array_names, from_outputs, to_trial
from warpsmith.validation.compiling import nvrtc
from warpsmith.validation.compiling.clang import Library
from warpsmith.validation.compiling.part import UnitPart
from warpsmith.validation.running.arguments import promoted
from warpsmith.validation.running.fork_runner import MachineText, run_forked
from warpsmith.validation.running.launches import GridShape, in_order, on_fibers, out_of_order
from warpsmith.validation.running.loader import Source, extract_in_fork
from warpsmith.validation.running.memory import Arena
from warpsmith.validation.running.outputs import LaunchOutputs
from warpsmith.validation.running.prepared import EntryPoints, PreparedLaunch, prepare_launch
from warpsmith.validation.running.signature import mismatch


class _Rejected(Exception):
    """A text did not get further; the arguments are the stage at which it failed and the reason."""

    def __init__(self, stage: str, reason: str) -> None:
        super().__init__(stage, one_line(reason))
        self.stage, self.reason = stage, one_line(reason)

    def to_json(self) -> dict[str, str]:
        return {"stage": self.stage, "reason": self.reason}


@dataclass(frozen=True, slots=True)
class Text:
    """One text to judge, as the scorer sends it.

    Attributes:
        language: ``"cuda"``, ``"adjoint"`` or ``"python"``; empty for the text of a reference, which is Warp's own.
        kernel_name: the name of the kernel.
        text: the answer, or the reference's forward text.
        given: for an adjoint, the forward text that it belongs to; for a reference, the adjoint.
        dimensions: how many coordinates ``wp.tid()`` returns in the reference; None if its text does not say.
        strides: whether threads of the reference continue with further elements.
        options: the module options that differ from Warp's defaults.
        backward: whether a Python answer needs an adjoint.
        trials: the launches, as indices into the list of all.
    """

    language: str
    kernel_name: str
    text: str
    given: str | None
    dimensions: int | None
    strides: bool
    options: Mapping[str, Any]
    backward: bool
    trials: Sequence[int]


def run_texts(_: Sequence[Line], *, texts: Sequence[Mapping[str, Any]], trials: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Compile and launch texts.

    Args:
        texts: fields of `Text`.
        trials: launches, see `wire.from_trial`.

    Returns:
        For each text its rejection, or as ``runs`` the outputs of each launch and shape, or the problem of a launch that stops.
        A reference is not compiled as CUDA, and has ``exact`` besides: the outputs in double precision, over the first shape.
    """
    scratch, every = Path.cwd(), [to_trial(trial) for trial in trials]
    candidates: list[_Candidate | _Rejected] = []
    for number, fields in enumerate(texts):
        try:
            candidates.append(_Candidate(Text(**fields), f"K{number}", every))
        except _Rejected as rejected:
            candidates.append(rejected)
    readable = [candidate for candidate in candidates if isinstance(candidate, _Candidate)]
    errors = nvrtc.check_parts([candidate.part for candidate in readable if not candidate.is_reference], scratch)
    parts = [part for candidate in readable for part in candidate.parts if part.key not in errors]
    library = Library("emulated", parts, scratch)
    errors |= library.errors
    try:
        for candidate in readable:
            if candidate.part.key not in errors:
                candidate.run(library)
        return {"texts": [_outcome(candidate, errors) for candidate in candidates]}
    finally:
        library.close()


def _outcome(candidate: _Candidate | _Rejected, errors: Mapping[str, str]) -> dict[str, Any]:
    if isinstance(candidate, _Rejected):
        return candidate.to_json()
    if candidate.part.key in errors:
        return _Rejected("compile", errors[candidate.part.key]).to_json()
    return candidate.outcome()


class _Candidate:
    """A text with its launches."""

    def __init__(self, text: Text, key: str, trials: Sequence[Trial]) -> None:
        self.text = text
        self.trials = [trials[number] for number in text.trials]
        options = tuple(sorted(text.options.items()))
        self.part = UnitPart(key, "cuda", _code(text, self.trials[0].launch), options)
        self._exact = replace(self.part, key=f"{key}0000000", in_double=True)
        self._backward = self.part.code.backward_code is not None
        self._synchronizes = self.part.synchronizes
        # The reference decides, so that no answer can choose easier grids; the code of a Python answer is Warp's own.
        self._strides = text.strides and (text.language != "python" or self.part.strides)
        self._launched: dict[str, list[tuple[Trial, PreparedLaunch, str | None]]] = {}

    @property
    def is_reference(self) -> bool:
        """Whether the text is Warp's own."""
        return not self.text.language

    @property
    def parts(self) -> list[UnitPart]:
        """What has to be compiled for the text."""
        return [self.part, self._exact] if self.is_reference else [self.part]

    def run(self, library: Library) -> None:
        """Launch the text in forks; no later fork has the memory with its results."""
        self._launched = {part.key: self._launch(library, part) for part in self.parts if part.key not in library.errors}

    def outcome(self) -> dict[str, Any]:
        """Return the outputs of all launches after `run`, by trial and shape."""
        problems = [problem for launched in self._launched.values() for _, _, problem in launched]
        if machine := next((problem for problem in problems if isinstance(problem, MachineText)), None):
            return _Rejected("machine", machine).to_json()
        found = {key: self._by_trial(launched) for key, launched in self._launched.items()}
        exact = {"exact": found.get(self._exact.key)} if self.is_reference else {}
        return {"runs": found[self.part.key], **exact}

    def _launch(self, library: Library, part: UnitPart) -> list[tuple[Trial, PreparedLaunch, str | None]]:
        arena = Arena()
        addresses = {direction: library.address(part, direction, "_grid") for direction in part.directions}
        forward, backward = addresses["forward"], addresses.get("backward", 0)
        kernel = EntryPoints(forward, backward, self.text.dimensions, takes_grid=True, backward_rewrites_arrays=True)
        shapes = [(trial, number) for trial in self.trials for number in (trial.shapes[:1] if part.in_double else trial.shapes)]
        prepared = [(trial, self._prepare(kernel, trial, number, arena, part)) for trial, number in shapes]
        jobs = [launch.calls for _, launch in prepared]
        problems = run_forked(jobs, stop=not self.is_reference)  # some launches do not suit a reference
        arena.hide()
        return [(*one, problem) for one, problem in zip(prepared, problems, strict=True)]

    def _by_trial(self, launched: Sequence[tuple[Trial, PreparedLaunch, str | None]]) -> list[list[dict[str, str]]]:
        """Return the outputs of launches, those of each trial together."""
        grouped = itertools.groupby(launched, key=lambda one: id(one[0]))
        return [[_outputs(launch, problem, trial) for trial, launch, problem in group] for _, group in grouped]

    def _prepare(self, kernel: EntryPoints, trial: Trial, number: int, arena: Arena, part: UnitPart) -> PreparedLaunch:
        values = {name: promoted(value) for name, value in trial.values.items()} if part.in_double else trial.values
        shape = self._shape(trial.launch, number)
        prepared = prepare_launch(kernel, trial.launch, values, arena, backward=self._backward, shape=shape)
        for name, gradient in prepared.arguments.adjoints.items():
            if name in trial.gradients:
                gradient[...] = trial.gradients[name]
        return prepared

    def _shape(self, launch: Launch, number: int) -> GridShape:
        if self._synchronizes:
            return on_fibers(launch, self.part.block_dim, last_first=number > 2)
        return [*in_order(launch, self._strides), *out_of_order(launch, self._strides)][number]


def _outputs(prepared: PreparedLaunch, problem: str | None, trial: Trial) -> dict[str, str]:
    if problem is not None:
        return {"problem": problem}
    outputs = prepared.outputs()
    names = set(array_names(trial.launch))
    gradients = {name: value for name, value in outputs.gradients.items() if name in trial.gradients}
    selected = LaunchOutputs(_selected(outputs.arrays, names), gradients, _selected(outputs.rewritten, names))
    return {"outputs": from_outputs(selected)}


def _selected(arrays: Mapping[str, Values], names: set[str]) -> dict[str, Values]:
    return {name: np.asarray(array) for name, array in arrays.items() if name in names}


def _code(text: Text, launch: Launch) -> Code:
    """Return the code of a text.

    Raises:
        _Rejected: if Warp generates no code for a Python answer, or its kernel takes other arguments.
    """
    if text.language == "python":
        return _generated(text, launch)
    if text.language == "adjoint":
        return Code(text.kernel_name, text.given or "", _in_one_piece(text.text))
    return Code(text.kernel_name, text.text, text.given)


def _in_one_piece(text: str) -> str:
    """Return an adjoint that `split.join` does not cut, whose errors compilers report with the line numbers of the answer.

    The cut is at an empty line.
    """
    return "#line 1\n" + re.sub(r"\n(?=\n)", "\n ", text) + "\n"


def _generated(text: Text, launch: Launch) -> Code:
    try:
        ir = extract_in_fork(Source(text.text, text.kernel_name, text.options, "both", text.backward))
    except KernelRejected as rejected:
        raise _Rejected("compile", str(rejected)) from None
    if (problem := mismatch(launch, ir.codes["cpu"], text.text)) is not None:
        raise _Rejected("read", problem)
    return ir.codes["cuda"]
