"""The part of the scorer inside the worker for plain CUDA that compiles one text and launches it in forks."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from warpsmith.core.errors import one_line
from warpsmith.core.records.jsonl import Line
from warpsmith.extraction.warp import compilers, runtime
from warpsmith.scoring.judging.wire import MACHINE, UNSUPPORTED, from_outputs, to_trial
from warpsmith.scoring.plain.launching import PlainLaunch, prepare_plain
from warpsmith.scoring.plain.signature import Parameter
from warpsmith.scoring.plain.unit import ENTRY, NATIVE, cuda_text, emulation_text, waits
from warpsmith.validation.compiling import nvrtc
from warpsmith.validation.compiling.batch import CompileError, first_error, rejection
from warpsmith.validation.compiling.clang import precompiled_header
from warpsmith.validation.compiling.log import Log
from warpsmith.validation.compiling.part import DEFAULT_BLOCK
from warpsmith.validation.running.fork_runner import MachineText, run_forked

_FLAGS = ("-w", "-ftrivial-auto-var-init=pattern")
"""Variables without a value contain a pattern."""

_numbers = itertools.count()


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
    return {"texts": [_run(fields["text"], fields["kernel_name"], parameters, trials)]}


def warm_up(scratch: Path) -> None:
    """Compile a kernel of our own, so that forks of this process find the compilers loaded."""
    runtime.start_runtime()
    text = "__global__ void warm_up(float* x) { x[0] = sinf(x[0]); }"
    nvrtc.check_text(cuda_text(text), scratch)
    _compile(text, "warm_up", [Parameter("x", "float*")], scratch)


def _run(text: str, kernel: str, parameters: Sequence[Parameter], trials: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    scratch = Path.cwd()
    if (error := nvrtc.check_text(cuda_text(text), scratch)) is not None:
        return {"stage": "compile", "reason": one_line(error)}
    try:
        function = _compile(text, kernel, parameters, scratch)
    except OSError as failure:
        return {"stage": "compile", "reason": one_line(f"a function is not defined: {failure}")}
    except CompileError as failure:
        return {"stage": UNSUPPORTED, "reason": one_line(f"the emulation does not support: {first_error(str(failure))}")}
    read = [to_trial(trial) for trial in trials]
    on_fibers = waits(text)
    prepared = [
        [prepare_plain(function, trial.launch, parameters, trial.values, number, on_fibers) for number in trial.shapes]
        for trial in read
    ]
    problems = run_forked([[one.call] for launches in prepared for one in launches], stop=True)
    if machine := next((problem for problem in problems if isinstance(problem, MachineText)), None):
        return {"stage": MACHINE, "reason": machine}
    found = iter(problems)
    return {
        "runs": [
            [_outcome(one, next(found), trial.launch) for one in launches]
            for trial, launches in zip(read, prepared, strict=True)
        ]
    }


def _outcome(prepared: PlainLaunch, problem: str | None, launch: Any) -> dict[str, str]:
    return {"problem": problem} if problem is not None else {"outputs": from_outputs(prepared.outputs(launch))}


def _compile(text: str, kernel: str, parameters: Sequence[Parameter], scratch: Path) -> int:
    """Compile a text with Clang and return the address of its entry point.

    Raises:
        CompileError: if Clang rejects the text.
        OSError: if the text calls a function that it does not define.
    """
    header = _header(scratch)
    handle = f"warpsmith_plain_{next(_numbers)}"
    result = scratch / f"{handle}.o"
    types = [parameter.ctype for parameter in parameters]
    with Log(scratch) as log:
        flags = (*_FLAGS, "-include-pch", str(header))
        done = compilers.compile_cpp(emulation_text(text, kernel, types), result, NATIVE, DEFAULT_BLOCK, flags)
    if not done:
        raise rejection(log.text())
    runtime.load_object(result, handle)
    result.unlink()
    if not (address := runtime.look_up(handle, ENTRY)):
        raise OSError("the text cannot be linked")
    return address


def _header(scratch: Path) -> Path:
    """Return the path of the precompiled emulation."""
    return precompiled_header(DEFAULT_BLOCK, scratch, NATIVE, "plain", _FLAGS)
