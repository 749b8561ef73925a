"""The result of one check on one pair: a status and a reason, from which the worker makes a verdict."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from warpsmith.core.records.verdict import MACHINE, MEMORY_ERROR, Status
from warpsmith.validation.running.fork_runner import MachineText


@dataclass(frozen=True, slots=True)
class Finding:
    """A status and its reason."""

    status: Status
    reason: str = ""


PASS = Finding("pass")


def fail(reason: str) -> Finding:
    """Return a failure with its reason."""
    return Finding("fail", reason)


def memory_error(reason: str) -> Finding:
    """Return the failure of a program that uses other memory than its own at its launch, with the reason."""
    return fail(f"{MEMORY_ERROR}{reason}")


def inconclusive(reason: str) -> Finding:
    """Return a finding that says neither that the pair is right nor that it is wrong, with the reason."""
    return Finding("inconclusive", reason)


def of_machine(reason: str) -> Finding:
    """Return the finding of a check that the machine prevented, with the reason."""
    return inconclusive(f"{MACHINE}{reason}")


def attributed(problem: str, finding: Callable[[str], Finding] = fail) -> Finding:
    """Return the finding on a pair whose code had a problem in a fork, see `run_forked`.

    Args:
        problem: the problem.
        finding: makes the finding if the pair caused the problem.
    """
    return of_machine(problem) if isinstance(problem, MachineText) else finding(problem)


def skipped(reason: str) -> Finding:
    """Return the finding of a check that was not made, with the reason."""
    return Finding("skipped", reason)
