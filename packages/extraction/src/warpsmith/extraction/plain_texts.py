"""Stand-alone CUDA for pairs: `warpsmith.scoring` writes and verifies it. Only options for it load that package."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.extras import Extra
from warpsmith.core.records.ir import Device
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.plain_outcome import PlainOutcome

EXTRACTION = Extra("warpsmith-extraction[plain]", "--plain")

_MODULE = "warpsmith.scoring.cuda_verification"

AddPlain = Callable[[Sequence[Pair]], list[Pair]]
"""Returns pairs with their stand-alone CUDA."""


class _Verified(Protocol):
    """The stand-alone CUDA of a pair: the text if it is right, and what became of it."""

    text: str | None
    outcome: PlainOutcome


def require_plain(device: Device, extra: Extra = EXTRACTION) -> None:
    """Check that the pairs of a device can have stand-alone CUDA.

    Raises:
        WarpsmithError: if they have no CUDA to compare with, or the extra is not installed.
    """
    if device == "cpu":
        raise WarpsmithError("stand-alone CUDA is compared with Warp's CUDA code: choose the device cuda or both")
    extra.load(_MODULE)


@contextlib.contextmanager
def plain_writer(wanted: bool, extra: Extra = EXTRACTION) -> Iterator[AddPlain]:
    """Yield the function that adds stand-alone CUDA to pairs, with sandboxed workers that end with the context.

    Args:
        wanted: whether the pairs get any; otherwise the function returns them unchanged.
        extra: the extra that errors name.

    Raises:
        WarpsmithError: if the extra is not installed.
        SandboxError: from the function, if the sandbox does not work on this machine.
    """
    if not wanted:
        yield list
        return
    with extra.load(_MODULE).CudaVerifier() as verifier:
        yield lambda pairs: [_added(pair, found) for pair, found in zip(pairs, verifier.texts(pairs), strict=True)]


def with_plain(pair: Pair) -> Pair:
    """Return a pair with its stand-alone CUDA; sandboxed workers start, which takes seconds.

    Raises:
        WarpsmithError: see `require_plain`.
        SandboxError: if the sandbox does not work on this machine.
    """
    require_plain(pair.metadata.device)
    with plain_writer(wanted=True) as add_plain:
        return add_plain([pair])[0]


def _added(pair: Pair, found: _Verified) -> Pair:
    return replace(pair, cuda_plain=found.text, metadata=replace(pair.metadata, plain=found.outcome))
