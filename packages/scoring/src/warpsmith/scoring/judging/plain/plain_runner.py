"""The part of the scorer inside the worker for plain CUDA that launches one compiled text in forks."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from warpsmith.core.errors import single_line
from warpsmith.core.records.jsonl import Line
from warpsmith.scoring.judging.plain.linking import load
from warpsmith.scoring.judging.plain.plain_launches import PlainLaunch, prepare_plain
from warpsmith.scoring.judging.trials import Trial
from warpsmith.scoring.judging.wire import MACHINE, from_outputs, to_trial
from warpsmith.scoring.plain.plain_signature import Parameter
from warpsmith.validation.running.fork_runner import MachineText, run_forked


def run_plain(_: Sequence[Line], *, texts: Sequence[Mapping[str, Any]], trials: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Launch one compiled text; the process that does so holds no other.

    Args:
        texts: the text's machine code, the parameters of its kernel, and whether the threads of a block wait for each other.
        trials: its launches, see `wire.from_trial`.

    Returns:
        For the text its rejection, or the outputs of each launch and shape; for a launch that stopped, the problem.
    """
    (fields,) = texts
    parameters = [Parameter(**parameter) for parameter in fields["parameters"]]
    return {"texts": [_answer(fields["machine_code"], parameters, [to_trial(trial) for trial in trials], fields["on_fibers"])]}


def _answer(machine_code: str, parameters: Sequence[Parameter], trials: Sequence[Trial], on_fibers: bool) -> dict[str, Any]:
    """Return the answer on a text; what the machine lacks is not the text's fault."""
    result = Path.cwd() / "text.o"
    try:
        result.write_bytes(base64.b64decode(machine_code))
        try:
            entry = load(result)
        except OSError:
            return {"stage": "compile", "reason": "the text calls a function that it does not define"}
        return _launch(entry, parameters, trials, on_fibers)
    except (OSError, MemoryError) as problem:
        return {"stage": MACHINE, "reason": single_line(f"{type(problem).__name__}: {problem}")}


def _launch(entry: int, parameters: Sequence[Parameter], trials: Sequence[Trial], on_fibers: bool) -> dict[str, Any]:
    """Launch an entry point over the grids of all trials."""
    prepared = [
        [prepare_plain(entry, trial.launch, parameters, trial.values, number, on_fibers) for number in trial.shapes]
        for trial in trials
    ]
    problems = run_forked([[launch.call] for launches in prepared for launch in launches], stop=True)
    if machine := next((problem for problem in problems if isinstance(problem, MachineText)), None):
        return {"stage": MACHINE, "reason": machine}
    found = iter(problems)
    outcomes = zip(trials, prepared, strict=True)
    return {"runs": [[_outcome(launch, next(found), trial.launch) for launch in launches] for trial, launches in outcomes]}


def _outcome(prepared: PlainLaunch, problem: str | None, launch: Any) -> dict[str, str]:
    return {"problem": problem} if problem is not None else {"outputs": from_outputs(prepared.outputs(launch))}
