"""The part of the scorer inside a sandboxed worker that counts what launches of plain CUDA texts cost on the SIMT machine."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from warpsmith.core.errors import single_line
from warpsmith.core.records.jsonl import Line
from warpsmith.scoring.judging.plain.plain_compiling import (
    PlainKernel,
    Target,
    compile_kernels,
    compile_texts,
    kernel_in_binary,
)
from warpsmith.scoring.judging.plain.plain_launches import PlainLaunch
from warpsmith.scoring.judging.speed_messages import Costed, SpeedReply
from warpsmith.scoring.judging.time_budget import NO_LIMITS, SPENT, TimeBudget
from warpsmith.scoring.judging.trials import Trial
from warpsmith.scoring.judging.wire import from_outputs, to_trial
from warpsmith.scoring.judging.worker_messages import MACHINE, EncodedTrial, PlainTextToRun, Rejection
from warpsmith.simt.launches.launch_results import Counts
from warpsmith.validation.running.fork_runner import run_forked
from warpsmith.validation.running.shared_memory import Arena
from warpsmith.validation.running.shared_message import SharedMessage

BINARY = Target(is_binary=True)
"""The binary that contains what a kernel needs of a multiprocessor of an H100."""

_COUNTS_BYTES = 64 << 10


def cost_plain(
    _: Sequence[Line], *, texts: Sequence[object], trials: Sequence[object], limits: tuple[float, float] = NO_LIMITS
) -> SpeedReply:
    """Compile and launch texts.

    Args:
        texts: `PlainTextToRun` as JSON.
        trials: the launches, `EncodedTrial` as JSON.
        limits: how long all launches of one text, and of all texts, may take.

    Returns:
        For each text its rejection or its counts.
    """
    every = [to_trial(trial) for trial in msgspec.convert(trials, list[EncodedTrial])]
    asked, budget = msgspec.convert(texts, list[PlainTextToRun]), TimeBudget.starting(*limits)
    kernels = compile_kernels([(text.text, text.signature) for text in asked])
    binaries = compile_texts([text.text for text in asked], BINARY)
    return {
        "texts": [
            kernel if isinstance(kernel, Rejection) else _cost(text, kernel, binary, every, budget)
            for text, kernel, binary in zip(asked, kernels, binaries, strict=True)
        ]
    }


def _cost(
    text: PlainTextToRun, kernel: PlainKernel, binary: bytes | Rejection, trials: Sequence[Trial], budget: TimeBudget
) -> Costed | Rejection:
    found = binary if isinstance(binary, Rejection) else kernel_in_binary(text.signature, binary)
    if isinstance(found, Rejection):
        return found
    if budget.is_spent:
        return Rejection(MACHINE, SPENT)
    arena = Arena()
    message = SharedMessage(arena, _COUNTS_BYTES)
    launches = [
        PlainLaunch(kernel, text.signature.parameters, trials[number].launch, trials[number].values, 0, arena)
        for number in text.trials
    ]
    try:
        (problem,) = run_forked([[lambda: message.write([launch.count() for launch in launches])]], budget.answer)
    except (OSError, MemoryError) as error:
        return Rejection(MACHINE, single_line(f"{type(error).__name__}: {error}"))
    counts: list[Counts | None] = message.read(list[Counts | None]) or []
    complete = [each for each in counts if each is not None]
    if problem is not None or len(complete) != len(launches):
        return Rejection("run", problem or "a launch does not end, or accesses memory that is not its own")
    return Costed(complete, found[1], launches[-1].shared, from_outputs(launches[-1].outputs()))
