"""The part of the scorer inside a sandboxed worker that compiles texts and launches them in forks.

A fork runs one text. It holds the inputs of the request's launches, and neither what is expected of them nor other texts'
results: these stay in memory that later forks do not have until all texts have run. The request's other texts and their code
are in the memory of a fork, which the policy gives no text a way to read.
"""

from __future__ import annotations

import gc
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from warpsmith.core.errors import KernelRejected, single_line
from warpsmith.core.records.ir import Code
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Launch
from warpsmith.scoring.judging.answer_launches import Compiled, Launches, Launching, Runs, run_together
from warpsmith.scoring.judging.forward_sharing import share_forward_code
from warpsmith.scoring.judging.trials import Trial
from warpsmith.scoring.judging.wire import to_trial
from warpsmith.validation.compiling import nvrtc
from warpsmith.validation.compiling.clang import Library
from warpsmith.validation.compiling.part import UnitPart
from warpsmith.validation.running.entry_signature import mismatch
from warpsmith.validation.running.kernel_loader import Source, extract_in_fork


class _Rejected(Exception):
    """A text did not get further; the arguments are the stage at which it failed and the reason."""

    def __init__(self, stage: str, reason: str) -> None:
        super().__init__(stage, single_line(reason))
        self.stage, self.reason = stage, single_line(reason)

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
    _freeze_modules()
    every = [to_trial(trial) for trial in trials]
    candidates: list[_Candidate | _Rejected] = []
    for number, fields in enumerate(texts):
        try:
            candidates.append(_Candidate(Text(**fields), f"K{number}", every))
        except _Rejected as rejected:
            candidates.append(rejected)
    readable = [candidate for candidate in candidates if isinstance(candidate, _Candidate)]
    outcomes = _run(readable, every, Path.cwd())
    return {
        "texts": [
            outcomes[candidate.key] if isinstance(candidate, _Candidate) else candidate.to_json() for candidate in candidates
        ]
    }


@cache
def _freeze_modules() -> None:
    """Leave the modules, which every request needs, out of later garbage collections: one takes 40 ms with them."""
    gc.collect()
    gc.freeze()


def _run(candidates: Sequence[_Candidate], trials: Sequence[Trial], scratch: Path) -> dict[str, dict[str, Any]]:
    """Compile and launch texts, and return the answers by key."""
    references, answers = _parted(candidates)
    for answer, part in zip(answers, share_forward_code(answer.part for answer in answers), strict=True):
        answer.part = part
    errors = nvrtc.check_parts([answer.part for answer in answers], scratch)
    parts = [part for candidate in candidates for part in candidate.parts if part.key not in errors]
    library = Library("emulated", parts, scratch)
    errors |= library.errors
    try:
        outcomes = {key: _Rejected("compile", error).to_json() for key, error in errors.items()}
        outcomes |= _run_answers([answer for answer in answers if answer.key not in errors], library, trials)
        compiled = [reference for reference in references if reference.key not in errors]
        return outcomes | _run_references(compiled, library, trials)
    finally:
        library.close()


def _run_answers(answers: Sequence[_Candidate], library: Library, trials: Sequence[Trial]) -> dict[str, dict[str, Any]]:
    """Return what answers leave; those with the same launches use one memory in turn."""
    together: dict[Launching, list[_Candidate]] = {}
    for answer in answers:
        together.setdefault(answer.launching(), []).append(answer)
    ran: list[tuple[Launches, Compiled]] = []
    for launching, group in together.items():
        launches, texts = Launches(launching, trials), [Compiled(answer.part, launching) for answer in group]
        launches.run_in_turn(library, texts)
        ran += [(launches, text) for text in texts]
    return {text.part.key: _outcome([text], launches.outcome(text)) for launches, text in ran}  # no fork is made any more


def _run_references(references: Sequence[_Candidate], library: Library, trials: Sequence[Trial]) -> dict[str, dict[str, Any]]:
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


def _outcome(texts: Sequence[Compiled], runs: Runs, **exact: Runs | None) -> dict[str, Any]:
    """Return the answer on a text."""
    if machine := next((text.machine_problem for text in texts if text.machine_problem is not None), None):
        return _Rejected("machine", machine).to_json()
    return {"runs": runs, **exact}


def _parted(candidates: Sequence[_Candidate]) -> tuple[list[_Candidate], list[_Candidate]]:
    """Return the references and the answers."""
    parted: tuple[list[_Candidate], list[_Candidate]] = ([], [])
    for candidate in candidates:
        parted[0 if candidate.is_reference else 1].append(candidate)
    return parted


class _Candidate:
    """A text with its launches."""

    def __init__(self, text: Text, key: str, trials: Sequence[Trial]) -> None:
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


def _code(text: Text, launch: Launch) -> Code:
    """Return the code of a text.

    Raises:
        _Rejected: if Warp generates no code for a Python answer, or its kernel takes other arguments.
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


def _generated(text: Text, launch: Launch) -> Code:
    try:
        ir = extract_in_fork(Source(text.text, text.kernel_name, text.options, "both", text.backward))
    except KernelRejected as rejected:
        raise _Rejected("compile", str(rejected)) from None
    if (problem := mismatch(launch, ir.codes["cpu"], text.text)) is not None:
        raise _Rejected("read", problem)
    return ir.codes["cuda"]
