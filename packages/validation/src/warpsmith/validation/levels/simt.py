"""Level `simt`: the PTX that NVRTC makes of the CUDA text, run on a CPU, leaves the results of the kernel and has no fault.

NVRTC compiles the text for a GPU, so that the code is the one that a GPU runs: the branches of Warp's headers for devices,
shuffles within warps, shared memory, barriers and inline PTX. The machine of `warpsmith.simt` runs it and reports accesses
outside of arrays, races, reads of memory without contents, and barriers that threads miss.

Without fused multiply-add, the text runs on all launches of level `execute`. As Warp compiles it, with fused multiply-add, it
runs on the pair's own launch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from warpsmith.core.inputs.values import objects
from warpsmith.core.records.jsonl import Line
from warpsmith.validation.compiling.part import UnitPart
from warpsmith.validation.levels.common import is_extracted, launch_of, lines_with_code, unsupported
from warpsmith.validation.levels.context import BatchContext
from warpsmith.validation.levels.double_results import double_results
from warpsmith.validation.levels.finding import PASS, Finding, attributed, fail, inconclusive, skipped
from warpsmith.validation.levels.level_results import LAUNCHES, LaunchResult, LineKey, line_key
from warpsmith.validation.levels.moved_results import changes_of_results
from warpsmith.validation.levels.registry import Level
from warpsmith.validation.running.entry_calls import Call
from warpsmith.validation.running.fork_runner import SLOW, run_forked
from warpsmith.validation.running.prepared_launch import PreparedLaunch
from warpsmith.validation.running.shared_memory import portions
from warpsmith.validation.simt_launches.machine_launch import MachineLauncher
from warpsmith.validation.simt_launches.machine_results import Disagreement, dependence_on_order, disagreement
from warpsmith.validation.simt_launches.pass_reports import MachineFinding, PairReport, PassReport
from warpsmith.validation.simt_launches.ptx_units import PtxKernel, compile_kernels

LEVEL = Level(
    name="simt",
    seconds=120.0,
    order=80,
    needs=("regenerate", "execute"),
    takes_batches=True,
    line_seconds=3.0,
    compiles=True,
    uses_machine=True,
    packages=("warpsmith.simt", "warpsmith.validation.simt_launches"),
    summary="the PTX of the CUDA code, run on a SIMT machine, gives the same results and has no races or wrong accesses",
)

COPIES = 40
"""How often memory holds the arguments of a pair: 14 launches, two of them again, and their gradients."""

TIME_RATIO = 6.0
"""How much longer than at other levels the launches of a pair may take. The limit of steps is reached before."""


SORT = "wp::tile_sort("
"""A call after which the order of equal keys, and so of their values, is unspecified."""

RECORDED_LAUNCHES = (0, 1)
"""The numbers of the launches of a pair that are its own launch, without and with fused multiply-add."""


def check(lines: Sequence[Line], context: BatchContext) -> list[Finding]:
    """Run the PTX of every pair and compare the results with those of `execute`."""
    launched = context.results(LAUNCHES)
    parts = {line_key(line): part for line, part in lines_with_code(lines, context, "cuda")}
    findings: dict[LineKey, Finding] = {}
    for line in lines:
        key = line_key(line)
        if key not in parts:
            findings[key] = unsupported(line) or Finding("not_applicable", "the pair has no CUDA text")
        elif parts[key].links_library:
            findings[key] = Finding("not_applicable", "the CUDA text calls functions of libmathdx, which exist on GPUs only")
        elif key not in launched:
            findings[key] = skipped("the kernel was not run")
        elif any(leaf.kind == "texture" for leaf in objects(launched[key][0].launch)):
            findings[key] = Finding("not_applicable", "GPUs sample textures in hardware, with other rounding than a CPU")
    ready = [line for line in lines if line_key(line) not in findings]
    exact = compile_kernels([parts[line_key(line)] for line in ready], context.scratch, fuse=False)
    fused = compile_kernels([parts[line_key(line)] for line in ready], context.scratch, fuse=True)
    for line in ready:
        part = parts[line_key(line)]
        for compiled in (exact, fused):
            if part.key in compiled.errors:
                findings.setdefault(line_key(line), fail(f"the CUDA text does not become PTX: {compiled.errors[part.key]}"))
            elif part.key in compiled.unsupported:
                reason = f"the SIMT machine does not support this: {compiled.unsupported[part.key]}"
                findings.setdefault(line_key(line), Finding("not_applicable", reason))
    runnable = [line for line in ready if line_key(line) not in findings]
    for portion in portions(runnable, lambda line: COPIES * launched[line_key(line)][0].nbytes):
        context.arena.clear()
        keys = {line_key(line): parts[line_key(line)].key for line in portion}
        pairs = [
            _MachinePair(line, parts[key], exact.kernels[name], fused.kernels[name], context)
            for line, (key, name) in zip(portion, keys.items(), strict=True)
        ]
        findings |= _findings(pairs, context)
    return [findings[line_key(line)] for line in lines]


def _findings(pairs: Sequence[_MachinePair], context: BatchContext) -> dict[LineKey, Finding]:
    """Run the launches of pairs, and those whose results may depend on the order of threads once more in the opposite order."""
    seconds = TIME_RATIO * context.launch_seconds
    problems = run_forked([pair.calls for pair in pairs], seconds)
    findings = {pair.key: pair.finding(problem) for pair, problem in zip(pairs, problems, strict=True)}
    doubtful = [pair for pair in pairs if findings[pair.key] is None]
    reversed_launches = [pair.reversed_launch() for pair in doubtful]
    problems = run_forked([launch.calls for launch in reversed_launches], seconds)
    for pair, launch, problem in zip(doubtful, reversed_launches, problems, strict=True):
        findings[pair.key] = pair.resolved(launch, problem)
    return {key: finding for key, finding in findings.items() if finding is not None}


@dataclass(frozen=True, slots=True)
class _MachineRun:
    """One launch on the machine, and the results that it has to give."""

    expected: LaunchResult
    launcher: MachineLauncher
    prepared: PreparedLaunch
    is_fused: bool


class _MachinePair:
    """The launches of one pair: its own launch without and with fused multiply-add, and its variants without it."""

    def __init__(self, line: Line, part: UnitPart, exact: PtxKernel, fused: PtxKernel, context: BatchContext) -> None:
        self.key = line_key(line)
        self._line, self._context, self._is_extracted = line, context, is_extracted(line)
        recorded, *variants = context.results(LAUNCHES)[self.key]
        self._backward = launch_of(line)[1] and not recorded.stopped
        self._report = PairReport(context.arena)
        self._part = part
        self._runs: list[_MachineRun] = []
        for kernel, expected in ((exact, recorded), (fused, recorded), *((exact, variant) for variant in variants)):
            launcher = MachineLauncher(kernel, part, context.arena, self._report)
            prepared = launcher.prepare(len(self._runs), expected.launch, expected.values, backward=self._backward)
            self._runs.append(_MachineRun(expected, launcher, prepared, kernel is fused))
        self._doubt: tuple[int, str] = (0, "")
        self._only_undefined = False
        self._differs: Disagreement | None = None

    @property
    def calls(self) -> list[Call]:
        """The calls of all launches."""
        return [call for run in self._runs for call in run.prepared.calls]

    def finding(self, problem: str | None) -> Finding | None:
        """Return the finding on the results of the launches; None if their order of threads has to be reversed first."""
        if problem is not None:
            return attributed(problem, inconclusive if self._is_extracted and SLOW in problem else fail)
        reports = self._report.read()
        for report in reports:
            for finding in report.findings:
                if not _is_uncertain(finding):
                    return self._definite(f"{self._place(report)}: {finding.text}")
        races, undefined = self._uncertain(reports, "global_race"), self._uncertain(reports, "absent_lane")
        last = "backward" if self._backward else "forward"
        finished = [report.launch for report in reports if report.direction == last]
        # Values of a variant may make threads share elements, or keys of a sort equal: with a race or a sort, it shows nothing.
        shows_nothing = set(finished) if SORT in self._part.code.forward_code else set(races)
        compared = [number for number in finished if number not in shows_nothing or number in RECORDED_LAUNCHES]
        differing, self._differs = next(
            ((number, found) for number in compared if (found := self._disagreement(number)) is not None), (0, None)
        )
        race = next(((number, races[number]) for number in RECORDED_LAUNCHES if number in races), None)
        undefined_value = next(iter(undefined.items()), None)
        if self._differs is None:
            self._doubt, self._only_undefined = race or undefined_value or self._doubt, race is None
            return PASS if race is None and undefined_value is None else None
        causes = (self._differs.text, race and race[1], undefined_value and undefined_value[1])
        self._doubt = differing, "; ".join(filter(None, causes))
        if self._is_extracted:
            return None
        if self._runs[differing].is_fused and not self._differs.is_certain:
            return inconclusive(f"{self._doubt[1]}: nothing shows whether this is rounding")
        return fail(self._doubt[1])

    def _definite(self, reason: str) -> Finding:
        """Return the finding on a fault that does not depend on the order of threads."""
        return inconclusive(reason) if self._is_extracted else fail(reason)

    def _place(self, report: PassReport) -> str:
        number = report.launch
        return f"{report.direction} pass at {'its own launch' if number in RECORDED_LAUNCHES else f'variant {number - 1}'}"

    def _uncertain(self, reports: Sequence[PassReport], kind: str) -> dict[int, str]:
        """Return the first finding of a kind on each launch, by the number of the launch."""
        found: dict[int, str] = {}
        for report in reports:
            for finding in report.findings:
                if finding.kind == kind:
                    found.setdefault(report.launch, f"{self._place(report)}: {finding.text}")
        return found

    def _disagreement(self, number: int) -> Disagreement | None:
        run = self._runs[number]
        exact = partial(double_results, self._line, self._context, run.expected, backward=self._backward)
        changes = partial(changes_of_results, self._line, self._context, run.expected, backward=self._backward)
        found = disagreement(run.prepared.outputs(), run.expected.outputs, exact, changes)
        if found is None:
            return None
        launch = "its own launch" if number in RECORDED_LAUNCHES else f"variant {number - 1}"
        fused = " with fused multiply-add" if run.is_fused else ""
        return found._replace(text=f"{found.text} (at {launch}{fused})")

    def reversed_launch(self) -> PreparedLaunch:
        """Prepare the launch in doubt in the opposite order of threads."""
        run = self._runs[self._doubt[0]]
        self._report = PairReport(self._context.arena)
        launcher = MachineLauncher(run.launcher.kernel, self._part, self._context.arena, self._report)
        expected = run.expected
        return launcher.prepare(self._doubt[0], expected.launch, expected.values, backward=self._backward, reverse=True)

    def resolved(self, launch: PreparedLaunch, problem: str | None) -> Finding:
        """Return the finding on a pair whose doubtful launch ran in the opposite order of threads."""
        number, text = self._doubt
        if problem is not None:
            return attributed(problem, inconclusive if self._is_extracted else fail)
        depends = dependence_on_order(launch.outputs(), self._runs[number].prepared.outputs())
        if self._only_undefined:  # the machine reads other values in the opposite order
            return PASS if depends is None else self._definite(f"{text}; {depends} or on this value")
        if self._is_extracted:
            wrong = self._differs is not None and self._differs.in_forward and depends is None
            return fail(text) if wrong else inconclusive(text)
        return inconclusive(text) if depends is None else fail(f"{text}; {depends}")


def _is_uncertain(finding: MachineFinding) -> bool:
    """Return whether a finding fails a pair only if its results are wrong, or depend on the order of threads.

    Warp's sums of tiles that are smaller than a warp read undefined values of absent lanes and drop them.
    """
    return finding.kind == "global_race" or finding.is_undefined_value
