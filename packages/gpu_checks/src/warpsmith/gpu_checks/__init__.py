"""Checks on a CUDA device: pairs are built, loaded and launched there, and compared with the CPU.

`devices` lists the CUDA devices, `smoke` launches one kernel, `check` returns verdicts on pairs, and `bench` measures times.
All names are loaded at first use. If the machine does not have the device, the functions raise a `warpsmith.core.DeviceError`;
the device ``"cpu"`` tries the same code without a GPU.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpsmith.core.lazy import lazy_names

if TYPE_CHECKING:  # the lazy names, for type checkers and editors
    from warpsmith.gpu_checks.device import DeviceInfo, devices
    from warpsmith.gpu_checks.device_checks import PairTimes, bench, check, smoke
    from warpsmith.gpu_checks.smoke_kernel import SmokeResult

    __version__: str

__all__ = ["DeviceInfo", "PairTimes", "SmokeResult", "__version__", "bench", "check", "devices", "smoke"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "DeviceInfo": "warpsmith.gpu_checks.device",
        "PairTimes": "warpsmith.gpu_checks.device_checks",
        "SmokeResult": "warpsmith.gpu_checks.smoke_kernel",
        "bench": "warpsmith.gpu_checks.device_checks",
        "check": "warpsmith.gpu_checks.device_checks",
        "devices": "warpsmith.gpu_checks.device",
        "smoke": "warpsmith.gpu_checks.device_checks",
    },
)
