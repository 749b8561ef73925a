"""Checks the pairs of a project by level `gradient`, within a number of kernels and a time."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from warpsmith.core.records.pair import Pair
from warpsmith.validation.gate.kernel_result import KernelResult, pair_result
from warpsmith.validation.gate.observed import kernel_id
from warpsmith.validation.validator import Validator

LEVEL = "gradient"

PAIRS_PER_BATCH = 16
"""The number of pairs that are checked at a time; the time limit is tested between batches."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How much is checked.

    Attributes:
        kernels: the most kernels.
        seconds: the time after which no further pairs are checked.
    """

    kernels: int
    seconds: float


def check_pairs(pairs: Sequence[Pair], limits: Limits, unconfined: bool = False) -> list[KernelResult]:
    """Return the results of pairs, in their order; pairs beyond a limit are not checked.

    Raises:
        SandboxError: if the sandbox does not work or is incomplete on this machine.
    """
    kernels = list(dict.fromkeys(kernel_id(pair.id) for pair in pairs))
    chosen = set(kernels[: limits.kernels])
    within = [pair for pair in pairs if kernel_id(pair.id) in chosen]
    results: dict[str, KernelResult] = {}
    end = time.monotonic() + limits.seconds
    with Validator(unconfined) as validator:
        while within and time.monotonic() < end:
            batch, within = within[:PAIRS_PER_BATCH], within[PAIRS_PER_BATCH:]
            for pair, verdicts in zip(batch, validator.validate(batch, LEVEL), strict=True):
                results[pair.id] = pair_result(pair, verdicts, LEVEL)
    late = f"the time limit of {limits.seconds:g} s had passed"
    results |= {pair.id: pair_result(pair, (), LEVEL, late) for pair in within}
    excess = f"it is beyond the limit of {limits.kernels} kernels"
    return [results.get(pair.id) or pair_result(pair, (), LEVEL, excess) for pair in pairs]
