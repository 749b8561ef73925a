"""Functions that `kernels.py` imports from another module of the same project."""

import warp as wp

FACTOR = 3.0


@wp.func
def tripled_part(x: float):
    return x * FACTOR


@wp.func
def triple(x: float):
    return tripled_part(x)


@wp.func
def halve(x: float):
    return 0.5 * x
