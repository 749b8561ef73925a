"""What a level finds out about a pair: the part of a verdict that is its own."""

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
    """A failure and why."""
    return Finding("fail", reason)


def skipped(reason: str) -> Finding:
    """A check that was not made and why."""
    return Finding("skipped", reason)
