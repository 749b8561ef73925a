"""Further texts of generated pairs: PTX, which needs the extra `ptx`, and stand-alone CUDA, which needs `plain`."""

from __future__ import annotations

from importlib import metadata

from warpsmith.core.extras import Extra
from warpsmith.core.records.ir import Device
from warpsmith.core.records.pair import Pair, Reject
from warpsmith.extraction import kernel_ptx
from warpsmith.extraction.plain_texts import require_plain

PTX = Extra("warpsmith-synthesis[ptx]", "--ptx")
PLAIN = Extra("warpsmith-synthesis[plain]", "--plain")


def require_texts(ptx: str | None, plain: bool, device: Device) -> None:
    """Check that the pairs of a device can have the texts that were requested.

    Args:
        ptx: the architecture of PTX, None without.
        plain: whether stand-alone CUDA is wanted.
        device: the device.

    Raises:
        WarpsmithError: if they cannot.
    """
    if ptx is not None:
        kernel_ptx.require_ptx(ptx, device, PTX)
    if plain:
        require_plain(device, PLAIN)


def nvrtc_version() -> str:
    """Return the version of the installed NVRTC."""
    return metadata.version("nvidia-cuda-nvrtc")


def with_ptx(pair: Pair, arch: str) -> Pair | Reject:
    """Return a pair with its PTX and the counts of its launch, or a `Reject` if NVRTC rejects its CUDA."""
    return kernel_ptx.with_ptx(pair, arch, PTX)
