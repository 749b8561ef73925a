"""The part of the scorer inside a sandboxed worker that runs programs, each in forks of the worker.

A worker that runs answers receives programs with the answers, and neither the references nor what they leave.
"""

from __future__ import annotations

import base64
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import numpy as np
import warp as wp

from warpsmith.core.errors import KernelRejected, describe
from warpsmith.core.records.jsonl import Line
from warpsmith.extraction.capturing.program_execution import loaded_program
from warpsmith.extraction.capturing.program_recorder import ProgramRecorder
from warpsmith.extraction.capturing.tapes.live_leaves import array_leaves, snapshot_leaves
from warpsmith.extraction.launches.launch_limits import Limits
from warpsmith.extraction.launches.snapshot import Copier, NotExpressible, Snapshot
from warpsmith.extraction.warp import launch_hooks, live_arguments
from warpsmith.extraction.warp.live_arguments import Parameter
from warpsmith.extraction.warp.objects import registered_name
from warpsmith.extraction.warp.runtime import share_precompiled_headers
from warpsmith.scoring.judging.programs.gap_observer import GapObserver, numbers_of
from warpsmith.scoring.judging.programs.program_effects import (
    EncodedRun,
    LaunchEffect,
    ProgramEffects,
    ProgramRun,
    ProgramRuns,
    RunGroups,
)
from warpsmith.scoring.judging.time_budget import TimeBudget
from warpsmith.scoring.judging.worker_messages import MACHINE, Rejection
from warpsmith.scoring.tasks.program_gaps import RECORDED, STARTED
from warpsmith.validation.programs.observed_program import ArrayContent, content_of
from warpsmith.validation.running.fork_runner import MachineText, run_forked

COMPILE_SECONDS = 50.0
"""The time that a run may take besides that of its launches, for the compilation of its kernels."""

CHANGE = 1.0e-6
"""How much results change relatively in a run that shows what rounding does to later results."""

_LIMITS = Limits(launches=1, launch_bytes=16 << 20, total_bytes=64 << 20)
_SMALLEST = """\
import warp as wp


@wp.kernel
def clear(values: wp.array(dtype=float)):
    values[wp.tid()] = 0.0


if __name__ == "__main__":
    wp.launch(clear, dim=1, inputs=[wp.zeros(1)])
"""

_FIRST, _LARGEST_NUMBER = 4, 12
"""The launches of a kernel that are kept from the first on, and all that are kept but the last."""


def run_programs(_: Sequence[Line], *, texts: Sequence[object], limits: tuple[float, float]) -> dict[str, object]:
    """Run programs.

    Args:
        texts: `ProgramRuns` as JSON.
        limits: how long the launches of one answer, and all answers, may take.

    Returns:
        For each text its `RunGroups`.
    """
    _precompile(Path.cwd())
    budget = TimeBudget.starting(*limits)
    return {"texts": [_run(runs, budget) for runs in msgspec.convert(texts, list[ProgramRuns])]}


@cache
def _precompile(folder: Path) -> None:
    """Let a program of our own precompile Warp's headers, which takes a second; later forks find them."""
    share_precompiled_headers()
    with tempfile.TemporaryDirectory(dir=folder) as name:
        run_forked(
            [[partial(_observe, ProgramRun(_SMALLEST), Path(name), Path(name, "effects"))]], COMPILE_SECONDS, compiles=True
        )


def _run(runs: ProgramRuns, budget: TimeBudget) -> RunGroups | Rejection:
    groups: list[list[EncodedRun]] = []
    complete = 0
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        for group in runs.groups:
            if complete >= runs.enough:
                break
            found: list[EncodedRun] = []
            for run in group:
                encoded = _run_in_fork(run, Path(folder), budget)
                if isinstance(encoded, Rejection):
                    return encoded
                found.append(encoded)
                if encoded.problem:
                    break
            groups.append(found)
            complete += not found[0].problem
    return RunGroups(groups)


def _run_in_fork(run: ProgramRun, folder: Path, budget: TimeBudget) -> EncodedRun | Rejection:
    path = folder / "effects.msgpack"
    path.unlink(missing_ok=True)
    seconds = min(COMPILE_SECONDS + budget.answer, max(budget.left, 0.1))
    (problem,) = run_forked([[partial(_observe, run, folder, path)]], seconds, compiles=True)
    if isinstance(problem, MachineText):
        return Rejection(MACHINE, problem)
    if problem is not None:
        return EncodedRun(problem=f"the program ends: {problem}")
    try:
        content = path.read_bytes()
        effects = msgspec.msgpack.decode(content, type=ProgramEffects)
    except (OSError, msgspec.MsgspecError):
        return EncodedRun(problem="the program leaves nothing that can be read")
    if effects.error:
        return EncodedRun(problem=f"the program {'fails' if effects.loaded else 'cannot be loaded'}: {effects.error}")
    return EncodedRun(base64.b64encode(content).decode())


def _observe(run: ProgramRun, folder: Path, path: Path) -> None:
    config: Any = wp.config
    config.kernel_cache_dir, config.log_level, config.optimization_level = str(folder / "kernels"), wp.LOG_ERROR, 0
    path.write_bytes(msgspec.msgpack.encode(_effects(run)))


