"""Which devices there are, and what to say where there are none."""

from __future__ import annotations

import os
from dataclasses import dataclass

import warp as wp

from warpsmith.core.errors import DeviceError
from warpsmith.extraction.warp import runtime

VARIABLE = "WARPSMITH_DEVICE"
"""The environment variable that tells a child which device to use."""

NO_CUDA = "CUDA not available -> skipped"


@dataclass(frozen=True, slots=True)
class DeviceInfo:
    """A device as Warp sees it; ``arch`` is the compute capability times ten, and ``memory`` bytes, both 0 for the CPU."""

    alias: str
    name: str
    arch: int
    memory: int


def devices() -> list[DeviceInfo]:
    """Return the CUDA devices of this machine, none if there is no driver."""
    runtime.start_runtime()
    return [DeviceInfo(device.alias, device.name, device.arch, device.total_memory) for device in wp.get_cuda_devices()]


def versions() -> dict[str, str]:
    """Return the versions of Warp, of the CUDA toolkit inside it and of the driver, the last two empty where unknown."""
    runtime.start_runtime()

    def dotted(version: tuple[int, int] | None) -> str:
        return ".".join(map(str, version)) if version else ""

    return {
        "warp": wp.__version__,
        "toolkit": dotted(wp.get_cuda_toolkit_version() if wp.is_cuda_available() else None),
        "driver": dotted(wp.get_cuda_driver_version() if wp.is_cuda_available() else None),
    }


def chosen_device(asked: str | None = None) -> str:
    """Return the device to use: the one asked for, the one a parent chose, or the first CUDA device.

    Raises:
        DeviceError: if it is not there.
    """
    wanted = asked or os.environ.get(VARIABLE) or "cuda:0"
    if wanted == "cpu" or any(device.alias == wanted for device in devices()):
        return wanted
    there = ", ".join(device.alias for device in devices()) or "no CUDA device"
    raise DeviceError(
        f"{NO_CUDA}: {wanted} was asked for and this machine has {there}; --device cpu tries the checks without a GPU"
    )
