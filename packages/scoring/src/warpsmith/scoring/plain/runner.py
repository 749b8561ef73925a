"""The part of the scorer inside the worker for plain CUDA that compiles one text and launches it in forks."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from warpsmith.core.errors import one_line
from warpsmith.core.records.jsonl import Line
from warpsmith.extraction.warp import runtime
from warpsmith.scoring.judging.trials import Trial
from warpsmith.scoring.judging.wire import MACHINE, UNSUPPORTED, from_outputs, to_trial
from warpsmith.scoring.plain.launching import PlainLaunch, prepare_plain
from warpsmith.scoring.plain.signature import Parameter
from warpsmith.scoring.plain.unit import ENTRY, NATIVE, cuda_text, emulation_text, waits
from warpsmith.validation.compiling import nvrtc
from warpsmith.validation.compiling.batch import CompileError, first_error
from warpsmith.validation.compiling.clang import HeaderFolder, compile_text
from warpsmith.validation.running.fork_runner import MachineText, run_forked
from warpsmith.validation.sandbox.machine import MachineProblem

_EMULATION = HeaderFolder("plain", NATIVE, ("-ftrivial-auto-var-init=pattern",))
"""The emulation of CUDA for texts without Warp's headers; variables without a value contain a pattern."""

_numbers = itertools.count()


class RejectedError(Exception):
    """A text does not get further; the arguments are the stage at which it fails and the reason."""

    def __init__(self, stage: str, reason: str) -> None:
        super().__init__(stage, reason)
        self.stage, self.reason = stage, reason


def run_plain(_: Sequence[Line], *, texts: Sequence[Mapping[str, Any]], trials: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Compile and launch one text; the process that does so holds no other.

    Args:
        texts: the text, with the name and the parameters of its kernel.
        trials: its launches, see `wire.from_trial`.

    Returns:
        For the text its rejection, or the outputs of each launch and shape; for a launch that stopped, the problem.
    """
    (fields,) = texts
    parameters = [Parameter(**parameter) for parameter in fields["parameters"]]
    read = [to_trial(trial) for trial in trials]
    return {"texts": [_answer(fields["text"], fields["kernel_name"], parameters, read)]}


def warm_up(scratch: Path) -> None:
    """Compile a kernel of our own, so that forks of this process find the compilers loaded."""
    runtime.start_runtime()
    text = "__global__ void warm_up(float* x) { x[0] = sinf(x[0]); }"
    _compile(text, "warm_up", [Parameter("x", "float*")], scratch)


def _answer(text: str, kernel: str, parameters: Sequence[Parameter], trials: Sequence[Trial]) -> dict[str, Any]:
    """Return the answer on a text; what the machine lacks is not the text's fault."""
    try:
        return _launch(_compile(text, kernel, parameters, Path.cwd()), parameters, trials, waits(text))
    except RejectedError as rejected:
        return {"stage": rejected.stage, "reason": one_line(rejected.reason)}
    except (MachineProblem, OSError, MemoryError) as problem:
        return {"stage": MACHINE, "reason": one_line(f"{type(problem).__name__}: {problem}")}


def _launch(function: int, parameters: Sequence[Parameter], trials: Sequence[Trial], on_fibers: bool) -> dict[str, Any]:
    """Launch an entry point over the grids of all trials."""
    prepared = [
        [prepare_plain(function, trial.launch, parameters, trial.values, number, on_fibers) for number in trial.shapes]
        for trial in trials
    ]
    problems = run_forked([[one.call] for launches in prepared for one in launches], stop=True)
    if machine := next((problem for problem in problems if isinstance(problem, MachineText)), None):
        return {"stage": MACHINE, "reason": machine}
    found = iter(problems)
    outcomes = zip(trials, prepared, strict=True)
    return {"runs": [[_outcome(one, next(found), trial.launch) for one in launches] for trial, launches in outcomes]}


def _outcome(prepared: PlainLaunch, problem: str | None, launch: Any) -> dict[str, str]:
    return {"problem": problem} if problem is not None else {"outputs": from_outputs(prepared.outputs(launch))}


def _compile(text: str, kernel: str, parameters: Sequence[Parameter], scratch: Path) -> int:
    """Compile a text with NVRTC and with Clang, and return the address of its entry point.

    Raises:
        RejectedError: if a compiler rejects the text, or it calls a function that it does not define.
        MachineProblem: if the machine prevents that.
    """
    if (error := nvrtc.check_text(cuda_text(text), scratch)) is not None:
        raise RejectedError("compile", error)
    handle = f"warpsmith_plain_{next(_numbers)}"
    result = scratch / f"{handle}.o"
    emulated = emulation_text(text, kernel, [parameter.ctype for parameter in parameters])
    try:
        compile_text(emulated, result, scratch, headers=_EMULATION)
    except CompileError as error:
        raise RejectedError(UNSUPPORTED, f"the emulation does not support: {first_error(str(error))}") from None
    return _load(result, handle)


def _load(result: Path, handle: str) -> int:
    """Link an object into this process and return the address of its entry point."""
    with contextlib.suppress(OSError):
        runtime.load_object(result, handle)
        result.unlink()
        if address := runtime.look_up(handle, ENTRY):
            return address
    raise RejectedError("compile", "the text calls a function that it does not define")
