"""The kinds of findings, for reports that other tools read: their titles, and what an owner can do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from warpsmith.validation.gate.kernel_result import GRADIENT_LEVELS

TOOL = "warpsmith"


class Kind(NamedTuple):
    """A kind of finding: its title, and an explanation."""

    title: str
    text: str


_WRONG = Kind(
    "Wrong gradient",
    "The adjoint that Warp generates differs from central differences at the launch of a program.",
)

KINDS: Mapping[str, Kind] = {
    **dict.fromkeys(GRADIENT_LEVELS.values(), _WRONG),
    "wrong-program-gradient": Kind(
        "Wrong gradient of a program", "The gradient of a tape differs from central differences of the whole program."
    ),
    "adjoint-by-hand": Kind(
        "Adjoint by hand differs from its function",
        "An adjoint written by hand differs from central differences. If it is meant to, say so: # warpsmith: intended",
    ),
    "memory-error": Kind(
        "Memory error", "The kernel uses memory beyond an array, or a variable without a value, at the launch of a program."
    ),
    "inconclusive": Kind("Inconclusive", "The gradient could be neither confirmed nor refuted."),
    "not-checked": Kind("Not checked", "The kernel could not be checked."),
    "not-checked-warpsmith": Kind("Not checked (warpsmith)", "A check of warpsmith itself failed: please report it."),
    "untested": Kind("Untested kernel", "No test launches the kernel."),
    "failed-level": Kind("Failed check", "A level failed."),
}
"""The kinds that `KernelResult.kind` returns."""
