"""Launches of a kernel on the SIMT machine, forward and backward, in a fork."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from warpsmith.core.inputs.values import Values, objects
from warpsmith.core.records.launch import Launch
from warpsmith.extraction.warp import runtime
from warpsmith.simt.launches.launch_checks import Check
from warpsmith.simt.launches.program_launch import SHARED_LIMIT
from warpsmith.simt.lowering.lowered_program import Program
from warpsmith.validation.compiling.part import UnitPart
from warpsmith.validation.running.entry_calls import seed_gradients
from warpsmith.validation.running.prepared_launch import PreparedLaunch
from warpsmith.validation.running.shared_arguments import Arguments, lay_out
from warpsmith.validation.running.shared_memory import Arena
from warpsmith.validation.simt_launches.launch_memory import LaunchMemory, SeparateArrays
from warpsmith.validation.simt_launches.pass_reports import PairReport, PassReport, machine_findings
from warpsmith.validation.simt_launches.ptx_units import PtxKernel

LAUNCH_STEPS = 50_000_000
"""Instructions of warps after which a pass ends with a finding."""

SHARED_BYTES = 160 << 10
"""Dynamic shared memory of a block of a kernel that uses any. The exact size is known to Warp only when it loads a module."""

CHECKS = Check.SHARED_RACES | Check.GLOBAL_RACES | Check.UNWRITTEN | Check.BARRIERS
"""Counts of traffic are left out."""


@dataclass(frozen=True, slots=True)
class MachineLauncher:
    """Prepares launches of one kernel.

    Attributes:
        kernel: the programs.
        part: the CUDA text.
        arena: shared memory for arguments.
        report: receives the reports on all launches.
    """

    kernel: PtxKernel
    part: UnitPart
    arena: Arena
    report: PairReport

    def prepare(
        self, number: int, launch: Launch, values: Mapping[str, Values], *, backward: bool, reverse: bool = False
    ) -> PreparedLaunch:
        """Prepare a launch.

        Args:
            number: the number of the launch in reports.
            launch: the launch.
            values: contents of the arguments by leaf; they are copied.
            backward: whether to run the backward pass, too.
            reverse: whether blocks, warps and the threads of atomic operations run in the opposite order.
        """
        arena = SeparateArrays(self.arena)
        arguments = lay_out(launch, values, arena)
        _, _, *arrays = arena.arrays  # the structures of arguments and adjoints: the kernel receives their contents
        has_objects = bool(objects(launch))
        memory = LaunchMemory(arguments, arrays, has_objects)
        checks = CHECKS & ~Check.GLOBAL_RACES if has_objects else CHECKS  # the shadow of all memory would be too large
        bounds = runtime.launch_bounds(launch.dim, self.part.dimensions)

        def run(direction: str, program: Program) -> None:
            if self.report.is_finished:
                return
            parameters = parameter_bytes(program, arguments, bounds, direction == "backward")
            block = min(self.part.block_dim, program.max_threads or self.part.block_dim)  # programs launch blocks that fit
            raw, found, _ = self.kernel.module.run(
                program,
                max(-(-math.prod(launch.dim) // block), 1),
                block,
                parameters,
                memory.regions,
                min(SHARED_BYTES, SHARED_LIMIT - program.shared_size) if program.uses_dynamic_shared else 0,
                checks,
                LAUNCH_STEPS,
                reverse,
            )
            findings = machine_findings(self.kernel, program, raw, found, memory)
            self.report.add(PassReport(number, direction, bool(raw.stopped), findings), raw.counts.steps)

        prepared = PreparedLaunch(arguments, [partial(run, "forward", self.kernel.forward)])
        if backward and self.kernel.backward is not None:
            seed_gradients(launch, arguments)
            if self.part.backward_rewrites_arrays:
                prepared.backward.append(arguments.keep(self.arena))
            prepared.backward.append(partial(run, "backward", self.kernel.backward))
        return prepared


def parameter_bytes(program: Program, arguments: Arguments, bounds: Any, backward: bool) -> bytes:
    """Return the bytes of the parameters of a kernel."""
    content = bytearray(program.parameter_size)
    pointers = arguments.pointers(bounds, backward)
    for offset, parameter, pointer in zip(program.parameter_offsets, program.parameters, pointers, strict=True):
        content[offset : offset + parameter.size] = ctypes.string_at(pointer, parameter.size)
    return bytes(content)
