"""CUDA kernels on a CPU: a SIMT machine runs the PTX that NVRTC writes, with checks and counts. No GPU or driver is needed.

`Module` parses PTX, and its `launch` runs a kernel on NumPy arrays and returns a `Run`: arrays, findings, counts, output. All names
are loaded at first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpsmith.core.lazy import lazy_names

if TYPE_CHECKING:  # the lazy names, for type checkers and editors
    from warpsmith.simt.launches.checks import Check
    from warpsmith.simt.launches.device_memory import DeviceMemory
    from warpsmith.simt.launches.launch_results import Counts, Finding, Run, Thread
    from warpsmith.simt.launches.module import Kernel, LaunchError, Module, Parameter
    from warpsmith.simt.ptx.syntax import PtxError, UnsupportedPtx

    __version__: str

_MODULES = {
    "Check": "launches.checks",
    "Counts": "launches.launch_results",
    "DeviceMemory": "launches.device_memory",
    "Finding": "launches.launch_results",
    "Kernel": "launches.module",
    "LaunchError": "launches.module",
    "Module": "launches.module",
    "Parameter": "launches.module",
    "PtxError": "ptx.syntax",
    "Run": "launches.launch_results",
    "Thread": "launches.launch_results",
    "UnsupportedPtx": "ptx.syntax",
}

__all__ = [
    "Check",
    "Counts",
    "DeviceMemory",
    "Finding",
    "Kernel",
    "LaunchError",
    "Module",
    "Parameter",
    "PtxError",
    "Run",
    "Thread",
    "UnsupportedPtx",
    "__version__",
]

__getattr__, __dir__ = lazy_names(__name__, {name: f"warpsmith.simt.{module}" for name, module in _MODULES.items()})
