"""The part of the scorer inside the worker for plain CUDA that launches one compiled text in forks."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from pathlib import Path

import msgspec

from warpsmith.core.errors import single_line
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Launch
from warpsmith.scoring.judging.plain.linking import load
from warpsmith.scoring.judging.plain.plain_launches import PlainLaunch, prepare_plain
from warpsmith.scoring.judging.time_budget import NO_LIMITS
from warpsmith.scoring.judging.trials import Trial
from warpsmith.scoring.judging.wire import from_outputs, to_trial
from warpsmith.scoring.judging.worker_messages import MACHINE, EncodedTrial, Launched, ObjectToRun, Rejection, Reply, Run
from warpsmith.scoring.plain.plain_signature import Parameter
from warpsmith.validation.running.fork_runner import MachineText, run_forked


def run_plain(
    _: Sequence[Line], *, texts: Sequence[object], trials: Sequence[object], limits: tuple[float, float] = NO_LIMITS
) -> Reply:
    """Launch one compiled text; the process that does so holds no other.

    Args:
        texts: an `ObjectToRun` as JSON.
        trials: its launches, `EncodedTrial` as JSON.
        limits: how long all launches may take, and how long until the batch ends.

    Returns:
        For the text its rejection or its runs.
    """
    (text,) = msgspec.convert(texts, list[ObjectToRun])
    sent = [to_trial(trial) for trial in msgspec.convert(trials, list[EncodedTrial])]
    return {"texts": [_answer(text, sent, min(limits))]}


def _answer(text: ObjectToRun, trials: Sequence[Trial], seconds: float) -> Launched | Rejection:
    """Return the answer on a text; what the machine lacks is not the text's fault."""
    result = Path.cwd() / "text.o"
    try:
        result.write_bytes(base64.b64decode(text.machine_code))
        try:
            entry = load(result)
        except OSError:
            return Rejection("compile", "the text calls a function that it does not define")
        return _launch(entry, text.parameters, trials, text.on_fibers, seconds)
    except (OSError, MemoryError) as problem:
        return Rejection(MACHINE, single_line(f"{type(problem).__name__}: {problem}"))


def _launch(
    entry: int, parameters: Sequence[Parameter], trials: Sequence[Trial], on_fibers: bool, seconds: float
) -> Launched | Rejection:
    """Launch an entry point over the grids of all trials."""
    prepared = [
        [prepare_plain(entry, trial.launch, parameters, trial.values, number, on_fibers) for number in trial.shapes]
        for trial in trials
    ]
    problems = run_forked([[launch.call] for launches in prepared for launch in launches], seconds, stop=True, total=seconds)
    if machine := next((problem for problem in problems if isinstance(problem, MachineText)), None):
        return Rejection(MACHINE, machine)
    found = iter(problems)
    outcomes = zip(trials, prepared, strict=True)
    return Launched([[_run(launch, next(found), trial.launch) for launch in launches] for trial, launches in outcomes])


def _run(prepared: PlainLaunch, problem: str | None, launch: Launch) -> Run:
    return Run(problem=problem) if problem is not None else Run(from_outputs(prepared.outputs(launch)))
