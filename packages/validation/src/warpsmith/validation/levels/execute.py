"""Level `execute`: the kernel runs on the CPU, from the C++ code of the pair, and has an effect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from warpsmith.core.inputs.values import Values
from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.launch import Launch
from warpsmith.validation.branches.branch_launches import Variant, variants_of
from warpsmith.validation.compiling.clang import Library
from warpsmith.validation.compiling.part import UnitPart
from warpsmith.validation.confinement.machine_problems import MachineProblem
from warpsmith.validation.levels.common import entry_points, inputs_of, is_extracted, launch_of, lines_with_code, unsupported
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.cross_check import Candidate, check_programs
from warpsmith.validation.levels.doubts import doubt, guards_threads, resolved, supports, writes
from warpsmith.validation.levels.extracted import Effects, adds_infinities, fewer_threads, repetition_finding, stopped_backward
from warpsmith.validation.levels.finding import PASS, Finding, attributed, fail, inconclusive, skipped
from warpsmith.validation.levels.level_results import INFINITE, LAUNCHES, MARKED, LaunchResult, LineKey, line_key
from warpsmith.validation.levels.marks import dependence, marks_of, output_problem, scaled_marks, unchanged
from warpsmith.validation.levels.misuse import repeated, stopped_forward, without_value
from warpsmith.validation.levels.registry import Level
from warpsmith.validation.running.entry_calls import Call
from warpsmith.validation.running.entry_signature import mismatch
from warpsmith.validation.running.fork_runner import SLOW, MachineText, run_forked
from warpsmith.validation.running.outputs import LaunchOutputs, repetition_problem
from warpsmith.validation.running.prepared_launch import PreparedLaunch, prepare_launch
from warpsmith.validation.running.repeated_launches import Launcher, SharedLaunch
from warpsmith.validation.running.shared_memory import portions

LEVEL = Level(
    name="execute",
    seconds=60.0,
    order=50,
    needs=("regenerate",),
    takes_batches=True,
    compiles=True,
    summary="the kernel runs on the CPU; every output is written, does not depend on what it contained, and shows something",
)

COPIES = 64
"""How often memory holds the arguments of a pair: 3 launches, 12 variants, some of them twice, and their gradients."""

LEVEL_TIME_RATIO = 4.0
"""How much longer than this level the launches of an extracted kernel may take at a later one."""

PASS_TIME_RATIO = 10.0
"""How much longer than its forward pass the launches of an extracted kernel may take."""


def check(lines: Sequence[Line], context: BatchContext) -> list[Finding]:
    """Launch the C++ code of every pair, and keep the results of the launches for later levels."""
    parts = {line_key(line): part for line, part in lines_with_code(lines, context, "cpu")}
    built = context.library("cpp", parts.values())
    findings: dict[LineKey, Finding] = {}
    ready: list[tuple[Line, dict[str, Values], UnitPart]] = []
    for line in lines:
        key = line_key(line)
        part = parts.get(key)
        if part is None:
            findings[key] = unsupported(line) or skipped("there is no C++ code of this pair")
        elif part.key in built[part.key].errors:
            findings[key] = fail(f"cpu: {built[part.key].errors[part.key]}")
        elif (problem := _mismatch(line, part)) is not None:
            findings[key] = fail(problem)
        elif isinstance(values := inputs_of(line), Finding):
            findings[key] = values
        else:
            ready.append((line, values, part))
    check_programs("cpp", [Candidate.of(line, part, values) for line, values, part in ready], built, context)
    for portion in portions(ready, lambda entry: COPIES * sum(value.nbytes for value in entry[1].values())):
        context.arena.clear()
        runs = [_Run(line, values, built[part.key], part, context) for line, values, part in portion]
        stops = _stops(runs, context)
        ended = [_with_enough_time(run, stop, context) for run, stop in zip(runs, stops, strict=True)]
        for run, stop in ended:
            findings[run.key] = run.stopped(stop, context) if stop else run.finding(context)
        ready_for_more = [run for run, _ in ended if run.key in context.results(LAUNCHES)]
        findings |= _wrong_guards(_run_variants(ready_for_more, context), context)
    return [findings[line_key(line)] for line in lines]


def _mismatch(line: Line, part: UnitPart) -> str | None:
    """Return why the launch of a pair does not fit its kernel, or None if it does or there is no launch."""
    if line.pair is None or line.pair.metadata.launch is None:
        return None
    return mismatch(line.pair.metadata.launch, part.code, line.pair.python_source)


def _stops(runs: Sequence[_Run], context: BatchContext) -> list[str | None]:
    """Run the launches of each pair and return their problems. Later levels launch a kernel many times more often than this
    level, so that those of extracted kernels, whose launches are large, have less time here.
    """
    problems: dict[LineKey, str | None] = {}
    for extracted in (False, True):
        group = [run for run in runs if run.is_extracted is extracted]
        seconds = context.launch_seconds / (LEVEL_TIME_RATIO if extracted else 1.0)
        problems |= zip((run.key for run in group), run_forked([run.calls for run in group], seconds), strict=True)
    return [problems[run.key] for run in runs]


def _with_enough_time(run: _Run, stop: str | None, context: BatchContext) -> tuple[_Run, str | None]:
    """Run an extracted kernel that takes too long with fewer threads; return the last run and its problem, if any."""
    while stop is not None and SLOW in stop and (smaller := run.with_fewer_threads(context)) is not None:
        run = smaller
        (stop,) = _stops([run], context)
    return run, stop


_RunVariant = tuple["_Run", Variant]


def _run_variants(runs: Sequence[_Run], context: BatchContext) -> list[_RunVariant]:
    """Launch the kernels that passed in other ways, for later levels, and return the first wider launches that stop.

    Many kernels do not support a launch that is wider than their arrays, and each stop costs a fork. Kernels that stop at their
    first wider launch are therefore not launched wider again, but in their own width with the same values.
    """
    variants = [(run, variant) for run in runs for variant in run.variants()]
    first = {run.key: (run, variant) for run, variant in reversed(variants) if variant.launch is not run.launch}
    outputs_of_first = _outputs(list(first.values()), context)
    stopped = {key for key, outputs in zip(first, outputs_of_first, strict=True) if outputs is None}
    variants = [(run, replace(variant, launch=run.launch) if run.key in stopped else variant) for run, variant in variants]
    for (run, variant), outputs in zip(variants, _outputs(variants, context), strict=True):
        if outputs is None:
            continue
        result = LaunchResult(variant.launch, variant.values, outputs, is_directed=variant.is_directed)
        if run.is_usable(outputs, context):
            context.results(LAUNCHES)[run.key].append(result)
        elif not run.is_extracted:
            context.results(INFINITE).setdefault(run.key, []).append(result)
    return [first[key] for key in stopped]


def _wrong_guards(stopped: Sequence[_RunVariant], context: BatchContext) -> dict[LineKey, Finding]:
    """Return the findings on kernels whose forward pass stops at a wider launch that their Python supports."""
    guarded = [(run, variant.launch, variant.values) for run, variant in stopped if run.guards_threads]
    alone = [prepare_launch(run.kernel, launch, values, context.arena, backward=False) for run, launch, values in guarded]
    problems = run_forked([prepared.calls for prepared in alone], context.launch_seconds)
    findings = {}
    for (run, launch, values), problem in zip(guarded, problems, strict=True):
        if problem is not None and not isinstance(problem, MachineText) and run.supports(launch, values):
            findings[run.key] = fail(f"a launch that is wider than the arrays stops, but the Python supports it: {problem}")
    return findings


def _outputs(variants: Sequence[_RunVariant], context: BatchContext) -> Iterator[LaunchOutputs | None]:
    """Yield the outputs of each launch, or None if it stops."""
    prepared = [run.prepare(variant.launch, variant.values) for run, variant in variants]
    problems = run_forked([launch.calls for launch in prepared], context.launch_seconds)
    for launch, problem in zip(prepared, problems, strict=True):
        if isinstance(problem, MachineText):
            raise MachineProblem(problem)
        yield launch.outputs() if problem is None else None


class _Run:
    """The launches of one pair: the same one twice, by both `PATTERNS`, and one with marked outputs."""

    def __init__(
        self,
        line: Line,
        values: dict[str, Values],
        library: Library,
        part: UnitPart,
        context: BatchContext,
        launch: Launch | None = None,
    ) -> None:
        self.key = line_key(line)
        recorded, self._backward = launch_of(line)
        self.launch = launch or recorded
        self._line, self._values, self._library, self._part = line, values, library, part
        self._block = part.block_dim if part.synchronizes else 0
        self.kernel = entry_points(library, part, takes_grid=False)
        self._marks = marks_of(self.launch, values)
        self._launcher = Launcher(self.kernel, context.arena, backward=self._backward)
        self._launches = [self.prepare(self.launch, contents) for contents in (values, values, values | self._marks)]
        (first, second, marked), fill = (prepared.calls for prepared in self._launches), library.filler(part)
        self.calls: list[Call] = [*first, partial(fill, 1), *second, partial(fill, 0), *marked]

    @property
    def is_extracted(self) -> bool:
        """Whether the pair comes from a project."""
        return is_extracted(self._line)

    def prepare(self, launch: Launch, values: dict[str, Values]) -> PreparedLaunch | SharedLaunch:
        """Prepare a launch, forward and, if the pair has a backward pass, backward."""
        return self._launcher.prepare(launch, values, backward=self._backward)

    def with_fewer_threads(self, context: BatchContext) -> _Run | None:
        """Return a run with the first threads of the launch of an extracted kernel, or None if there are few already."""
        launch = fewer_threads(self.launch, self._block) if self.is_extracted else None
        if launch is None:
            return None
        return _Run(self._line, self._values, self._library, self._part, context, launch)

    def variants(self) -> Iterator[Variant]:
        """Yield other launches of the kernel, see `variants_of`; outputs of synthesized kernels have marks."""
        pair = self._line.pair
        if pair is None:
            return
        after = self._launches[0].outputs().arrays
        for number, variant in enumerate(variants_of(pair, self.launch, self._values, pair.id, self._block)):
            marks = {} if pair.is_extracted else scaled_marks(variant.launch, variant.values, after, f"{pair.id}/{number}")
            yield replace(variant, values=variant.values | marks)

    @property
    def guards_threads(self) -> bool:
        """Whether the Python of a synthesized kernel compares the number of a thread."""
        pair = self._line.pair
        return pair is not None and not pair.is_extracted and guards_threads(pair)

    def supports(self, launch: Launch, values: dict[str, Values]) -> bool:
        """Return whether the Python supports a launch."""
        return self._line.pair is not None and supports(self._line.pair, launch, values)

    def is_usable(self, outputs: LaunchOutputs, context: BatchContext) -> bool:
        """Return whether the outputs of a variant say something about the pair: they are as finite as its own."""
        if adds_infinities(context.results(LAUNCHES)[self.key][0].outputs, outputs):
            return False
        return self.is_extracted or all(map(_is_finite, outputs.gradients.values()))

    def stopped(self, problem: str, context: BatchContext) -> Finding:
        """Return the finding on a pair whose launches stop with a problem."""
        if isinstance(problem, MachineText) or not self.is_extracted:
            return attributed(problem)
        alone = prepare_launch(self.kernel, self.launch, self._values, context.arena, backward=False)
        (forward,) = run_forked([alone.calls], context.launch_seconds / PASS_TIME_RATIO)
        if forward is not None:
            return attributed(forward, lambda reason: stopped_forward(self._line, self.launch, self._values, reason))
        finding = stopped_backward(self.launch, self._values, alone.outputs(), problem, self._part.code)
        if finding.status != "fail":
            self._backward = False
            result = LaunchResult(self.launch, self._values, alone.outputs(), finding.reason or problem)
            context.results(LAUNCHES)[self.key] = [result]
        return finding

    def finding(self, context: BatchContext) -> Finding:
        """Check the results of the launches, and keep them if they are right."""
        first, second, marked = (launch.outputs() for launch in self._launches)
        again = _outputs([(self, Variant(self.launch, self._values))], context)  # runs where the results differ
        if (found := without_value(self._line, self.launch, self._values, (first, second), again)) is not None:
            return found
        if self.is_extracted:
            return self._extracted_finding(first, second, marked, context)
        problem = (
            output_problem(self.launch, self._values, first.arrays, self._marks, marked.arrays)
            or repetition_problem(first, second)
            or next(
                (f"the gradient of {name} is not finite" for name, values in first.gradients.items() if not _is_finite(values)),
                None,
            )
        )
        if problem is not None:
            return fail(problem)
        finding = self._resolved(first, marked)
        if finding.status != "fail":
            self._keep(first, marked, context)
        return finding

    def _resolved(self, first: LaunchOutputs, marked: LaunchOutputs) -> Finding:
        """Return the finding on outputs that are unchanged, constant or infinite, or depend on their marks."""
        pair = self._line.pair
        if pair is None:
            return PASS
        if (left := unchanged(self.launch, self._values, first.arrays)) is not None:
            problem = f"{left.name} is left as it was"
            if not writes(self._part.code.forward_code, left.name):
                return fail(problem)
            return resolved(pair, LaunchResult(self.launch, self._values, first), problem, fail)
        reason = dependence(self.launch, self._values, first.arrays, self._marks, marked.arrays)
        if reason is not None:
            finding = resolved(pair, LaunchResult(self.launch, self._values | self._marks, marked), reason, fail)
            if finding.status == "fail":
                return finding
        reason = doubt(self.launch, self._values, first.arrays)
        return PASS if reason is None else resolved(pair, LaunchResult(self.launch, self._values, first), reason, inconclusive)

    def _keep(self, first: LaunchOutputs, marked: LaunchOutputs, context: BatchContext) -> None:
        """Keep the results of the recorded launch, without and with marked outputs, for later levels."""
        context.results(LAUNCHES)[self.key] = [LaunchResult(self.launch, self._values, first)]
        context.results(MARKED)[self.key] = LaunchResult(self.launch, self._values | self._marks, marked)

    def _extracted_finding(
        self, first: LaunchOutputs, second: LaunchOutputs, marked: LaunchOutputs, context: BatchContext
    ) -> Finding:
        if (problem := repetition_finding(first, second)) is not None:
            return repeated(self._line, self.launch, self._values, problem)
        self._keep(first, marked, context)
        return Effects(self.launch, self._values, first, second, marked.arrays, self._marks).finding()


def _is_finite(array: Values) -> bool:
    return bool(np.all(np.isfinite(array)))
