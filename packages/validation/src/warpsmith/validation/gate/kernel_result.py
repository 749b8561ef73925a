"""The result of one kernel of a project: its place in the source, its result, and the figures of a wrong gradient."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from warpsmith.core.records.intended_mark import is_marked
from warpsmith.core.records.pair import Pair, Reject
from warpsmith.core.records.verdict import BACKWARD_STOPS, MACHINE, MEMORY_ERROR, Verdict
from warpsmith.validation.gate.float_signature import without_floats
from warpsmith.validation.gate.observed import Untested
from warpsmith.validation.levels.derivatives.disagreement import Disagreement, is_about_gradient, parse_disagreement

Result = Literal[
    "fail",
    "by hand",
    "memory error",
    "not checked",
    "not checked (warpsmith)",
    "inconclusive",
    "untested",
    "known",
    "intended",
    "not applicable",
    "pass",
]

RESULTS: tuple[Result, ...] = get_args(Result)
"""All results, those that need attention first."""

ALWAYS_COUNTED: tuple[Result, ...] = ("fail", "not checked", "inconclusive", "not applicable", "pass")
"""The results whose number is shown even if it is 0."""

SETTLED: tuple[Result, ...] = ("pass", "not applicable", "intended")
"""The results that are counted; all others are listed one by one."""

PROGRAM = "program"
"""The level of backward passes of tapes."""

GRADIENT_LEVELS: Mapping[str, str] = {"gradient": "wrong-gradient", PROGRAM: "wrong-program-gradient"}
"""The levels whose failures are evidence about a gradient, and the kind of such a failure. All other levels compare generated
code with Warp's, with itself or with an interpreter: their failures are faults of warpsmith, or of Warp's forward code."""

NOT_EXTRACTED = "not extracted"
"""The level of kernels that did not become pairs."""

MACHINE_LEVEL = "machine"
"""The level of kernels whose check the machine or the sandbox prevented."""

_LAUNCH_NUMBER = re.compile(r"#\d+$")
_PACKAGE = re.compile(r"(.+?)-[^-]*-(\1(?:\..+)?)")
_BY_HAND = re.compile(r"@(?:\w+\.)*func_(?:grad|replay|native)\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelResult:
    """The result of one pair that was extracted from a project.

    Attributes:
        id: the pair's id.
        kernel: the name of the kernel.
        file: the source file, relative to its package or script; empty if it is unknown.
        line: the line of the kernel's ``def``; 0 if it is unknown.
        launch: where the launch of the pair comes from, see `Origin`.
        result: what the verdicts say; see `RESULTS`.
        level: the level that decided.
        reason: one line; empty for ``pass``.
        disagreement: the figures of a wrong gradient, if the reason has any.
        is_known: whether the baseline contains this failure.
    """

    id: str
    kernel: str
    file: str
    line: int
    launch: str
    result: Result
    level: str
    reason: str
    disagreement: Disagreement | None = None
    is_known: bool = False

    @property
    def label(self) -> Result:
        """The result, or ``known`` for a failure that the baseline contains."""
        return "known" if self.is_known else self.result

    @property
    def qualified_name(self) -> str:
        """Module and name of the kernel, with the types of an overload; the same in all releases of a package."""
        return qualified_name(self.id)

    @property
    def kind(self) -> str:
        """The kind of the finding, which names it in baselines and reports; empty if nothing is to be done."""
        if self.result in ("pass", "not applicable", "intended", "known"):
            return ""
        if self.result == "fail":
            return GRADIENT_LEVELS.get(self.level, "failed-level")
        return {"by hand": "adjoint-by-hand"}.get(self.result, self.result.replace(" (", "-").replace(" ", "-").rstrip(")"))

    @property
    def place(self) -> str:
        """File and line, as editors and terminals recognize them."""
        return f"{self.file}:{self.line}" if self.file else ""

    @property
    def what(self) -> str:
        """What is wrong, in one line."""
        found = self.disagreement
        if found is None:
            is_plain = self.result in ("not checked", "memory error", "untested") or not self.reason
            return self.reason if is_plain else f"{self.level}: {self.reason}"
        if not found.element:
            return f"gradient along a random direction: got {found.got:.6g}, expected {found.expected:.6g}"
        return f"gradient of {found.element}: got {found.got:.6g}, expected {found.expected:.6g}"


Summary = tuple[Result, str, str]
"""A result, the level that decided, and its reason."""


def qualified_name(identity: str) -> str:
    """Return module and name of a kernel from the id of a pair: package, version and number of the launch are left out.

    Examples:
        >>> qualified_name("sim-1.0-sim.kernels.step#2")
        'sim.kernels.step'
    """
    name = _LAUNCH_NUMBER.sub("", identity)
    match = _PACKAGE.fullmatch(name)
    return match[2] if match is not None else name


def pair_result(pair: Pair, verdicts: Sequence[Verdict], last: str, missing: str = "") -> KernelResult:
    """Return the result of a pair.

    Args:
        pair: the pair.
        verdicts: its verdicts, in the order of the levels.
        last: the name of the last level that was to be checked.
        missing: why there is no verdict of that level, if there is none.
    """
    no_floats = without_floats(pair) if last in GRADIENT_LEVELS else None
    settled: Summary = ("not applicable", last, no_floats or "")
    result, level, reason = settled if no_floats else _summary(pair, verdicts, last)
    origin = pair.metadata.origin
    if result == "not checked":
        reason = (origin.reason if origin is not None else "") or reason or missing
    return KernelResult(
        id=pair.id,
        kernel=pair.metadata.kernel_name,
        file=origin.file if origin is not None else "",
        line=origin.line if origin is not None else 0,
        launch=origin.launch if origin is not None else "none",
        result=result,
        level=level,
        reason=reason,
        disagreement=parse_disagreement(reason) if result in ("fail", "by hand", "intended") else None,
    )


def _summary(pair: Pair, verdicts: Sequence[Verdict], last: str) -> Summary:
    """Return the result, the level that decided, and its reason."""
    about_pair = [verdict for verdict in verdicts if not verdict.is_about_machine]
    for verdict in about_pair:
        if verdict.status == "fail":
            return _failure(pair, verdict, last)
    machine = next((verdict for verdict in verdicts if verdict.is_about_machine), None)
    if machine is not None:
        return "not checked (warpsmith)", MACHINE_LEVEL, machine.reason.removeprefix(MACHINE)
    final = next((verdict for verdict in about_pair if verdict.level == last), None)
    if final is None:
        return "not checked", last, ""
    if final.status == "pass":
        return "pass", last, ""
    if final.status == "not_applicable":
        return "not applicable", last, final.reason
    # A level skips a kernel that an earlier level could not settle; the reason is in the verdict of that level.
    for verdict in about_pair:
        if verdict.status == "inconclusive":
            return "inconclusive", verdict.level, verdict.reason
    first = next(verdict for verdict in about_pair if verdict.status == "skipped")
    return "not checked", first.level, first.reason


def _failure(pair: Pair, verdict: Verdict, last: str) -> Summary:
    """Return what a failure at a level says about a pair that was checked up to ``last``.

    In a check of gradients, only figures of a gradient are a failure: a worker that dies at level `gradient` shows none.
    """
    if last not in GRADIENT_LEVELS:
        return "fail", verdict.level, verdict.reason
    if verdict.is_memory_error:
        return "memory error", verdict.level, verdict.reason.removeprefix(MEMORY_ERROR)
    if verdict.reason.startswith(BACKWARD_STOPS):
        return "inconclusive", verdict.level, verdict.reason  # a slow machine shows the same as an adjoint without end
    if verdict.level not in GRADIENT_LEVELS or not is_about_gradient(verdict.reason):
        return "not checked (warpsmith)", verdict.level, verdict.reason
    if not _BY_HAND.search(pair.python_source):
        return "fail", verdict.level, verdict.reason
    return "intended" if is_marked(pair.python_source) else "by hand", verdict.level, verdict.reason


def reject_result(reject: Reject) -> KernelResult:
    """Return the result of a kernel that did not become a pair."""
    return KernelResult(
        id=reject.id,
        kernel=reject.id.partition("[")[0].rpartition(".")[2],
        file=reject.origin.file if reject.origin is not None else "",
        line=reject.origin.line if reject.origin is not None else 0,
        launch="none",
        result="not checked",
        level=NOT_EXTRACTED,
        reason=f"{reject.stage}: {reject.error}",
    )


def untested_result(kernel: Untested) -> KernelResult:
    """Return the result of a kernel that no test launched."""
    return KernelResult(
        id=kernel.id,
        kernel=kernel.kernel,
        file=kernel.file,
        line=kernel.line,
        launch="none",
        result="untested",
        level=NOT_EXTRACTED,
        reason="no test launches it",
    )


def in_order(results: Iterable[KernelResult]) -> list[KernelResult]:
    """Return results that need attention first, then by file and line."""
    return sorted(results, key=lambda result: (RESULTS.index(result.label), result.file, result.line, result.id))


def summary_lines(results: Sequence[KernelResult]) -> list[str]:
    """Return the numbers of results, and the reasons of those that are not listed one by one.

    Examples:
        >>> summary_lines([])
        ['0 launches of 0 kernels: 0 fail, 0 not checked, 0 inconclusive, 0 not applicable, 0 pass']
    """
    programs = [result for result in results if result.level == PROGRAM]
    results = [result for result in results if result.level != PROGRAM]
    launched = [result for result in results if result.result != "untested"]
    kernels = len({(result.file, result.line, result.kernel) for result in launched})
    reasons = Counter(result.reason for result in results if result.result == "not applicable")
    return [
        *([f"{len(launched):,} launches of {kernels:,} kernels: {_numbers(results)}"] if launched or not programs else []),
        *([f"{len(programs):,} backward passes of tapes: {_numbers(programs)}"] if programs else []),
        *(f"not applicable: {count:,} because {reason}" for reason, count in reasons.most_common()),
    ]


def _numbers(results: Sequence[KernelResult]) -> str:
    counts = Counter(result.label for result in results)
    return ", ".join(f"{counts[name]:,} {name}" for name in RESULTS if counts[name] or name in ALWAYS_COUNTED)
