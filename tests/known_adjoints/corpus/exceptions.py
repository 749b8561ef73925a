"""The verdicts about the corpus that are not right, each with its reason; a test fails for an entry that is right by now."""

from __future__ import annotations

BY_HAND = "the adjoint written by hand leaves the gradient of what the output held before, as the examples of Warp's manual do"
IN_PLACE = "changes in place are inconclusive where a program launches the kernel"

EXCEPTIONS: dict[str, dict[str, str]] = {
    "generated": {
        "root of zero": "a generated pair must have finite gradients at its own launch",
    },
    "launched": {
        "element doubled in place: squared": IN_PLACE,
        "element doubled in place: its root": IN_PLACE,
        "product with the neighbour in place": IN_PLACE,
        "native function": BY_HAND,
        "native function: a constant off in the fourth digit": "the interpreter lacks it, and single precision hides it",
        "noise along a line, squared after a loop": "single precision, in which noise is computed, confirms no failure",
    },
}
"""For each path, the names of probes with the reasons."""
