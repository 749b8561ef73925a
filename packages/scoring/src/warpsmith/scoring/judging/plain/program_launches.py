"""Runs of CUDA programs on the SIMT machine: the function of the host in one thread, then what it has recorded, in order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from warpsmith.scoring.judging.plain.plain_launches import CHECKS, STEPS, LaunchReport, PlainLaunch, TextReports
from warpsmith.scoring.plain.grids import REVERSED
from warpsmith.scoring.plain.program_unit import COPY, KERNEL, RECORD_BYTES, SCRATCH_BYTES, SET
from warpsmith.simt.launches.device_memory import FIRST_ADDRESS, Region
from warpsmith.simt.launches.kernel_arguments import LaunchError
from warpsmith.simt.launches.program_launch import SHARED_LIMIT

LARGEST_GRID = 1 << 20
"""The most threads of a launch of a program."""

_BYTE = 0x4B
"""What allocated memory contains at first: floats of 13 million, and integers of a thousand million."""

_RECORDS, _SCRATCH = FIRST_ADDRESS + (1 << 40), FIRST_ADDRESS + (2 << 40)
"""Addresses behind those of all arguments, and far from the variables of modules."""


@dataclass(frozen=True, slots=True)
class RecordedLaunch:
    """A launch of a kernel: its address, grid and block, dynamic shared memory, and the bytes of its arguments."""

    kernel: int
    blocks: tuple[int, int, int]
    threads: tuple[int, int, int]
    shared: int
    arguments: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class RecordedOperation:
    """An operation on memory: its kind, the address that is written, the byte or the address that is read, and the length."""

    kind: int
    target: int
    source: int
    length: int


def read_records(words: npt.NDArray[np.uint64]) -> Iterator[RecordedLaunch | RecordedOperation]:
    """Yield what the function of the host has recorded.

    Args:
        words: the number of words in use, the bytes that are allocated, and the records.

    Raises:
        LaunchError: if the records are damaged.
    """
    numbers = iter([int(word) for word in words[2 : max(int(words[0]), 2)]])
    try:
        for kind in numbers:
            if kind == KERNEL:
                kernel, *sizes = (next(numbers) for _ in range(8))
                arguments = []
                for _ in range(next(numbers)):
                    length = next(numbers)
                    packed = b"".join(next(numbers).to_bytes(8, "little") for _ in range(-(-length // 8)))
                    arguments.append(packed[:length])
                blocks, threads = (sizes[0], sizes[1], sizes[2]), (sizes[3], sizes[4], sizes[5])
                yield RecordedLaunch(kernel, blocks, threads, sizes[6], tuple(arguments))
            elif kind in (SET, COPY):
                yield RecordedOperation(kind, next(numbers), next(numbers), next(numbers))
            else:
                raise LaunchError("the program has overwritten its records")
    except (StopIteration, RuntimeError):
        raise LaunchError("the program has overwritten its records") from None


class ProgramLaunch(PlainLaunch):
    """One run of a program; the arguments are those of `PlainLaunch`."""

    _scratch: Region | None = None

    @cached_property
    def _records(self) -> Region:
        return Region(_RECORDS, np.zeros(RECORD_BYTES, np.uint8), -1, True)

    @cached_property
    def _variables(self) -> npt.NDArray[np.uint8]:
        return self._kernel.module.initial_variables()

    @property
    def _regions(self) -> list[Region]:
        scratch = [self._scratch] if self._scratch is not None else []
        return [self._records, *scratch, *super()._regions]

    def _further_arguments(self) -> list[tuple[str, bytes]]:
        return [("records", _RECORDS.to_bytes(8, "little")), ("scratch", _SCRATCH.to_bytes(8, "little"))]

    def run(self, reports: TextReports) -> None:
        """Run the program, unless an earlier run of the text has failed, and add its report."""
        if reports.has_problem:
            return
        steps, failed = 0, LaunchReport()
        try:
            for report, count in self._reports(max(STEPS - reports.steps, 1)):
                steps += count
                failed = report if report.problem else failed
                if report.problem and not report.races:
                    break
        except LaunchError as error:
            failed = LaunchReport(str(error))
        self._scratch = None  # the memory of one run is enough
        reports.add(failed, steps)

    def _reports(self, steps: int) -> Iterator[tuple[LaunchReport, int]]:
        """Run the function of the host and what it records, and yield a report and the number of steps of each.

        The host cannot access memory of the device.

        Raises:
            LaunchError: if a launch or an operation is not possible.
        """
        module, host = self._kernel.module, self._kernel.program
        raw, found, _ = module.run(host, 1, 1, self._packed(), [self._records], 0, CHECKS, steps, variables=self._variables)
        steps -= raw.counts.steps
        yield self._report(self._described(host, raw, found), bool(raw.stopped)), raw.counts.steps
        words = self._records.memory.view(np.uint64).copy()
        allocated = min(int(words[1]), SCRATCH_BYTES)
        self._scratch = Region(_SCRATCH, np.full(allocated, _BYTE, np.uint8), -1, True) if allocated else None
        for record in read_records(words):
            if isinstance(record, RecordedOperation):
                self._operate(record)
                continue
            report, count = self._launch_recorded(record, max(steps, 1))
            steps -= count
            yield report, count

    def _launch_recorded(self, record: RecordedLaunch, steps: int) -> tuple[LaunchReport, int]:
        module = self._kernel.module
        name = module.function_name(record.kernel)
        if name is None or name not in module.kernels:
            raise LaunchError("the program launches something that is no kernel")
        program, kernel = module.program(name), module.kernels[name]
        threads = int(np.prod(record.threads, dtype=object) * np.prod(record.blocks, dtype=object))
        if threads == 0:
            raise LaunchError(f"the kernel {name} is launched with no thread: an empty grid is an error of CUDA")
        if threads > LARGEST_GRID:
            raise LaunchError(f"the kernel {name} is launched with {threads:,} threads, more than {LARGEST_GRID:,}")
        if record.shared > SHARED_LIMIT - program.shared_size:
            raise LaunchError(f"the kernel {name} is launched with {record.shared:,} bytes of dynamic shared memory")
        packed = bytearray(program.parameter_size)
        for value, offset, parameter in zip(record.arguments, program.parameter_offsets, kernel.parameters, strict=True):
            packed[offset : offset + parameter.size] = value
        raw, found, _ = module.run(
            program, record.blocks, record.threads, bytes(packed), self._regions, record.shared, CHECKS, steps,
            self._number == REVERSED, self._variables,
        )  # fmt: skip
        return self._report(self._described(program, raw, found), bool(raw.stopped)), raw.counts.steps

    def _operate(self, record: RecordedOperation) -> None:
        """Set or copy memory."""
        if not record.length:
            return
        target = self._memory(record.target, record.length, is_written=True)
        if record.kind == SET:
            target[...] = record.source & 0xFF
        else:
            target[...] = self._memory(record.source, record.length).copy()

    def _memory(self, address: int, length: int, *, is_written: bool = False) -> npt.NDArray[np.uint8]:
        for region in self._regions:
            start = address - region.address
            if start >= 0 and start + length <= len(region.memory) and (region.writable or not is_written):
                return region.memory[start : start + length]
        verb = "writes" if is_written else "reads"
        raise LaunchError(f"out_of_bounds: an operation of the host {verb} {length:,} bytes outside of its memory")
