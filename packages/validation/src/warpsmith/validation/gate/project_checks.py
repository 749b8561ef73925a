"""Checks the pairs of a project by level `gradient`, within a number of kernels and a time."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

from warpsmith.core.errors import SandboxError
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.verdict import MACHINE, Verdict
from warpsmith.validation.gate.float_signature import without_floats
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
    """Return the results of pairs, in their order.

    Kernels that have no gradient by their arguments are neither compiled nor run. Pairs beyond a limit are not checked, and
    neither are those for which the sandbox does not work.
    """
    plain = [pair for pair in pairs if without_floats(pair) is None]
    kernels = list(dict.fromkeys(kernel_id(pair.id) for pair in plain))
    chosen = set(kernels[: limits.kernels])
    within = [pair for pair in plain if kernel_id(pair.id) in chosen]
    results, problem = _checked(within, limits.seconds, unconfined)
    prevented = [Verdict(id="", level=LEVEL, status="inconclusive", reason=f"{MACHINE}{problem}", ms=0.0)] if problem else []
    late = f"the time limit of {limits.seconds:g} s had passed"
    left = [pair for pair in within if pair.id not in results]
    results |= {pair.id: pair_result(pair, prevented, LEVEL, late) for pair in left}
    excess = f"it is beyond the limit of {limits.kernels} kernels"
    return [results.get(pair.id) or pair_result(pair, (), LEVEL, excess) for pair in pairs]


def _checked(pairs: Sequence[Pair], seconds: float, unconfined: bool) -> tuple[dict[str, KernelResult], str]:
    """Return the results of the pairs that were checked in time, by id, and why the sandbox prevented the others."""
    results: dict[str, KernelResult] = {}
    end, left = time.monotonic() + seconds, list(pairs)
    with Validator(unconfined) as validator:
        while left and time.monotonic() < end:
            batch, left = left[:PAIRS_PER_BATCH], left[PAIRS_PER_BATCH:]
            try:
                found = validator.validate(batch, LEVEL)
            except SandboxError as error:
                return results, str(error)
            results |= {pair.id: pair_result(pair, verdicts, LEVEL) for pair, verdicts in zip(batch, found, strict=True)}
    return results, ""
