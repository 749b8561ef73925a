"""The part of the scorer inside a sandboxed worker that searches texts in Warp's form for faults on the SIMT machine.

On a CPU threads run in turn: a race changes no result there.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from warpsmith.core.errors import single_line
from warpsmith.core.records.jsonl import Line
from warpsmith.scoring.judging.answer_runner import Candidate, read_candidates
from warpsmith.scoring.judging.time_budget import TimeBudget
from warpsmith.scoring.judging.trials import Trial
from warpsmith.scoring.judging.wire import to_trial
from warpsmith.scoring.judging.worker_messages import MACHINE, EncodedTrial, Fault, Faults, Rejection, Reply
from warpsmith.validation.confinement.machine_problems import MachineProblem
from warpsmith.validation.running.fork_runner import run_forked
from warpsmith.validation.running.shared_memory import Arena
from warpsmith.validation.simt_launches.machine_launch import MachineLauncher
from warpsmith.validation.simt_launches.pass_reports import PairReport
from warpsmith.validation.simt_launches.ptx_units import PtxKernels, compile_kernels


def find_faults(_: Sequence[Line], *, texts: Sequence[object], trials: Sequence[object], limits: tuple[float, float]) -> Reply:
    """Compile texts, and run the first launch of each.

    Args:
        texts: `TextToRun` as JSON.
        trials: the launches, `EncodedTrial` as JSON.
        limits: how long the launches of one text, and of all texts, may take.

    Returns:
        For each text its rejection or its faults; a text that the machine does not support has none.
    """
    every = [to_trial(trial) for trial in msgspec.convert(trials, list[EncodedTrial])]
    budget = TimeBudget.starting(*limits)
    found = read_candidates(texts, every)
    try:
        compiled = compile_kernels([each.part for each in found if isinstance(each, Candidate)], Path.cwd(), fuse=False)
    except MachineProblem as problem:
        return {"texts": [Rejection(MACHINE, single_line(str(problem))) for _ in found]}
    return {"texts": [each if isinstance(each, Rejection) else _faults(each, compiled, every, budget) for each in found]}


def _faults(candidate: Candidate, compiled: PtxKernels, trials: Sequence[Trial], budget: TimeBudget) -> Faults | Rejection:
    if candidate.key in compiled.errors:
        return Rejection("compile", single_line(compiled.errors[candidate.key]))
    if candidate.key in compiled.unsupported or budget.is_spent:
        return Faults([])
    arena = Arena()
    report, trial = PairReport(arena), trials[candidate.text.trials[0]]
    launcher = MachineLauncher(compiled.kernels[candidate.key], candidate.part, arena, report)
    prepared = launcher.prepare(0, trial.launch, trial.values, backward=candidate.part.code.backward_code is not None)
    (problem,) = run_forked([prepared.calls], budget.answer)
    if problem is not None:
        return Rejection(MACHINE, single_line(str(problem)))
    return Faults(
        [
            Fault(passed.direction, finding.kind, finding.text)
            for passed in report.read()
            for finding in passed.findings
            if not finding.is_undefined_value
        ]
    )
