"""Modules of PTX and launches of their kernels on the machine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from warpsmith.simt.launches.device_memory import MODULE_ADDRESS, VARIABLE_GAP, DeviceMemory, Region
from warpsmith.simt.launches.finding_texts import describe_findings
from warpsmith.simt.launches.kernel_arguments import Kernel, LaunchError, kernel_of, pack_arguments
from warpsmith.simt.launches.kernel_signatures import named_kernels
from warpsmith.simt.launches.launch_checks import Check
from warpsmith.simt.launches.launch_results import Counts, Run
from warpsmith.simt.launches.program_launch import LaunchSizes, run_program
from warpsmith.simt.lowering.instruction_encoding import GRID_WORKSPACE, NONE, SPECIAL_NUMBER, WINDOWS
from warpsmith.simt.lowering.lowered_program import Program
from warpsmith.simt.lowering.program_lowering import lower
from warpsmith.simt.machine.layout import RawFinding, RawLaunch
from warpsmith.simt.ptx.module_parser import LARGEST_VARIABLE, parse_module
from warpsmith.simt.ptx.syntax import PtxError

LIMIT = 2_000_000_000
"""Instructions of warps after which a launch ends."""

GRID_WORKSPACE_BYTES = 256
_RACES = (Check.SHARED_RACES, Check.GLOBAL_RACES)


class Module:
    """A module of PTX.

    Attributes:
        syntax: the parsed text.
        kernels: by name.
    """

    def __init__(self, text: str) -> None:
        """Parse the text of a module.

        Raises:
            PtxError: if the text is no PTX.
            UnsupportedPtx: if the machine does not support the module.
        """
        self.syntax = parse_module(text)
        self.kernels = {
            function.name: kernel_of(function)
            for function in self.syntax.functions.values()
            if function.is_kernel and function.start >= 0
        }
        self._programs: dict[str, Program] = {}
        self._addresses, self._initial = self._place_variables()

    def kernel(self, name: str) -> Kernel:
        """Return the kernel with a mangled or plain name.

        Raises:
            LaunchError: if there is none, or a plain name fits several.
        """
        found = named_kernels(self.kernels, name)
        if len(found) == 1:
            return self.kernels[found[0]]
        names = ", ".join(sorted(self.kernels)) or "none"
        if found:
            raise LaunchError(f"{len(found)} kernels are named {name}: use one of {', '.join(found)}")
        raise LaunchError(f"the module has no kernel {name}; its kernels are {names}")

    def program(self, name: str) -> Program:
        """Return the lowered kernel.

        Raises:
            LaunchError: if there is no such kernel.
            PtxError: if its body is no PTX.
            UnsupportedPtx: if the machine lacks an instruction.
        """
        mangled = self.kernel(name).name
        if mangled not in self._programs:
            self._programs[mangled] = lower(self.syntax, self.syntax.functions[mangled], self._addresses)
        return self._programs[mangled]

    def launch(
        self,
        name: str,
        grid: int | Sequence[int],
        block: int | Sequence[int],
        arguments: Sequence[Any] = (),
        shared: int = 0,
        checks: Check = Check.ALL,
        limit: int = LIMIT,
        *,
        reverse: bool = False,
        memory: DeviceMemory | None = None,
    ) -> Run:
        """Run a kernel.

        Args:
            name: the mangled name, or a plain name that fits one kernel.
            grid: the number of blocks in up to three dimensions.
            block: the number of threads of a block in up to three dimensions.
            arguments: one for each parameter: NumPy arrays, which are copied; NumPy or Python numbers; bytes or structures of
                ctypes, which may contain addresses of ``memory``.
            shared: bytes of dynamic shared memory.
            checks: what to check and count.
            limit: instructions of warps after which the launch ends with the finding ``step_limit``.
            reverse: whether blocks, warps, and threads within atomic operations run in the opposite order.
            memory: further arrays that the kernel may access.

        Raises:
            LaunchError: if the kernel, its arguments or a size is wrong.
            PtxError: if the body of the kernel is no PTX.
            UnsupportedPtx: if the machine lacks an instruction of it.
        """
        kernel = self.kernel(name)
        program = self.program(name)
        memory = memory if memory is not None else DeviceMemory()
        parameters, regions = pack_arguments(kernel, program, arguments, memory)
        raw, findings, printed = self.run(program, grid, block, parameters, memory.regions, shared, checks, limit, reverse)
        arrays = [
            None if region is None else np.frombuffer(region.memory.tobytes(), array.dtype).reshape(array.shape).copy()
            for array, region in regions
        ]
        unchecked = tuple(str(check.name) for check in _RACES if checks & check and not raw.checks & check.value)
        texts = describe_findings(
            self.syntax, program, findings, memory.regions, raw, [array for array, _ in regions], self._addresses
        )
        return Run(arrays, texts, Counts.from_raw(raw.counts), printed, not raw.stopped, unchecked)

    def run(
        self,
        program: Program,
        grid: int | Sequence[int],
        block: int | Sequence[int],
        parameters: bytes,
        regions: Sequence[Region],
        shared: int = 0,
        checks: Check = Check.ALL,
        limit: int = LIMIT,
        reverse: bool = False,
        variables: npt.NDArray[np.uint8] | None = None,
    ) -> tuple[RawLaunch, list[RawFinding], str]:
        """Run a program on memory that is laid out already; the memory is changed.

        The variables of the module start with their initial content, or with ``variables``, which then change, so that a later
        launch continues with them.

        Returns:
            what `run_program` returns.

        Raises:
            LaunchError: if a size is wrong.
        """
        sizes = LaunchSizes.of(program, grid, block, shared)
        content = self._initial.copy() if variables is None else variables
        placed = [
            Region(
                address,
                content[address - MODULE_ADDRESS :][: self.syntax.variables[name].size],
                writable=self.syntax.variables[name].space != "const",
            )
            for name, address in self._addresses.items()
        ]
        if any(program.specials[SPECIAL_NUMBER[name]] != NONE for name in ("%envreg1", "%envreg2")):
            placed.append(Region(GRID_WORKSPACE, np.zeros(GRID_WORKSPACE_BYTES, np.uint8)))
        return run_program(program, sizes, parameters, [*regions, *placed], checks, limit, reverse)

    def initial_variables(self) -> npt.NDArray[np.uint8]:
        """Return the content of the module's variables before the first launch."""
        content: npt.NDArray[np.uint8] = self._initial.copy()
        return content

    def function_name(self, address: int) -> str | None:
        """Return the name of the function or kernel that has an address in the PTX."""
        number = address - WINDOWS["function"]
        names = list(self.syntax.functions)
        return names[number] if 0 <= number < len(names) else None

    def _place_variables(self) -> tuple[dict[str, int], npt.NDArray[np.uint8]]:
        """Return the addresses of the module's variables and their initial content."""
        addresses: dict[str, int] = {}
        size = 0
        placed = [variable for variable in self.syntax.variables.values() if variable.space in ("global", "const")]
        for variable in placed:
            alignment = max(variable.alignment, 16)
            size = -(-(size + VARIABLE_GAP) // alignment) * alignment
            addresses[variable.name] = MODULE_ADDRESS + size
            size += variable.size
        if size > LARGEST_VARIABLE:
            raise PtxError(f"the variables of the module have {size} bytes, more than {LARGEST_VARIABLE}")
        content = np.zeros(size, np.uint8)
        functions = {name: WINDOWS["function"] + number for number, name in enumerate(self.syntax.functions)}
        for variable in placed:
            start = addresses[variable.name] - MODULE_ADDRESS
            if variable.data is not None:
                content[start : start + len(variable.data)] = np.frombuffer(variable.data, np.uint8)
            for offset, target, addend in variable.addresses:
                address = addresses.get(target, functions.get(target))
                if address is None:
                    raise LaunchError(f"{variable.name} contains the address of {target}, which is not defined")
                value = np.frombuffer((address + addend & (1 << 64) - 1).to_bytes(8, "little"), np.uint8)
                content[start + offset : start + offset + 8] = value
        return addresses, content
