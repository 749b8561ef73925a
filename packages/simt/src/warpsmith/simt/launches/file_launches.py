"""Launches of kernels in files: checks with findings, and profiles with counts, resources and an estimate of time."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from warpsmith.core.errors import WarpsmithError
from warpsmith.simt.compilers.occupancy_limits import LIMITS, Occupancy, occupancy
from warpsmith.simt.compilers.resource_usage import ResourceUsage
from warpsmith.simt.launches.argument_matching import find_signature, match_arguments
from warpsmith.simt.launches.argument_specs import Argument, parse_argument
from warpsmith.simt.launches.kernel_signatures import named_kernels, plain_name
from warpsmith.simt.launches.kernel_source import KernelSource
from warpsmith.simt.launches.launch_checks import Check
from warpsmith.simt.launches.launch_results import Finding, Run
from warpsmith.simt.launches.module import LIMIT, Module
from warpsmith.simt.launches.time_estimate import TimeEstimate, estimate_time

Size = int | tuple[int, ...]
"""The size of a grid or a block: one to three numbers."""


@dataclass(frozen=True)
class FileLaunch:
    """A launch of a kernel of a file.

    Attributes:
        source: the file.
        kernel: the plain name of the kernel.
        mangled: its name in PTX.
        grid: the blocks of the grid.
        block: the threads of a block.
        shared: bytes of shared memory that the launch adds.
        names: the names of the parameters.
        run: what the machine returned: arrays, findings, counts and what the kernel printed.
    """

    source: KernelSource
    kernel: str
    mangled: str
    grid: Size
    block: Size
    shared: int
    names: tuple[str, ...]
    run: Run

    @property
    def findings(self) -> tuple[Finding, ...]:
        """The findings, one for each kind, line and parameter; they name the parameter instead of its position.

        A compiler that unrolls a loop makes several instructions of one line, and the machine reports each.
        """
        found: dict[Hashable, Finding] = {}
        for finding in self.run.findings:
            other = finding.other and finding.other.line
            key = (finding.kind, finding.file, finding.line or -finding.ptx_line, finding.argument, other)
            earlier = found.get(key)
            found[key] = replace(earlier, count=earlier.count + finding.count) if earlier else self._named(finding)
        return tuple(found.values())

    def _named(self, finding: Finding) -> Finding:
        if finding.argument < 0:
            return finding
        message = finding.message.replace(f"argument {finding.argument}", self.names[finding.argument])
        return replace(finding, message=message)

    @property
    def arrays(self) -> dict[str, np.ndarray[Any, Any]]:
        """The arrays after the launch, by the name of the parameter."""
        return {name: array for name, array in zip(self.names, self.run.arrays, strict=True) if array is not None}


@dataclass(frozen=True)
class Profile:
    """Counts of a launch, and what follows from them.

    Attributes:
        launch: the launch.
        resources: what the kernel needs of a multiprocessor; None for PTX.
        occupancy: how many blocks run on a multiprocessor at a time; None if resources or limits are unknown.
        time: an estimate of the time; None if the occupancy or the device is unknown.
    """

    launch: FileLaunch
    resources: ResourceUsage | None
    occupancy: Occupancy | None
    time: TimeEstimate | None


def check(
    file: KernelSource | Path | str,
    kernel: str | None = None,
    grid: Size = 1,
    block: Size = 32,
    arguments: Sequence[str | Argument | float] = (),
    *,
    shared: int = 0,
    seed: int = 0,
    limit: int = LIMIT,
    checks: Check = Check.ALL,
) -> FileLaunch:
    """Launch a kernel of a file on the machine, with all checks.

    Args:
        file: a CUDA file, a file ``*.ptx``, or one that was read with `KernelSource.read`.
        kernel: the name of the kernel; None if the file contains only one.
        grid: the blocks of the grid.
        block: the threads of a block.
        arguments: texts such as ``"n=int32:1000"``, or arrays and numbers of NumPy.
        shared: bytes of shared memory that the launch adds.
        seed: the seed of random elements.
        limit: instructions of warps after which the launch ends with a finding.
        checks: what to check and count.

    Raises:
        CudaCompileError: if NVRTC rejects the text.
        WarpsmithError: if the file has no such kernel, or the arguments do not fit.
    """
    source = file if isinstance(file, KernelSource) else KernelSource.read(Path(file))
    module = Module(source.ptx)
    mangled = find_kernel(source, module.kernels, kernel)
    name = plain_name(mangled)
    sizes = [parameter.size for parameter in module.kernels[mangled].parameters]
    signature = find_signature(name, sizes, source.declared.get(name, []))
    given = [parse_argument(item) if isinstance(item, str) else _scalar(item) for item in arguments]
    values = match_arguments(signature, given, seed)
    run = module.launch(mangled, grid, block, values, shared=shared, checks=checks, limit=limit)
    return FileLaunch(source, name, mangled, grid, block, shared, signature.names, run)


def profile(
    file: KernelSource | Path | str,
    kernel: str | None = None,
    grid: Size = 1,
    block: Size = 32,
    arguments: Sequence[str | Argument | float] = (),
    *,
    shared: int = 0,
    seed: int = 0,
    limit: int = LIMIT,
) -> Profile:
    """Count what a launch does, and estimate its time; arguments and errors are those of `check`.

    No device takes part: counts are exact, the time is an estimate that orders variants of a kernel.
    """
    source = file if isinstance(file, KernelSource) else KernelSource.read(Path(file))
    launch = check(source, kernel, grid, block, arguments, shared=shared, seed=seed, limit=limit, checks=Check.TRAFFIC)
    usage = source.resources.get(launch.mangled)
    if usage is None or source.arch not in LIMITS:
        return Profile(launch, usage, None, None)
    threads = count(block)
    share = occupancy(usage, threads, shared, source.arch)
    return Profile(launch, usage, share, estimate_time(launch.run.counts, usage, share, count(grid), threads, source.arch))


def find_kernel(source: KernelSource, kernels: Iterable[str], name: str | None) -> str:
    """Return the name in PTX of a kernel.

    Args:
        source: the file.
        kernels: the names in PTX.
        name: a name in PTX, a plain name that fits one kernel, or None for the only kernel.

    Raises:
        WarpsmithError: if no kernel or several kernels fit; the message lists the kernels.
    """
    found = list(kernels)
    if not found:
        raise WarpsmithError(f"{source.name} contains no kernel: functions with __global__, templates with an instantiation")
    fitting = found if name is None else named_kernels(found, name)
    if len(fitting) == 1:
        return fitting[0]
    plain = [plain_name(mangled) for mangled in found]
    listed = ", ".join(mangled if plain.count(short) > 1 else short for mangled, short in zip(found, plain, strict=True))
    if name is None:
        raise WarpsmithError(f"{source.name} contains several kernels, name one with --kernel: {listed}")
    reason = f"several kernels are named {name!r}, use a name of PTX" if fitting else f"no kernel is named {name!r}"
    raise WarpsmithError(f"{source.name}: {reason}: {listed}")


def count(size: Size) -> int:
    """Return the number of blocks of a grid, or of threads of a block."""
    return size if isinstance(size, int) else math.prod(size)


def _scalar(value: Argument | float) -> Argument:
    """Return a number of Python as C++ reads a literal: 32 bits for integers and floats."""
    if isinstance(value, np.ndarray | np.generic):
        return value
    if isinstance(value, bool):
        return np.bool_(value)
    dtype: type[np.generic] = np.float32 if isinstance(value, float) else np.int32 if -(2**31) <= value < 2**31 else np.int64
    number: Argument = dtype(value)
    return number
