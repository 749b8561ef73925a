# Tries to write before the start of an array, which Python would take for its end.
import warp as wp


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    x[i - 100000] = 1.0
