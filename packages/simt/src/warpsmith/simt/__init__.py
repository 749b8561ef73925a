"""CUDA kernels on a CPU: a SIMT machine runs the PTX that NVRTC writes, with checks and counts. No GPU or driver is needed.

`compile_ptx` translates CUDA C++ to PTX. `Module` parses PTX, and its `launch` runs a kernel on NumPy arrays and returns a
`Run`: arrays, findings, counts, output. `check` and `profile` do with a file what the commands of `warpsmith-simt` do. All
names are loaded at first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpsmith.core.lazy import lazy_names

if TYPE_CHECKING:  # the lazy names, for type checkers and editors
    from warpsmith.simt.compilers.nvrtc_program import CudaCompileError
    from warpsmith.simt.compilers.occupancy_limits import Occupancy, occupancy
    from warpsmith.simt.compilers.ptx_compiler import compile_cubin, compile_ptx
    from warpsmith.simt.compilers.resource_usage import ResourceUsage, resource_usage
    from warpsmith.simt.compilers.warp_options import warp_options
    from warpsmith.simt.launches.device_memory import DeviceMemory
    from warpsmith.simt.launches.file_launches import FileLaunch, Profile, check, profile
    from warpsmith.simt.launches.kernel_arguments import Kernel, LaunchError, Parameter
    from warpsmith.simt.launches.kernel_source import KernelSource
    from warpsmith.simt.launches.launch_checks import Check
    from warpsmith.simt.launches.launch_results import Counts, Finding, Run, Thread
    from warpsmith.simt.launches.module import Module
    from warpsmith.simt.launches.time_estimate import TimeEstimate
    from warpsmith.simt.pairs.pair_ptx import with_ptx
    from warpsmith.simt.ptx.syntax import PtxError, UnsupportedPtx

    __version__: str

_MODULES = {
    "Check": "launches.launch_checks",
    "Counts": "launches.launch_results",
    "CudaCompileError": "compilers.nvrtc_program",
    "DeviceMemory": "launches.device_memory",
    "FileLaunch": "launches.file_launches",
    "Finding": "launches.launch_results",
    "Kernel": "launches.kernel_arguments",
    "KernelSource": "launches.kernel_source",
    "LaunchError": "launches.kernel_arguments",
    "Module": "launches.module",
    "Occupancy": "compilers.occupancy_limits",
    "Parameter": "launches.kernel_arguments",
    "Profile": "launches.file_launches",
    "PtxError": "ptx.syntax",
    "ResourceUsage": "compilers.resource_usage",
    "Run": "launches.launch_results",
    "Thread": "launches.launch_results",
    "TimeEstimate": "launches.time_estimate",
    "UnsupportedPtx": "ptx.syntax",
    "check": "launches.file_launches",
    "compile_cubin": "compilers.ptx_compiler",
    "compile_ptx": "compilers.ptx_compiler",
    "occupancy": "compilers.occupancy_limits",
    "profile": "launches.file_launches",
    "resource_usage": "compilers.resource_usage",
    "warp_options": "compilers.warp_options",
    "with_ptx": "pairs.pair_ptx",
}

__all__ = [
    "Check",
    "Counts",
    "CudaCompileError",
    "DeviceMemory",
    "FileLaunch",
    "Finding",
    "Kernel",
    "KernelSource",
    "LaunchError",
    "Module",
    "Occupancy",
    "Parameter",
    "Profile",
    "PtxError",
    "ResourceUsage",
    "Run",
    "Thread",
    "TimeEstimate",
    "UnsupportedPtx",
    "__version__",
    "check",
    "compile_cubin",
    "compile_ptx",
    "occupancy",
    "profile",
    "resource_usage",
    "warp_options",
    "with_ptx",
]

__getattr__, __dir__ = lazy_names(__name__, {name: f"warpsmith.simt.{module}" for name, module in _MODULES.items()})
