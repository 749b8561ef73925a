"""The result of one check on one pair: a status and a reason, from which the worker makes a verdict."""

from __future__ import annotations

from dataclasses import dataclass

from warpsmith.core.records.verdict import Status


@dataclass(frozen=True, slots=True)
class Finding:
    """A status and its reason."""

    status: Status
    reason: str = ""


PASS = Finding("pass")


def fail(reason: str) -> Finding:
    """Return a failure with its reason."""
    return Finding("fail", reason)


def skipped(reason: str) -> Finding:
    """Return the finding of a check that was not made, with the reason."""
    return Finding("skipped", reason)
