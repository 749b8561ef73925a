"""Launches of a plain kernel on the SIMT machine: its arguments at addresses of a device, and the report on each launch."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from warpsmith.core.inputs.values import Values
from warpsmith.core.records.launch import Argument, Launch
from warpsmith.scoring.judging.plain.plain_compiling import PlainKernel
from warpsmith.scoring.judging.wire import array_names
from warpsmith.scoring.plain.grids import DYNAMIC_SHARED, Grid, grid
from warpsmith.scoring.plain.plain_signature import Parameter, argument_named
from warpsmith.simt.launches.device_memory import FIRST_ADDRESS, Region
from warpsmith.simt.launches.finding_texts import describe_findings
from warpsmith.simt.launches.kernel_arguments import LaunchError
from warpsmith.simt.launches.launch_checks import Check
from warpsmith.simt.launches.launch_results import Counts, Finding
from warpsmith.simt.launches.program_launch import SHARED_LIMIT
from warpsmith.simt.lowering.lowered_program import Program
from warpsmith.simt.machine.layout import RawFinding, RawLaunch
from warpsmith.validation.running.memory_layout import argument_content
from warpsmith.validation.running.outputs import LaunchOutputs
from warpsmith.validation.running.shared_memory import Arena
from warpsmith.validation.running.shared_message import SharedMessage

STEPS = 100_000_000
"""Instructions of warps that all launches of a text may execute."""

REPORT_BYTES = 64 << 10
"""Shared memory for the reports on the launches of a text."""

CHECKS = Check.SHARED_RACES | Check.GLOBAL_RACES | Check.UNWRITTEN | Check.BARRIERS
_SPACING = 1 << 32
"""Bytes between the addresses of two arrays: an index beyond an array is in no other array."""

_VECTOR = re.compile(r"\b(?:float|double|u?int|u?short|u?char|u?longlong)([234])\*")
"""CUDA's vectors, most of which are aligned to more than a number."""

_ATOMIC = re.compile(r"\b(?:atom|red)\.")
_LOAD = re.compile(r"\bld\.")
_LOADED = re.compile(r"\s*ld\.[\w.:]+\s+(\{[^}]*\}|%\w+),")
_STORED = re.compile(r"\s*st\.[\w.:]+\s+\[[^\]]*\],\s*(\{[^}]*\}|%\w+);")


class LaunchReport(msgspec.Struct, frozen=True):
    """The report on one launch.

    Attributes:
        problem: why the launch fails; empty if it does not.
        kind: the kind of the finding, see `warpsmith.simt.launches.launch_results.KINDS`; empty for other problems.
    """

    problem: str = ""
    kind: str = ""

    @property
    def races(self) -> bool:
        """Whether the problem is a race in an array."""
        return self.kind == "global_race"

    @property
    def reads_unset(self) -> bool:
        """Whether the problem is a variable without a value."""
        return self.kind.startswith("unwritten")


class TextReports:
    """The reports on the launches of a text, which a fork writes to shared memory."""

    def __init__(self, arena: Arena) -> None:
        self._message = SharedMessage(arena, REPORT_BYTES)
        self._reports: list[LaunchReport] = []
        self.steps = 0

    @property
    def has_problem(self) -> bool:
        """Whether a launch has failed, after which no other one starts."""
        return any(report.problem and not report.races for report in self._reports[-1:])

    def add(self, report: LaunchReport, steps: int) -> None:
        """Add a report in the fork."""
        self.steps += steps
        self._reports.append(report)
        self._message.write(self._reports)

    def read(self) -> list[LaunchReport]:
        """Return the reports in the parent."""
        return self._message.read(list[LaunchReport]) or []


@dataclass(frozen=True, slots=True)
class PlacedArgument:
    """An argument in memory.

    Attributes:
        content: the array, or the value.
        region: where the kernel finds it; None for values.
    """

    content: Values
    region: Region | None


