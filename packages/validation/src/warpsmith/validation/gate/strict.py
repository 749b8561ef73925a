"""What a strict gate fails besides kernels that fail: results that do not show that a kernel is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from warpsmith.validation.gate.kernel_result import KernelResult, Result

if TYPE_CHECKING:  # the plugin of pytest works without it
    from warpsmith.validation.outcome import Outcome

NOTHING = "nothing was checked: no kernel passed or failed"

DEFAULT_FAILURES: tuple[Result, ...] = ("fail",)
"""The results that make every run fail."""

STRICT_FAILURES: tuple[Result, ...] = (
    *DEFAULT_FAILURES,
    "by hand",
    "memory error",
    "not checked",
    "not checked (warpsmith)",
    "inconclusive",
    "untested",
)
"""The results that make a strict run fail."""

_DECIDED = ("pass", "fail", "known", "by hand", "intended", "memory error")
_DOUBTFUL = ("skipped", *STRICT_FAILURES[1:])


def of_kernels(results: Sequence[KernelResult]) -> list[str]:
    """Return why the results of kernels do not show that all of them are right; empty if they do.

    Examples:
        >>> of_kernels([])
        ['nothing was checked: no kernel passed or failed']
    """
    return _shortcomings(Counter(result.label for result in results))


def of_pairs(outcome: Outcome) -> list[str]:
    """Return why the verdicts on pairs do not show that all of them are right, likewise."""
    complete = [counts for name, counts in outcome.statuses.items() if name not in outcome.shares]
    last = complete[-1] if complete else Counter()
    inconclusive = sum(counts["inconclusive"] for counts in outcome.statuses.values())
    counts = {"pass": last["pass"], "fail": len(outcome.failures), "skipped": last["skipped"], "inconclusive": inconclusive}
    return _shortcomings(counts)


def _shortcomings(counts: Mapping[str, int]) -> list[str]:
    decided = sum(counts.get(status, 0) for status in _DECIDED)
    doubtful = [f"{counts[status]:,} {status}" for status in _DOUBTFUL if counts.get(status, 0)]
    return doubtful if decided else [NOTHING, *doubtful]
