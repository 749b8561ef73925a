"""The verdicts about the corpus that are not right, each with its reason; a test fails for an entry that is right by now."""

from __future__ import annotations

BY_HAND = "the adjoint written by hand leaves the gradient of what the output held before, as the examples of Warp's manual do"
IN_PLACE = "changes in place are inconclusive where a program launches the kernel"
TINY = "increments below the rounding of what they are added to have no differences"

EXCEPTIONS: dict[str, dict[str, str]] = {
    "generated": {
        "root of zero": "a generated pair must have finite gradients at its own launch",
    },
    "launched": {
        "element doubled in place: squared": IN_PLACE,
        "element doubled in place: its root": IN_PLACE,
        "product with the neighbour in place": IN_PLACE,
        "native function": BY_HAND,
        "noise along a line, squared after a loop": "single precision, in which noise is computed, confirms no failure",
        "difference of squares, factored": "a step relative to the numbers is larger than their difference",
        "sentinels of 1e18 that are added": TINY,
        "tiny increments": TINY,
        "tiny increments, wrong": TINY,
    },
}
"""For each path, the names of probes with the reasons."""
