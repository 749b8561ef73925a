"""Further texts of generated pairs: PTX, which needs the extra `ptx`, and stand-alone CUDA, which needs `plain`."""

from __future__ import annotations

from importlib import metadata

from warpsmith.core.errors import WarpsmithError, describe
from warpsmith.core.extras import Extra
from warpsmith.core.records.ir import Device
from warpsmith.core.records.pair import Pair, Reject
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
        require_ptx(ptx, device)
    if plain:
        require_plain(device, PLAIN)


_COUNTS = "warpsmith.validation.simt_launches.launch_counts"
"""The module that counts. It is loaded by its name: synthesis works without validation, which is independent of it."""


def require_ptx(arch: str | None, device: Device) -> None:
    """Check that the pairs of a device can have PTX for an architecture; None is for pairs without PTX.

    Raises:
        WarpsmithError: if they have no CUDA, the extra is not installed, or NVRTC does not support the architecture.
    """
    if arch is None:
        return
    if device == "cpu":
        raise WarpsmithError("PTX is made of CUDA code: choose the device cuda or both")
    PTX.load("warpsmith.simt")
    PTX.load("cuda.bindings.nvrtc")
    PTX.load("warpsmith.validation")
    from warpsmith.simt.pairs import pair_ptx  # an extra

    pair_ptx.read_arch(arch)


def nvrtc_version() -> str:
    """Return the version of the installed NVRTC."""
    return metadata.version("nvidia-cuda-nvrtc")


def with_ptx(pair: Pair, arch: str) -> Pair | Reject:
    """Return a pair with its PTX and the counts of its launch, or a `Reject` if NVRTC rejects its CUDA."""
    from warpsmith.simt.compilers.nvrtc_program import CudaCompileError  # an extra
    from warpsmith.simt.pairs import pair_ptx

    try:
        made = pair_ptx.with_ptx(pair, arch)
    except CudaCompileError as error:
        return Reject(id=pair.id, seed=pair.metadata.seed, index=pair.metadata.index, stage="ptx", error=describe(error))
    counted: Pair = PTX.load(_COUNTS).with_launch_counts(made)
    return counted
