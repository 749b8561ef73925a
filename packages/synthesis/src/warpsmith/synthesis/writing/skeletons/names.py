"""Names that do not depend on the theme: constants, thread indices, lengths, parameters of helper functions."""

from __future__ import annotations

CONSTANTS = (
    ("EPSILON", 0.001),
    ("HALF", 0.5),
    ("SCALE", 2.0),
    ("GAMMA", 1.4),
    ("THRESHOLD", 0.75),
    ("ALPHA", 0.1),
    ("OFFSET", 0.25),
    ("PI", 3.14159265),
    ("INV_SQRT2", 0.70710678),
    ("GOLDEN", 1.61803399),
    ("STEP", 0.05),
    ("BLEND", 0.3),
    ("FLOOR", 0.01),
    ("RATE", 1.5),
)
"""Module constants, with their values."""

THREAD_INDICES = (("i",), ("tid",), ("idx",), ("i",), ("tid",))
"""Names of the index of a thread, each as often as it is likely."""

GRID_INDICES = (("i", "j"), ("row", "col"), ("x", "y"), ("i", "j"))
"""Names of the two indices of a thread."""

LENGTH_NAMES = {1: (("n", "count", "num_{0}s", "size"),), 2: (("height", "rows", "n"), ("width", "cols", "m"))}
"""Names of the parameters for the number of threads, for each number of dimensions; ``{0}`` stands for the theme's item."""

GUARD_COMMENTS = ("one thread per {0}", "the last block may be partly empty", "skip threads past the last {0}", "out of range")
"""Comments above the early return of threads out of range."""

HELPER_PARAMETERS = {
    "scalar": ("x", "y", "a", "b", "s", "t", "value", "scale", "k", "radius", "strength", "bias"),
    "vector": ("a", "b", "u", "v", "p", "q", "direction", "offset", "origin"),
}
"""Names of the parameters of helper functions."""
