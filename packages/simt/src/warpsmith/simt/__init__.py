"""CUDA kernels on a CPU: a SIMT machine runs the PTX that NVRTC writes, with checks and counts. No GPU or driver is needed.

`compile_ptx` translates CUDA C++ to PTX, `Module` parses it, and `Module.launch` runs a kernel on NumPy arrays and returns a
`Run`: arrays, findings, counts and output. All names are loaded at first use.
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
    from warpsmith.simt.launches.checks import Check
    from warpsmith.simt.launches.device_memory import DeviceMemory
    from warpsmith.simt.launches.launch_results import Counts, Finding, Run, Thread
    from warpsmith.simt.launches.module import Kernel, LaunchError, Module, Parameter
    from warpsmith.simt.ptx.syntax import PtxError, UnsupportedPtx

    __version__: str

_MODULES = {
    "Check": "launches.checks",
    "Counts": "launches.launch_results",
    "CudaCompileError": "compilers.nvrtc_program",
    "DeviceMemory": "launches.device_memory",
    "Finding": "launches.launch_results",
    "Kernel": "launches.module",
    "LaunchError": "launches.module",
    "Module": "launches.module",
    "Occupancy": "compilers.occupancy_limits",
    "Parameter": "launches.module",
    "PtxError": "ptx.syntax",
    "ResourceUsage": "compilers.resource_usage",
    "Run": "launches.launch_results",
    "Thread": "launches.launch_results",
    "UnsupportedPtx": "ptx.syntax",
    "compile_cubin": "compilers.ptx_compiler",
    "compile_ptx": "compilers.ptx_compiler",
    "occupancy": "compilers.occupancy_limits",
    "resource_usage": "compilers.resource_usage",
    "warp_options": "compilers.warp_options",
}

__all__ = [
    "Check",
    "Counts",
    "CudaCompileError",
    "DeviceMemory",
    "Finding",
    "Kernel",
    "LaunchError",
    "Module",
    "Occupancy",
    "Parameter",
    "PtxError",
    "ResourceUsage",
    "Run",
    "Thread",
    "UnsupportedPtx",
    "__version__",
    "compile_cubin",
    "compile_ptx",
    "occupancy",
    "resource_usage",
    "warp_options",
]

__getattr__, __dir__ = lazy_names(__name__, {name: f"warpsmith.simt.{module}" for name, module in _MODULES.items()})
