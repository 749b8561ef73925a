"""What a strict gate fails besides kernels that fail: results that do not show that a kernel is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from warpsmith.validation.gate.kernel_result import KernelResult

if TYPE_CHECKING:  # the plugin of pytest works without it
    from warpsmith.validation.outcome import Outcome

NOTHING = "nothing was checked: no kernel passed or failed"

_DOUBTFUL = ("not checked", "skipped", "inconclusive")


def of_kernels(results: Sequence[KernelResult]) -> list[str]:
    """Return why the results of kernels do not show that all of them are right; empty if they do.

    Examples:
        >>> of_kernels([])
        ['nothing was checked: no kernel passed or failed']
    """
    return _shortcomings(Counter(result.result for result in results))


def of_pairs(outcome: Outcome) -> list[str]:
    """Return why the verdicts on pairs do not show that all of them are right, likewise."""
    complete = [counts for name, counts in outcome.statuses.items() if name not in outcome.shares]
    last = complete[-1] if complete else Counter()
    inconclusive = sum(counts["inconclusive"] for counts in outcome.statuses.values())
    counts = {"pass": last["pass"], "fail": len(outcome.failures), "skipped": last["skipped"], "inconclusive": inconclusive}
    return _shortcomings(counts)


def _shortcomings(counts: Mapping[str, int]) -> list[str]:
    decided = counts.get("pass", 0) + counts.get("fail", 0)
    doubtful = [f"{counts[status]:,} {status}" for status in _DOUBTFUL if counts.get(status, 0)]
    return doubtful if decided else [NOTHING, *doubtful]