class PlainLaunch:
    """One launch with its arguments in place.

    Args:
        kernel: the kernel.
        parameters: its parameters.
        launch: the size of the launch and its arguments.
        values: contents of the arguments by leaf; they are copied.
        number: the number of the grid's shape. Arrays start at multiples of 256 for the first one, and for other shapes at
            addresses that are aligned to a number only.
        arena: shared memory.
        grid: returns the grid for a launch and the number of a shape.
    """

    def __init__(
        self,
        kernel: PlainKernel,
        parameters: Sequence[Parameter],
        launch: Launch,
        values: Mapping[str, Values],
        number: int,
        arena: Arena,
        grid: Callable[[tuple[int, ...], int], Grid] = grid,
    ) -> None:
        self._kernel, self._parameters, self._launch, self._number = kernel, parameters, launch, number
        self._grid = grid
        self._placed: dict[str, PlacedArgument] = {}
        for position, parameter in enumerate(parameters):
            if parameter.argument and parameter.dimension is None:
                argument = argument_named(launch, parameter.argument)
                content = arena.copy(argument_content(argument, values))
                self._placed[parameter.argument] = PlacedArgument(content, self._region(parameter, argument, content, position))

    def _region(self, parameter: Parameter, argument: Argument, content: Values, position: int) -> Region | None:
        if not parameter.ctype.endswith("*"):
            return None
        offset = self._alignment(parameter, content) * (2 * self._number - 1) if self._number else 0
        memory = content.reshape(-1).view(np.uint8)
        return Region(FIRST_ADDRESS + position * _SPACING + offset, memory, position, argument.role != "input")

    @staticmethod
    def _alignment(parameter: Parameter, content: Values) -> int:
        """Return the alignment of the elements that a pointer points to."""
        found = _VECTOR.search(parameter.ctype)
        lengths = {"2": 2, "3": 1, "4": 4}
        return content.dtype.alignment * (min(lengths[found[1]], 16 // content.dtype.itemsize) if found else 1)

    def run(self, reports: TextReports) -> None:
        """Run the launch, unless an earlier one of the text has failed, and add its report."""
        if reports.has_problem:
            return
        try:
            raw, found = self._launched(CHECKS, max(STEPS - reports.steps, 1))
        except LaunchError as error:
            reports.add(LaunchReport(str(error)), 0)
            return
        reports.add(self._report(self._described(self._kernel.program, raw, found), bool(raw.stopped)), raw.counts.steps)

    def _described(self, program: Program, raw: RawLaunch, found: Sequence[RawFinding]) -> tuple[Finding, ...]:
        """Return the findings of a launch of a program of the module."""
        elements = [np.empty(0, np.uint8)] * len(self._parameters)
        for placed in self._placed.values():
            if placed.region is not None:
                elements[placed.region.argument] = placed.content
        names = [parameter.name for parameter in self._parameters]
        return describe_findings(self._kernel.module.syntax, program, found, self._regions, raw, elements, names=names)

    def count(self) -> Counts | None:
        """Run the launch and return its counts, or None if it does not end, or accesses memory that is not its own."""
        try:
            raw, found = self._launched(Check.TRAFFIC, STEPS)
        except LaunchError:
            return None
        return None if found or raw.stopped else Counts.from_raw(raw.counts)

    @property
    def shared(self) -> int:
        """Bytes of dynamic shared memory."""
        program = self._kernel.program
        return min(DYNAMIC_SHARED, SHARED_LIMIT - program.shared_size) if program.uses_dynamic_shared else 0

    @property
    def _regions(self) -> list[Region]:
        return [placed.region for placed in self._placed.values() if placed.region is not None]

    def _launched(self, checks: Check, steps: int) -> tuple[RawLaunch, list[RawFinding]]:
        """Run the launch.

        Raises:
            LaunchError: if the kernel's parameters have other sizes.
        """
        shape, module = self._grid(self._launch.dim, self._number), self._kernel.module
        raw, found, _ = module.run(
            self._kernel.program, shape.blocks, shape.threads, self._packed(), self._regions, self.shared, checks, steps,
            shape.is_reversed,
        )  # fmt: skip
        return raw, found

    def _packed(self) -> bytes:
        """Return the bytes of the parameters.

        Raises:
            LaunchError: if the kernel's parameters have other sizes.
        """
        program = self._kernel.program
        packed = bytearray(program.parameter_size)
        named = [(parameter.name, self._value(parameter)) for parameter in self._parameters] + self._further_arguments()
        for (name, value), offset, size in zip(named, program.parameter_offsets, self._kernel.sizes, strict=True):
            if len(value) != size:
                raise LaunchError(f"the parameter {name} of the kernel has {size} bytes, expected {len(value)}")
            packed[offset : offset + size] = value
        return bytes(packed)

    def _further_arguments(self) -> list[tuple[str, bytes]]:
        """Return the names and the bytes of parameters that the signature does not have."""
        return []

    def _value(self, parameter: Parameter) -> bytes:
        if parameter.dimension is not None:
            shape = argument_named(self._launch, parameter.argument).shape if parameter.argument else self._launch.dim
            return int(shape[parameter.dimension]).to_bytes(4, "little")
        placed = self._placed[parameter.argument]
        return placed.content.tobytes() if placed.region is None else placed.region.address.to_bytes(8, "little")

    def _report(self, findings: Sequence[Finding], stopped: bool) -> LaunchReport:
        failing = [finding for finding in findings if not (self._is_read_beside_atomics(finding) or self._is_copy(finding))]
        if not failing:
            return LaunchReport("the launch stopped" if stopped else "")
        first = min(failing, key=lambda finding: (finding.kind == "global_race", not finding.kind.startswith("unwritten")))
        where = f"line {first.line}: " if first.line else ""
        thread = f"thread {first.thread} of block {first.block}"
        return LaunchReport(f"{where}{first.kind}: {first.message} ({thread})", first.kind)

    def _is_read_beside_atomics(self, finding: Finding) -> bool:
        """Return whether a race is one of a load and an atomic operation, as at the start of a loop around ``atomicCAS``.

        Such a load reads an old or a new value. Wrong uses of it show in the results.
        """
        if finding.kind != "global_race" or finding.other is None:
            return False
        lines = self._kernel.module.syntax.text.split("\n")
        both = [lines[line - 1] for line in (finding.ptx_line, finding.other.ptx_line)]
        return any(map(_ATOMIC.search, both)) and any(map(_LOAD.search, both))

    def _is_copy(self, finding: Finding) -> bool:
        """Return whether memory without a value is only copied, as padding is with its struct, or a variable not set yet."""
        if not finding.kind.startswith("unwritten"):
            return False
        lines = self._kernel.module.syntax.text.split("\n")
        loaded = _LOADED.match(lines[finding.ptx_line - 1])
        if loaded is None:
            return False
        around = _function_around(lines, finding.ptx_line - 1)
        return all(_is_stored(register, around) for register in re.findall(r"%\w+", loaded[1]))

    def outputs(self) -> LaunchOutputs:
        """Return copies of what the launch left."""
        arrays: dict[str, Values] = {}
        for argument in self._launch.args:
            if argument.name not in self._placed:  # the members of the struct are parameters
                arrays |= {name: each.content for name, each in self._placed.items() if name.startswith(f"{argument.name}.")}
                continue
            placed = self._placed[argument.name].content
            if argument.kind == "array" and argument.fields:
                arrays |= {f"{argument.name}.{member.name}": placed[member.name] for member in argument.fields}
            elif argument.kind == "array":
                arrays[argument.name] = placed
        return LaunchOutputs({name: np.array(arrays[name]) for name in array_names(self._launch)}, {})


def _function_around(lines: Sequence[str], number: int) -> Sequence[str]:
    """Return the lines of the function of PTX that contains a line; its braces are lines of their own."""
    start = next((at for at in range(number, -1, -1) if lines[at] == "{"), 0)
    end = next((at for at in range(number, len(lines)) if lines[at] == "}"), len(lines))
    return lines[start:end]


def _is_stored(register: str, lines: Sequence[str]) -> bool:
    """Return whether nothing happens to the value of a register but that it is stored."""
    used = [line for line in lines if re.search(rf"{re.escape(register)}\b", line) and not line.strip().startswith(".reg")]
    loads = [line for line in used if (found := _LOADED.match(line)) and re.search(rf"{re.escape(register)}\b", found[1])]
    stores = [line for line in used if (found := _STORED.match(line)) and re.search(rf"{re.escape(register)}\b", found[1])]
    return len(loads) == 1 and len(loads) + len(stores) == len(used)