def _effects(run: ProgramRun) -> ProgramEffects:
    recorder = EffectRecorder(_LIMITS, written=run.written)
    is_loaded = False
    try:
        with loaded_program(run.source) as loaded:
            is_loaded = True
            if "Tape" not in run.source:
                wp.set_module_options({"enable_backward": False}, loaded.module)
            vars(loaded.module).update({RECORDED: recorder.record, STARTED: recorder.gap.started})
            with launch_hooks.observed(recorder):
                loaded.run()
            return ProgramEffects(
                counts=dict(recorder.counts),
                launches=tuple(_launch(item) for kept in recorder.kept.values() for item in kept),
                final={name: _final(*last) for name, last in recorder.last.items()},
                values=recorder.values,
                runs=tuple(recorder.gap.runs),
            )
    except KernelRejected as error:
        return ProgramEffects(error=error.reason, loaded=is_loaded)
    except Exception as error:  # noqa: BLE001 - what the program has left cannot be read
        return ProgramEffects(error=describe(error), loaded=is_loaded)


@dataclass
class _Kept:
    """A launch that is kept."""

    name: str
    place: int
    dim: tuple[int, ...]
    block_dim: int | None
    parameters: tuple[Parameter, ...]
    values: list[Any]
    is_lasting: bool
    before: tuple[Snapshot, ...] | None = None
    after: tuple[Snapshot, ...] | None = None
    problem: str = ""


@dataclass
class EffectRecorder(ProgramRecorder):
    """A `ProgramRecorder` that copies the arguments of launches, before and after them.

    Attributes:
        written: the leaves whose numbers change in their last bits after each launch, by kernel; None for none.
        counts: the number of launches by kernel.
        kept: the launches that are kept, by kernel.
        last: the parameters and arguments of the last launch of each kernel.
        values: what the program hands on behind the gap.
        gap: observes the variables of a gap.
    """

    written: Mapping[str, Sequence[str]] | None = None
    counts: Counter[str] = field(default_factory=Counter)
    kept: dict[str, list[_Kept]] = field(default_factory=dict)
    last: dict[str, tuple[tuple[Parameter, ...], list[Any]]] = field(default_factory=dict)
    values: dict[str, ArrayContent] = field(default_factory=dict)
    gap: GapObserver = field(default_factory=GapObserver)
    _random: Random = field(default_factory=lambda: Random(1))  # noqa: S311

    def _receive(self, kernel: Any, dim: tuple[int, ...], values: list[Any], _: Any, block_dim: int | None) -> object:
        if 0 in dim:
            return None
        name = registered_name(kernel)
        parameters = live_arguments.parameters_of(live_arguments.overload_for(kernel, values))
        if len(parameters) != len(values):
            return None
        self.counts[name] += 1
        place = self.counts[name]
        kept = self.kept.setdefault(name, [])
        self.last[name] = parameters, values
        if kept and not kept[-1].is_lasting:
            kept.pop()  # the launch that was the last one so far
        is_lasting = place <= _FIRST or (place & (place - 1) == 0 and len(kept) < _LARGEST_NUMBER)
        item = _Kept(name, place, dim, block_dim if block_dim and block_dim > 1 else None, parameters, values, is_lasting)
        item.before = self._copied(item)
        kept.append(item)
        return item

    def _copied(self, item: _Kept) -> tuple[Snapshot, ...] | None:
        try:
            return Copier(self.objects, _LIMITS.launch_bytes).copy(item.parameters, item.values)
        except NotExpressible as error:
            item.problem = str(error)
            return None

    def failed(self, token: object) -> None:
        """Drop a launch that Warp refused."""
        if isinstance(token, _Kept):
            self.counts[token.name] -= 1
            self.kept[token.name] = [item for item in self.kept[token.name] if item is not token]

    def completed(self, token: object) -> None:
        """Copy the arguments of a launch after it ran."""
        if isinstance(token, _Kept):
            token.after = self._copied(token)
            if self.written is not None:
                _change(token, self.written.get(token.name, ()), self._random)

    def created(self, array: Any) -> Any:
        """Return an array of ``wp.empty``, which is the same in all runs."""
        array.zero_()
        return array

    def record(self, /, **values: Any) -> None:
        """Receive the variables that the missing statements hand on."""
        self.gap.ended()
        for name, value in values.items():
            members = _members(value) if name == "self" else {"": value}
            for member, item in members.items():
                if (content := numbers_of(item)) is not None:
                    self.values[f"{name}.{member}" if member else name] = content


def _members(value: object) -> dict[str, object]:
    return dict(sorted(getattr(value, "__dict__", {}).items()))


def _change(item: _Kept, leaves: Sequence[str], random: Random) -> None:
    """Change the floats that a launch has written by the last bits, as another order of operations would."""
    for leaf in array_leaves(item.parameters, item.values):
        numbers = leaf.array.numpy() if leaf.name in leaves and not leaf.members else None
        if numbers is not None and numbers.dtype.kind == "f":
            generator = np.random.default_rng(random.getrandbits(32))
            numbers *= (1.0 + CHANGE * generator.integers(-1, 2, numbers.shape)).astype(numbers.dtype)  # the array's memory


def _launch(item: _Kept) -> LaunchEffect:
    if item.before is None or item.after is None:
        return LaunchEffect(item.name, item.place, item.dim, item.block_dim, problem=item.problem or "the launch did not end")
    arrays = {leaf.name for leaf in array_leaves(item.parameters, item.values)}
    before = {leaf: content_of(values) for leaf, values in snapshot_leaves(item.before)}
    after = {leaf: content_of(values) for leaf, values in snapshot_leaves(item.after) if leaf in arrays}
    return LaunchEffect(item.name, item.place, item.dim, item.block_dim, before, after)


def _final(parameters: tuple[Parameter, ...], values: Sequence[Any]) -> dict[str, ArrayContent]:
    return {leaf.name: content_of(leaf.read()) for leaf in array_leaves(parameters, values)}
