"""The result of one kernel of a project: its place in the source, its verdict, and the figures of a wrong gradient."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from warpsmith.core.records.pair import Pair, Reject
from warpsmith.core.records.verdict import MACHINE, Verdict
from warpsmith.validation.levels.derivatives.disagreement import Disagreement, parse_disagreement

Result = Literal["fail", "not checked", "inconclusive", "not applicable", "pass"]

RESULTS: tuple[Result, ...] = get_args(Result)
"""All results, those that need attention first."""

NOT_EXTRACTED = "not extracted"
"""The level of kernels that did not become pairs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelResult:
    """The result of one pair that was extracted from a project.

    Attributes:
        id: the pair's id.
        kernel: the name of the kernel.
        file: the source file, relative to its package or script; empty if it is unknown.
        line: the line of the kernel's ``def``; 0 if it is unknown.
        launch: where the launch of the pair comes from, see `Origin`.
        result: ``not checked`` if the levels could not be completed, although none found a fault.
        level: the level that decided.
        reason: one line; empty for ``pass``.
        disagreement: the figures of a wrong gradient, if the reason has any.
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

    @property
    def place(self) -> str:
        """File and line, as editors and terminals recognize them."""
        return f"{self.file}:{self.line}" if self.file else ""

    @property
    def what(self) -> str:
        """What is wrong, in one line."""
        found = self.disagreement
        if found is None:
            return self.reason if self.result == "not checked" or not self.reason else f"{self.level}: {self.reason}"
        if not found.element:
            return f"gradient along a random direction: got {found.got:.6g}, expected {found.expected:.6g}"
        return f"gradient of {found.element}: got {found.got:.6g}, expected {found.expected:.6g}"


def pair_result(pair: Pair, verdicts: Sequence[Verdict], last: str, missing: str = "") -> KernelResult:
    """Return the result of a pair.

    Args:
        pair: the pair.
        verdicts: its verdicts, in the order of the levels.
        last: the name of the last level that was to be checked.
        missing: why there is no verdict of that level, if there is none.
    """
    result, level, reason = _summary([verdict for verdict in verdicts if not verdict.is_about_machine], last)
    origin = pair.metadata.origin
    if result == "not checked":
        machine = next((verdict.reason.removeprefix(MACHINE) for verdict in verdicts if verdict.is_about_machine), "")
        reason = machine or (origin.reason if origin is not None else "") or reason or missing
    return KernelResult(
        id=pair.id,
        kernel=pair.metadata.kernel_name,
        file=origin.file if origin is not None else "",
        line=origin.line if origin is not None else 0,
        launch=origin.launch if origin is not None else "none",
        result=result,
        level=level,
        reason=reason,
        disagreement=parse_disagreement(reason) if (result, level) == ("fail", "gradient") else None,
    )


def _summary(verdicts: Sequence[Verdict], last: str) -> tuple[Result, str, str]:
    """Return the result, the level that decided, and its reason."""
    for verdict in verdicts:
        if verdict.status == "fail":
            return "fail", verdict.level, verdict.reason
    final = next((verdict for verdict in verdicts if verdict.level == last), None)
    if final is None:
        return "not checked", last, ""
    if final.status == "pass":
        return "pass", last, ""
    if final.status == "not_applicable":
        return "not applicable", last, final.reason
    # A level skips a kernel that an earlier level could not settle; the reason is in the verdict of that level.
    for verdict in verdicts:
        if verdict.status == "inconclusive":
            return "inconclusive", verdict.level, verdict.reason
    first = next(verdict for verdict in verdicts if verdict.status == "skipped")
    return "not checked", first.level, first.reason


def reject_result(reject: Reject) -> KernelResult:
    """Return the result of a kernel that did not become a pair."""
    return KernelResult(
        id=reject.id,
        kernel=reject.id.rpartition(".")[2],
        file="",
        line=0,
        launch="none",
        result="not checked",
        level=NOT_EXTRACTED,
        reason=f"{reject.stage}: {reject.error}",
    )


def in_order(results: Iterable[KernelResult]) -> list[KernelResult]:
    """Return results that need attention first, then by file and line."""
    return sorted(results, key=lambda result: (RESULTS.index(result.result), result.file, result.line, result.id))


def summary_lines(results: Sequence[KernelResult]) -> list[str]:
    """Return the numbers of results, and the reasons of those that are not listed one by one.

    Examples:
        >>> summary_lines([])
        ['0 launches of 0 kernels: 0 fail, 0 not checked, 0 inconclusive, 0 not applicable, 0 pass']
    """
    counts = Counter(result.result for result in results)
    kernels = len({(result.file, result.line, result.kernel) for result in results})
    numbers = ", ".join(f"{counts[name]:,} {name}" for name in RESULTS)
    reasons = Counter(result.reason for result in results if result.result == "not applicable")
    return [
        f"{len(results):,} launches of {kernels:,} kernels: {numbers}",
        *(f"not applicable: {count:,} because {reason}" for reason, count in reasons.most_common()),
    ]
