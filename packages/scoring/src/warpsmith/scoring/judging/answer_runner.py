"""The part of the scorer inside a sandboxed worker that compiles texts and launches them in forks.

A fork runs one text. It holds the inputs of the request's launches, and neither what is expected of them nor other texts'
results: these stay in memory that later forks do not have until all texts have run. The request's other texts and their code
are in the memory of a fork, which the policy gives no text a way to read.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import msgspec

from warpsmith.core.errors import KernelRejected, single_line
from warpsmith.core.records.ir import Code
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Launch
from warpsmith.scoring.judging.answer_launches import Compiled, Launches, Launching, run_together
from warpsmith.scoring.judging.forward_sharing import share_forward_code
from warpsmith.scoring.judging.time_budget import TimeBudget
from warpsmith.scoring.judging.trials import Trial
from warpsmith.scoring.judging.wire import to_trial
from warpsmith.scoring.judging.worker_messages import MACHINE, EncodedTrial, Launched, Rejection, Reply, Runs, TextToRun
from warpsmith.validation.compiling import nvrtc
from warpsmith.validation.compiling.clang import Library
from warpsmith.validation.compiling.part import UnitPart
from warpsmith.validation.running.entry_signature import mismatch
from warpsmith.validation.running.kernel_loader import Source, extract_in_fork


class _RejectedError(Exception):
    """A text did not get further.

    Attributes:
        rejection: the stage at which it failed and the reason.
    """

    def __init__(self, rejection: Rejection) -> None:
        super().__init__(rejection)
        self.rejection = rejection


def run_texts(_: Sequence[Line], *, texts: Sequence[object], trials: Sequence[object], limits: tuple[float, float]) -> Reply:
    """Compile and launch texts.

    Args:
        texts: `TextToRun` as JSON.
        trials: the launches, `EncodedTrial` as JSON.
        limits: how long all launches of one answer, and of all answers, may take.

    Returns:
        For each text its rejection or its runs. A reference is not compiled as CUDA, and runs in double precision besides.
    """
    _freeze_modules()
    every = [to_trial(trial) for trial in msgspec.convert(trials, list[EncodedTrial])]
    candidates = read_candidates(texts, every)
    readable = [candidate for candidate in candidates if isinstance(candidate, Candidate)]
    outcomes = _run(readable, every, Path.cwd(), TimeBudget.starting(*limits))
    return {"texts": [outcomes[candidate.key] if isinstance(candidate, Candidate) else candidate for candidate in candidates]}


def read_candidates(texts: Sequence[object], trials: Sequence[Trial]) -> list[Candidate | Rejection]:
    """Return texts, `TextToRun` as JSON, with their launches, or why there is no code to compile."""
    candidates: list[Candidate | Rejection] = []
    for number, text in enumerate(msgspec.convert(texts, list[TextToRun])):
        try:
            candidates.append(Candidate(text, f"K{number}", trials))
        except _RejectedError as error:
            candidates.append(error.rejection)
    return candidates


@cache
def _freeze_modules() -> None:
    """Leave the modules, which every request needs, out of later garbage collections: one takes 40 ms with them."""
    gc.collect()
    gc.freeze()


def _run(
    candidates: Sequence[Candidate], trials: Sequence[Trial], scratch: Path, budget: TimeBudget
) -> dict[str, Launched | Rejection]:
    """Compile and launch texts, and return the answers by key."""
    references, answers = _parted(candidates)
    for answer, part in zip(answers, share_forward_code(answer.part for answer in answers), strict=True):
        answer.part = part
    errors = nvrtc.check_parts([answer.part for answer in answers], scratch)
    parts = [part for candidate in candidates for part in candidate.parts if part.key not in errors]
    library = Library("emulated", parts, scratch)
    errors |= library.errors
    try:
        outcomes: dict[str, Launched | Rejection] = {
            key: Rejection("compile", single_line(error)) for key, error in errors.items()
        }
        outcomes |= _run_answers([answer for answer in answers if answer.key not in errors], library, trials, budget)
        compiled = [reference for reference in references if reference.key not in errors]
        return outcomes | _run_references(compiled, library, trials)
    finally:
        library.close()


def _run_answers(
    answers: Sequence[Candidate], library: Library, trials: Sequence[Trial], budget: TimeBudget
) -> dict[str, Launched | Rejection]:
    """Return what answers leave; those with the same launches use one memory in turn."""
    together: dict[Launching, list[Candidate]] = {}
    for answer in answers:
        together.setdefault(answer.launching(), []).append(answer)
    ran: list[tuple[Launches, Compiled]] = []
    for launching, group in together.items():
        launches, texts = Launches(launching, trials), [Compiled(answer.part, launching) for answer in group]
        launches.run_in_turn(library, texts, budget)
        ran += [(launches, text) for text in texts]
    return {text.part.key: _outcome([text], launches.outcome(text)) for launches, text in ran}  # no fork is made any more


def _run_references(
    references: Sequence[Candidate], library: Library, trials: Sequence[Trial]
) -> dict[str, Launched | Rejection]:
    """Return what references leave, also in double precision."""
    texts = {
        part.key: Compiled(part, reference.launching(in_double=part.in_double))
        for reference in references
        for part in reference.parts
        if part.key not in library.errors
    }
    runs = dict(zip(texts, run_together(library, list(texts.values()), trials), strict=True))
    outcomes = {}
    for reference in references:
        compiled = [texts[part.key] for part in reference.parts if part.key in texts]
        outcomes[reference.key] = _outcome(compiled, runs[reference.key], exact=runs.get(reference.exact.key))
    return outcomes


def _outcome(texts: Sequence[Compiled], runs: Runs, exact: Runs | None = None) -> Launched | Rejection:
    """Return the answer on a text."""
    if machine := next((text.machine_problem for text in texts if text.machine_problem is not None), None):
        return Rejection(MACHINE, single_line(machine))
    return Launched(runs, exact)


def _parted(candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[Candidate]]:
    """Return the references and the answers."""
    parted: tuple[list[Candidate], list[Candidate]] = ([], [])
    for candidate in candidates:
        parted[0 if candidate.is_reference else 1].append(candidate)
    return parted


class Candidate:
    """A text with its launches."""

    def __init__(self, text: TextToRun, key: str, trials: Sequence[Trial]) -> None:
        self.text, self.key = text, key
        options = tuple(sorted(text.options.items()))
        self.part = UnitPart(key, "cuda", _code(text, trials[text.trials[0]].launch), options)
        self.exact = replace(self.part, key=f"{key}0000000", in_double=True)

    @property
    def is_reference(self) -> bool:
        """Whether the text is Warp's own."""
        return not self.text.language

    @property
    def parts(self) -> list[UnitPart]:
        """What has to be compiled for the text."""
        return [self.part, self.exact] if self.is_reference else [self.part]

    def launching(self, in_double: bool = False) -> Launching:
        """Return how the text is launched."""
        part = self.part
        return Launching(
            trials=tuple(self.text.trials),
            dimensions=self.text.dimensions,
            # The reference decides, so that no answer can choose easier grids; the code of a Python answer is Warp's own.
            strides=self.text.strides and (self.text.language != "python" or part.strides),
            block=part.block_dim if part.synchronizes else 0,
            backward=part.code.backward_code is not None,
            in_double=in_double,
        )


def _code(text: TextToRun, launch: Launch) -> Code:
    """Return the code of a text.

    Raises:
        _RejectedError: if Warp generates no code for a Python answer, or its kernel takes other arguments.
    """
    if text.language == "python":
        return _generated(text, launch)
    if text.language == "adjoint":
        return Code(text.kernel_name, text.given or "", _without_empty_lines(text.text))
    return Code(text.kernel_name, text.text, text.given)


def _without_empty_lines(text: str) -> str:
    """Return an adjoint that `split.join` does not cut, whose errors compilers report with the line numbers of the answer.

    The cut is at an empty line.
    """
    return "#line 1\n" + re.sub(r"\n(?=\n)", "\n ", text) + "\n"


def _generated(text: TextToRun, launch: Launch) -> Code:
    try:
        ir = extract_in_fork(Source(text.text, text.kernel_name, text.options, "both", text.backward))
    except KernelRejected as rejected:
        raise _RejectedError(Rejection("compile", single_line(str(rejected)))) from None
    if (problem := mismatch(launch, ir.codes["cpu"], text.text)) is not None:
        raise _RejectedError(Rejection("read", single_line(problem)))
    return ir.codes["cuda"]
