"""What the SIMT machine finds in the launches of a pair: a fork writes the reports to shared memory, its parent reads them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from warpsmith.simt.launches.finding_texts import describe_findings
from warpsmith.simt.launches.launch_results import KINDS, Finding
from warpsmith.simt.lowering.lowered_program import Program
from warpsmith.simt.machine.layout import RawFinding, RawLaunch
from warpsmith.simt.ptx.source_locations import Location
from warpsmith.simt.ptx.syntax import ModuleSyntax
from warpsmith.validation.running.shared_memory import Arena
from warpsmith.validation.running.shared_message import SharedMessage
from warpsmith.validation.simt_launches.launch_memory import LaunchMemory
from warpsmith.validation.simt_launches.ptx_units import PtxKernel

PAIR_STEPS = 100_000_000
"""Instructions of warps after which no other launch of a pair starts. The count does not depend on the speed of the machine."""

FINDING_LIMIT = 8
"""The most findings of a pass that are reported."""

REPORT_BYTES = 1 << 16
"""Shared memory for the reports on one pair."""

_OTHER_LINE = re.compile(r" at line \d+ without")


@dataclass(frozen=True, slots=True)
class MachineFinding:
    """A finding of the machine.

    Attributes:
        kind: one of `warpsmith.simt.launches.launch_results.KINDS`.
        text: what happened and where, without addresses of this process.
        is_undefined_value: whether a shuffle reads an undefined value from an absent lane, and nothing else is wrong.
    """

    kind: str
    text: str
    is_undefined_value: bool = False


@dataclass(frozen=True, slots=True)
class PassReport:
    """The report on one pass of one launch.

    Attributes:
        launch: the number of the launch.
        direction: ``"forward"`` or ``"backward"``.
        stopped: whether the pass ended before the end of the kernel.
        findings: what the machine found.
    """

    launch: int
    direction: str
    stopped: bool
    findings: tuple[MachineFinding, ...]


class PairReport:
    """The reports on the passes of one pair.

    Args:
        arena: the shared memory.
    """

    def __init__(self, arena: Arena) -> None:
        self._message = SharedMessage(arena, REPORT_BYTES)
        self._reports: list[PassReport] = []
        self._steps = 0

    @property
    def is_finished(self) -> bool:
        """Whether no other pass may start."""
        return self._steps >= PAIR_STEPS or any(report.stopped for report in self._reports)

    def add(self, report: PassReport, steps: int) -> None:
        """Add a report in the fork."""
        self._steps += steps
        self._reports.append(report)
        if not self._message.write(self._reports):
            self._reports[-1] = replace(report, findings=report.findings[:1])
            self._message.write(self._reports)

    def read(self) -> list[PassReport]:
        """Return the reports in the parent.

        Raises:
            msgspec.MsgspecError: if the fork wrote anything else.
        """
        return self._message.read(list[PassReport]) or []


def machine_findings(
    kernel: PtxKernel, program: Program, raw: RawLaunch, found: Sequence[RawFinding], memory: LaunchMemory
) -> tuple[MachineFinding, ...]:
    """Return the findings of a pass, undefined values last; the text names arrays and lines of the CUDA text."""
    syntax = kernel.module.syntax
    first = sorted(found, key=_is_undefined_value)[:FINDING_LIMIT]
    described = describe_findings(syntax, program, first, memory.regions, raw, memory.elements, names=memory.names)
    return tuple(
        MachineFinding(
            finding.kind,
            _text(finding, _line(syntax, program, raw_finding, kernel.key)),
            _is_undefined_value(raw_finding),
        )
        for finding, raw_finding in zip(described, first, strict=True)
    )


def _is_undefined_value(found: RawFinding) -> bool:
    return KINDS[found.kind] == "absent_lane" and found.size > 0


def _text(finding: Finding, line: int) -> str:
    message = _OTHER_LINE.sub(" without", finding.message)
    where = f"line {line} of the CUDA text, " if line else ""
    return f"{message} ({where}thread {finding.thread} of block {finding.block})"


def _line(syntax: ModuleSyntax, program: Program, finding: RawFinding, key: str) -> int:
    """Return the line of the text with a key that contains an instruction, or that calls a header which contains it."""
    place: Location | None = program.location(finding.position)
    while place is not None and syntax.files.get(place.file, "").rpartition("/")[2] != key:
        place = place.caller
    return place.line if place is not None else 0
