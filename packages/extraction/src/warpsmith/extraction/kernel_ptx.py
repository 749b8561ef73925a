"""PTX of pairs, with registers, spills and counts: `warpsmith.simt` makes it. Only options for it load that package."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

from warpsmith.core.errors import WarpsmithError, describe
from warpsmith.core.extras import Extra
from warpsmith.core.records.ir import Device
from warpsmith.core.records.pair import Pair, Reject
from warpsmith.extraction.plain_texts import plain_writer

EXTRACTION = Extra("warpsmith-extraction[ptx]", "--ptx")

_PTX = "warpsmith.simt.pairs.pair_ptx"
_ERRORS = "warpsmith.simt.compilers.nvrtc_program"
_COUNTS = "warpsmith.validation.simt_launches.launch_counts"
"""Modules that are loaded by their names: extraction works without simt and validation, which build on it."""

AddTexts = Callable[[Pair], Pair | Reject]
"""Returns a pair with further texts, or a `Reject` if NVRTC rejects its CUDA."""


def require_ptx(arch: str, device: Device, extra: Extra = EXTRACTION) -> None:
    """Check that the pairs of a device can have PTX for an architecture.

    Raises:
        WarpsmithError: if they have no CUDA, the extra is not installed, or NVRTC does not support the architecture.
    """
    if device == "cpu":
        raise WarpsmithError("PTX is made of CUDA code: choose the device cuda or both")
    extra.load("warpsmith.simt")
    extra.load("cuda.bindings.nvrtc")
    extra.load("warpsmith.validation")
    extra.load(_PTX).read_arch(arch)


def with_ptx(pair: Pair, arch: str, extra: Extra = EXTRACTION) -> Pair | Reject:
    """Return a pair with its PTX and the counts of its launch, or a `Reject` if NVRTC rejects its CUDA."""
    try:
        made = extra.load(_PTX).with_ptx(pair, arch)
    except extra.load(_ERRORS).CudaCompileError as error:
        metadata = pair.metadata
        return Reject(
            id=pair.id, seed=metadata.seed, index=metadata.index, stage="ptx", error=describe(error), origin=metadata.origin
        )
    counted: Pair = extra.load(_COUNTS).with_launch_counts(made)
    return counted


@contextlib.contextmanager
def text_writer(ptx: str | None, plain: bool) -> Iterator[AddTexts]:
    """Yield the function that adds PTX and stand-alone CUDA to a pair, with workers that end with the context.

    Args:
        ptx: the architecture of the PTX, None without.
        plain: whether the pairs get stand-alone CUDA.

    Raises:
        WarpsmithError: if an extra is not installed.
        SandboxError: from the function, if the sandbox does not work on this machine.
    """
    with plain_writer(plain) as add_plain:

        def add(pair: Pair) -> Pair | Reject:
            made = pair if ptx is None else with_ptx(pair, ptx)
            return add_plain([made])[0] if isinstance(made, Pair) else made

        yield add
