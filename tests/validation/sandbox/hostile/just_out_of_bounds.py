# Tries to write one element behind the end of an array.
import warp as wp


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i + 1] = 1.0
