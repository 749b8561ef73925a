"""The CUDA devices of this machine, and the choice of one."""

from __future__ import annotations

import os
from dataclasses import dataclass

import warp as wp

from warpsmith.core.errors import DeviceError
from warpsmith.extraction.warp import runtime

VARIABLE = "WARPSMITH_DEVICE"
"""The environment variable that passes the chosen device to a worker."""

NO_CUDA = "CUDA not available -> skipped"


@dataclass(frozen=True, slots=True)
class DeviceInfo:
    """A device as Warp describes it.

    Attributes:
        alias: its name in Warp.
        name: its name in the driver.
        arch: its compute capability times ten; 0 for the CPU.
        memory: its memory in bytes; 0 for the CPU.
    """

    alias: str
    name: str
    arch: int
    memory: int


def devices() -> list[DeviceInfo]:
    """Return the CUDA devices of this machine.

    Returns:
        A description of each device in the order of Warp; an empty list without a driver.
    """
    runtime.start_runtime()
    return [DeviceInfo(device.alias, device.name, device.arch, device.total_memory) for device in wp.get_cuda_devices()]


def versions() -> dict[str, str]:
    """Return the versions of Warp, of its CUDA toolkit and of the driver; the last two are empty without CUDA."""
    runtime.start_runtime()

    def dotted(version: tuple[int, int] | None) -> str:
        return ".".join(map(str, version)) if version else ""

    return {
        "warp": wp.__version__,
        "toolkit": dotted(wp.get_cuda_toolkit_version() if wp.is_cuda_available() else None),
        "driver": dotted(wp.get_cuda_driver_version() if wp.is_cuda_available() else None),
    }


def chosen_device(requested: str | None = None) -> str:
    """Return the requested device, else the device that `VARIABLE` names, else the first CUDA device.

    Raises:
        DeviceError: if this machine does not have the device.
    """
    wanted = requested or os.environ.get(VARIABLE) or "cuda:0"
    if wanted == "cpu" or any(device.alias == wanted for device in devices()):
        return wanted
    available = ", ".join(device.alias for device in devices()) or "no CUDA device"
    raise DeviceError(
        f"{NO_CUDA}: {wanted} was requested, but this machine has {available}; use --device cpu to try the checks without a GPU"
    )
