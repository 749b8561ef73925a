# Tries to recurse without end, in Python that Warp translates.
import warp as wp


@wp.func
def deed(x: float) -> float:
    return deed(x + 1.0)


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = deed(x[i])
