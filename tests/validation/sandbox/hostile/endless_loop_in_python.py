# Tries to run without end, in Python that Warp translates.
import warp as wp


@wp.kernel
def hostile(x: wp.array(dtype=float)):
    i = wp.tid()
    while True:
        x[i] += 1.0
